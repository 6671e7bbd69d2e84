import { createHash } from "node:crypto";
import type { KeptApp } from "../../core/config/kept-app.js";
import { setupPages } from "../../core/replies/app/setup/setup-pages.js";
import { SETUP_STYLE } from "../../core/replies/app/setup/setup-style.js";
import { settingsPage, setupTrouble } from "../../core/replies/app/setup/setup-words.js";
import { type AppChoices, readChoices, type SentChoices } from "../../core/setup/app-choices.js";
import { appManifest } from "../../core/setup/app-manifest.js";
import type { Html } from "../../lib/markup/html.js";
import type { Advice } from "../../lib/user-error.js";
import type { ServerAnswer } from "../http/server-answer.js";
import type { SetupSession } from "./setup-session.js";

export interface SetupRequest {
  readonly method: string;
  readonly url: URL;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly cookies: string | undefined;
  /** A form's fields, as sent. */
  readonly body: string;
}

/** What becomes of a code. `again`: the same code can be tried again. `end`: nothing is left to do here. */
export type Conversion =
  | { readonly kind: "app"; readonly app: KeptApp; readonly folder: string }
  | { readonly kind: "refused" }
  | { readonly kind: "again"; readonly advice: Advice }
  | { readonly kind: "end"; readonly advice: Advice };

export interface SetupParts {
  readonly session: SetupSession;
  /** Where this server is reached, without a slash at the end. */
  readonly url: string;
  readonly serverUrl: string;
  /** The KORYPH_HOME that was set; null where it is the usual one. */
  readonly home: string | null;
  /** What the form has in it at first. */
  readonly firstChoices: SentChoices;
  /** Exchanges the code, and keeps what it gets before anything else. */
  readonly convert: (code: string, choices: AppChoices) => Promise<Conversion>;
}

const STYLE_HASH = createHash("sha256").update(SETUP_STYLE).digest("base64");

/** The pages of the set-up, for one browser. */
export class SetupAnswers {
  readonly #parts: SetupParts;
  #choices: SentChoices;
  /** A code is exchanged right now. */
  #busy = false;

  constructor(parts: SetupParts) {
    this.#parts = parts;
    this.#choices = parts.firstChoices;
  }

  async answer(request: SetupRequest): Promise<ServerAnswer> {
    const { session, url } = this.#parts;
    const path = request.url.pathname;
    // A name of somebody else's can lead to this machine, and a browser would then take us for their server.
    if (request.host !== new URL(url).host) return this.#refuse(403, setupTrouble.otherHost(url));
    // Browsers ask for it by themselves.
    if (path === "/favicon.ico") return { status: 204, headers: {}, body: "" };
    const cookies = request.method === "GET" ? session.open(path, request.cookies) : null;
    if (cookies !== null) return this.#go(cookies);
    if (path === session.linkPath) return this.#refuse(403, setupTrouble.linkUsed());
    if (!session.knows(request.cookies)) return this.#refuse(403, setupTrouble.noSession());
    if (path === session.pagePath && request.method === "GET") return this.#form([]);
    if (path === session.pagePath && request.method === "POST") {
      if (request.origin !== url) return this.#refuse(403, setupTrouble.otherOrigin());
      return this.#send(new URLSearchParams(request.body));
    }
    if (path === this.#createdPath && request.method === "GET")
      return this.#created(request.url.searchParams);
    return this.#refuse(404, setupTrouble.nothingHere());
  }

  get #createdPath(): string {
    return `${this.#parts.session.pagePath}/created`;
  }

  #go(cookies: readonly string[]): ServerAnswer {
    const more = cookies.length === 0 ? {} : { "set-cookie": cookies };
    return {
      status: 303,
      headers: { ...this.#headers(), location: this.#parts.session.pagePath, ...more },
      body: "",
    };
  }

  #form(problems: Parameters<typeof setupPages.form>[0]["problems"]): ServerAnswer {
    const { session, serverUrl } = this.#parts;
    const page = setupPages.form({ sent: this.#choices, problems, serverUrl, action: session.pagePath });
    return this.#page(problems.length === 0 ? 200 : 422, page);
  }

  #send(form: URLSearchParams): ServerAnswer {
    const { session, serverUrl, url } = this.#parts;
    this.#choices = readSent(form);
    const reading = readChoices(this.#choices, serverUrl);
    if (reading.kind === "wrong") return this.#form(reading.problems);
    const { choices } = reading;
    const whose = choices.organisation === null ? "" : `/organizations/${choices.organisation}`;
    const target = `${serverUrl}${whose}/settings/apps/new?state=${session.send(choices)}`;
    const manifest = JSON.stringify({ ...appManifest(choices), redirect_url: `${url}${this.#createdPath}` });
    return this.#page(200, setupPages.send({ choices, serverUrl, target, manifest, back: session.pagePath }));
  }

  async #created(query: URLSearchParams): Promise<ServerAnswer> {
    const { session, convert, serverUrl } = this.#parts;
    const code = query.get("code") ?? "";
    const state = query.get("state") ?? "";
    const choices = /^[\w-]{1,200}$/.test(code) ? session.takes(state, code) : null;
    if (choices === null) return this.#refuse(403, setupTrouble.wrongState());
    const { organisation } = choices;
    if (this.#busy) return this.#refuse(409, setupTrouble.busy());
    this.#busy = true;
    try {
      const result = await convert(code, choices);
      // What could not be asked can be asked again; everything else uses the code up.
      if (result.kind === "again") return this.#refuse(502, result.advice);
      session.drop(state);
      switch (result.kind) {
        case "app":
          return this.#page(200, setupPages.done({ ...result, home: this.#parts.home }));
        case "refused":
          return this.#refuse(
            422,
            setupTrouble.codeRefused(settingsPage({ server_url: serverUrl, organisation, slug: null })),
            session.pagePath,
          );
        case "end":
          return this.#refuse(500, result.advice);
      }
    } finally {
      this.#busy = false;
    }
  }

  #refuse(status: number, advice: Advice, back: string | null = null): ServerAnswer {
    return this.#page(status, setupPages.trouble(advice, back));
  }

  #page(status: number, { text }: Html): ServerAnswer {
    return {
      status,
      headers: { ...this.#headers(), "content-type": "text/html; charset=utf-8" },
      body: text,
    };
  }

  #headers(): Record<string, string> {
    const { serverUrl } = this.#parts;
    const policy = [
      "default-src 'none'",
      `style-src 'sha256-${STYLE_HASH}'`,
      `form-action 'self' ${new URL(serverUrl).origin}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ];
    return {
      "content-security-policy": policy.join("; "),
      // No path of this server leaves it. Its origin does: without it, GitHub would see a form from nowhere.
      "referrer-policy": "strict-origin",
      "cross-origin-opener-policy": "same-origin",
      "x-content-type-options": "nosniff",
    };
  }
}

function readSent(form: URLSearchParams): SentChoices {
  const field = (name: string) => form.get(name) ?? "";
  return {
    name: field("name"),
    owner: field("owner") === "organisation" ? "organisation" : "person",
    organisation: field("organisation"),
    reach: field("reach") === "smee" ? "smee" : "address",
    address: field("address"),
    channel: field("channel"),
  };
}
