import { type Html, html } from "../../lib/markup/html.js";
import { HttpRefusal } from "../http/route.js";
import { fullName } from "../render/repository.js";
import { type AppManifest, createFromManifest, readManifest } from "../world/app-manifests.js";
import type { World } from "../world/world.js";
import { install } from "../world/world-apps.js";
import { emptyNote, hidden, hiddenFields, layout, peopleSelect, type Viewing } from "./layout.js";

/** Where a manifest is sent to: as oneself, or for an organisation. Null for any other address. */
export function newAppAddress(path: string): { readonly organisation: string | null } | null {
  const match = /^(?:\/organizations\/([\w.-]+))?\/settings\/apps\/new$/.exec(path);
  return match === null ? null : { organisation: match[1] ?? null };
}

export interface SentManifest {
  readonly text: string;
  /** Goes back with the code as it came. */
  readonly state: string;
  readonly organisation: string | null;
}

interface NewAppPage {
  readonly page: Html;
  /** Where its form may lead besides this server: browsers ask that also of where an answer sends them. */
  readonly leadsTo: string;
}

/** What GitHub shows to whoever comes with a manifest. Nothing is made before they say so. */
export function newAppPage(viewing: Viewing, { text, state, organisation }: SentManifest): NewAppPage {
  const { name, url, webhookUrl, redirectUrl, permissions, events } = readManifest(text);
  if (organisation !== null && viewing.world.user(organisation)?.type !== "Organization")
    throw new HttpRefusal(404, "There is no organisation of that name.");
  const facts = [
    ["homepage", url],
    ["webhooks to", webhookUrl ?? "nowhere"],
    ["permissions", permissionsText(permissions)],
    ["events", events.join(", ")],
  ];
  const page = layout(
    viewing,
    "new App",
    html`<h1>Create GitHub App ${organisation === null ? null : html`for ${organisation}`}</h1>
<dl>${facts.map(([term, value]) => html`<dt>${term ?? ""}</dt><dd>${value ?? ""}</dd>`)}</dl>
<form class="wide" method="post" action="/_/apps/new">
${hiddenFields({ manifest: text, state, organisation: organisation ?? "" })}
<label>name <input type="text" name="name" value="${name}" required maxlength="34"></label>
<div class="row"><button class="main">Create GitHub App</button> as ${peopleSelect(viewing.world, viewing.as)}</div></form>`,
  );
  return { page, leadsTo: new URL(redirectUrl).origin };
}

/** Makes the App. Returns where the browser goes with the code. */
export async function createApp(world: World, form: URLSearchParams): Promise<string> {
  const manifest = readManifest(form.get("manifest") ?? "");
  const person = form.get("as") ?? "";
  const organisation = form.get("organisation") ?? "";
  if (organisation !== "" && !world.user(organisation)?.owners?.includes(person))
    throw new HttpRefusal(403, `${person} does not own ${organisation}.`);
  const named = { owner: organisation || person, name: (form.get("name") ?? "").trim() };
  const code = await createFromManifest(world, manifest, named);
  return returnAddress(manifest, code, form.get("state") ?? "");
}

/** The App, and where it can be installed. */
export function appPage(viewing: Viewing, slug: string): Html {
  const { apps, repositories } = viewing.world.state;
  const app = apps.find((each) => each.slug === slug);
  if (app === undefined) throw new HttpRefusal(404, "There is nothing here.");
  const installed = app.installations.flatMap((each) => each.repositories);
  const others = repositories.map(fullName).filter((name) => !installed.includes(name));
  return layout(
    viewing,
    app.name,
    html`<h1>${app.name} <span class="faint">App ${app.id}</span></h1>
<dl><dt>owner</dt><dd>${app.owner}</dd><dt>client id</dt><dd><code>${app.clientId}</code></dd>
<dt>webhooks to</dt><dd>${app.webhookUrl ?? "nowhere"}</dd>
<dt>permissions</dt><dd>${permissionsText(app.permissions)}</dd><dt>events</dt><dd>${app.events.join(", ")}</dd></dl>
<h2>Installed on</h2>${installed.length === 0 ? emptyNote("Nothing yet.") : html`<p>${installed.join(", ")}</p>`}
${
  others.length > 0 &&
  html`<form class="row" method="post" action="/_/apps/${slug}">${hidden(viewing, { do: "install" })}
<select name="repository" aria-label="repository">${others.map((name) => html`<option>${name}</option>`)}</select>
<button class="main">Install</button></form>`
}`,
  );
}

export function installApp(world: World, slug: string, form: URLSearchParams): void {
  const app = world.state.apps.find((each) => each.slug === slug);
  const repository = world.repository(form.get("repository") ?? "");
  if (app === undefined || repository === null)
    throw new HttpRefusal(404, "There is no such App, or no such repository.");
  if (world.role(repository, form.get("as") ?? "") !== "admin")
    throw new HttpRefusal(403, "Whoever administers the repository may install Apps on it.");
  install(world, app.id, [fullName(repository)]);
}

function returnAddress({ redirectUrl }: AppManifest, code: string, state: string): string {
  const address = new URL(redirectUrl);
  address.searchParams.set("code", code);
  if (state !== "") address.searchParams.set("state", state);
  return address.href;
}

function permissionsText(permissions: AppManifest["permissions"]): string {
  return Object.entries(permissions)
    .map(([name, level]) => `${name}: ${level}`)
    .join(", ");
}
