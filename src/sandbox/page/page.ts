import type { Html } from "../../lib/markup/html.js";
import { HttpRefusal } from "../http/route.js";
import type { Issue, Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { authorizationsPage } from "./authorizations.js";
import { changeRepository } from "./change-repository.js";
import { changeWorkings } from "./change-workings.js";
import { homePage, repositoryPage } from "./home.js";
import type { Viewing } from "./layout.js";
import { LIVE } from "./live.js";
import { appPage, createApp, installApp, newAppAddress, newAppPage } from "./new-app.js";
import { STYLE } from "./style.js";
import { saidOn, threadPage } from "./thread.js";
import { deliveriesPage, faultsPage, loginPage, problemsPage, wordPage } from "./workings.js";

export interface PageRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** A form's fields, as sent. */
  readonly body: string;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const WORKINGS = ["authorizations", "deliveries", "faults", "login"];

/** Pages for people, below `/_/`; addresses of GitHub's own pages lead there. */
export async function answerPage(world: World, request: PageRequest): Promise<PageAnswer> {
  const url = new URL(request.url, world.url);
  // A page of somebody else's can have its name lead to this machine, or send a form here from a browser.
  if (!isOwnHost(request.headers.host, world.url)) return plain(403, "Ask for this page by its own address.");
  const newApp = newAppAddress(url.pathname);
  const elsewhere = newApp === null ? githubAddress(url) : null;
  if (elsewhere !== null) return redirect(elsewhere);
  if (url.pathname === "/_/style.css") return reply(200, "text/css", STYLE);
  if (url.pathname === "/_/live.js") return reply(200, "text/javascript", LIVE);
  const people = world.state.users.filter(({ type }) => type === "User").map(({ login }) => login);
  const form = new URLSearchParams(request.method === "POST" ? request.body : "");
  const chosen = form.get("as") ?? cookie(request.headers.cookie, "as");
  const as =
    people.find((login) => login === chosen || encodeURIComponent(login) === chosen) ?? people[0] ?? "";
  const viewing: Viewing = { world, as, here: url.pathname };
  try {
    if (newApp !== null) {
      if (request.method !== "POST")
        throw new HttpRefusal(404, "Apps are made here from manifests, which a form brings.");
      // From wherever it comes: it shows a page, and changes nothing.
      const sent = { text: form.get("manifest") ?? "", state: url.searchParams.get("state") ?? "" };
      const { page: shown, leadsTo } = newAppPage({ ...viewing, here: "/_/" }, { ...sent, ...newApp });
      return page(200, shown, leadsTo);
    }
    if (request.method === "GET") return page(200, await show(viewing, url));
    if (request.method !== "POST") return plain(405, "Pages are read and forms are sent.");
    if (!isOwnOrigin(request.headers.origin, request.headers.host))
      return plain(403, "That form is not one of this page's.");
    if (form.has("as") && form.get("as") !== as) throw new HttpRefusal(400, "Nobody here has that name.");
    form.set("as", as);
    const next = await change(world, url.pathname, form);
    return redirect(next ?? url.pathname, as);
  } catch (error) {
    if (!(error instanceof HttpRefusal)) throw error;
    return page(error.status, wordPage(viewing, `${error.status}`, error.message));
  }
}

async function show(viewing: Viewing, url: URL): Promise<Html> {
  const { world } = viewing;
  const [first = "", second, third, ...more] = partsOf(url.pathname);
  if (second === undefined) {
    switch (first) {
      case "":
        return homePage(viewing);
      case "authorizations":
        return authorizationsPage(viewing);
      case "deliveries":
        return deliveriesPage(viewing);
      case "faults":
        return faultsPage(viewing, world.faults);
      case "login":
        return loginPage(viewing, url.searchParams.get("user_code") ?? "");
      case "problems":
        return problemsPage(viewing);
    }
  }
  if (first === "apps" && third === undefined) return appPage(viewing, second ?? "");
  const repository = world.repository(`${first}/${second}`);
  const part = more.join("/");
  if (repository === null || (part !== "" && part !== "said"))
    throw new HttpRefusal(404, "There is nothing here.");
  if (third === undefined) return repositoryPage(viewing, repository);
  if (part === "said") return saidPart(viewing, repository, world.issue(repository, third));
  return threadPage(viewing, repository, world.issue(repository, third));
}

/** Its forms lead to the page it is a part of. */
function saidPart(viewing: Viewing, repository: Repository, issue: Issue): Html {
  return saidOn({ ...viewing, here: viewing.here.replace(/\/said$/, "") }, repository, issue);
}

async function change(world: World, path: string, form: URLSearchParams): Promise<string | null> {
  const [first = "", second, third] = partsOf(path);
  if (path === "/_/as") return ownPath(form.get("back"));
  if (second === undefined && WORKINGS.includes(first)) {
    changeWorkings(world, first, form);
    return null;
  }
  if (path === "/_/apps/new") return createApp(world, form);
  if (first === "apps" && second !== undefined && third === undefined) {
    installApp(world, second, form);
    return null;
  }
  const repository = world.repository(`${first}/${second}`);
  if (repository === null) throw new HttpRefusal(404, "There is nothing here.");
  const issue = third === undefined ? null : world.issue(repository, third);
  return changeRepository({ world, repository, issue }, form);
}

/** The parts after `/_/`; an address that cannot be read has none that anything is called. */
function partsOf(path: string): string[] {
  try {
    return path.slice("/_/".length).replace(/\/$/, "").split("/").map(decodeURIComponent);
  } catch {
    return ["?", "?"];
  }
}

/** The page behind an address as GitHub has it, so that links in comments lead somewhere; null for our own. */
function githubAddress({ pathname, search }: URL): string | null {
  if (pathname === "/login/device") return `/_/login${search}`;
  if (pathname === "/settings/apps/authorizations") return "/_/authorizations";
  const app = /^(?:\/organizations\/[\w.-]+)?(?:\/settings)?\/apps\/([\w.-]+)(?:\/installations\/new)?$/.exec(
    pathname,
  );
  if (app !== null) return `/_/apps/${app[1]}`;
  const match = /^\/(?!_\/)([\w.-]+\/[\w.-]+)(?:\/(?:issues|pull)\/(\d+))?(?:\/.*)?$/.exec(pathname);
  if (match === null) return pathname === "/" || pathname === "/_" ? "/_/" : null;
  return `/_/${match[1]}${match[2] === undefined ? "" : `/${match[2]}`}`;
}

function isOwnHost(host: string | undefined, url: string): boolean {
  const { port } = new URL(url);
  return ["127.0.0.1", "localhost", "[::1]"].some((name) => host === `${name}:${port}`);
}

/** Browsers always say where a form comes from; a command line does not, and nobody can trick it. */
function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  return origin === undefined || origin === `http://${host}`;
}

function ownPath(path: string | null): string {
  return path !== null && /^\/_\/[^\\]*$/.test(path) ? path : "/_/";
}

function cookie(header: string | undefined, name: string): string | null {
  const found = (header ?? "").split(/;\s*/).find((each) => each.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? null;
}

/** `leadsTo` is another server that its forms may lead to. */
function page(status: number, { text }: Html, leadsTo = ""): PageAnswer {
  return reply(status, "text/html", text, leadsTo);
}

function plain(status: number, text: string): PageAnswer {
  return reply(status, "text/plain", `${text}\n`);
}

function reply(status: number, type: string, body: string, leadsTo = ""): PageAnswer {
  const headers = {
    "content-type": `${type}; charset=utf-8`,
    "cache-control": "no-store",
    "content-security-policy": `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self' ${leadsTo}; base-uri 'none'; frame-ancestors 'none'`,
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
  };
  return { status, headers, body };
}

function redirect(location: string, as?: string): PageAnswer {
  const remember =
    as === undefined
      ? {}
      : { "set-cookie": `as=${encodeURIComponent(as)}; Path=/_/; HttpOnly; SameSite=Strict` };
  return { status: 303, headers: { location, ...remember }, body: "" };
}
