import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { AppChoices } from "../../core/setup/app-choices.js";

const COOKIE = "koryph_setup";
const SETUP_PATH = "/setup";

/**
 * Who may set up: the browser that opened the link first, for as long as it goes on.
 *
 * | what | is made | is good |
 * |---|---|---|
 * | link | at the start | once |
 * | cookie | for whoever opens the link, with the address of the pages | until the end |
 * | state | with each form for GitHub | for one code, until GitHub has taken or refused that |
 *
 * Each step puts the end off.
 *
 * Browsers send the cookies of one port to every other port of a machine. So the pages have an address that nobody can
 * guess, and their cookie goes nowhere else.
 */
export class SetupSession {
  readonly #link = secret();
  readonly #cookie = secret();
  /** For the link alone, whose opening may come twice from one browser: it opens what is typed before it is sent off. */
  readonly #linkCookie = secret();
  /** The form, and what lies below it. */
  readonly pagePath = `${SETUP_PATH}/${secret()}`;
  readonly #lifeMs: number;
  readonly #now: () => number;
  #linkUsed = false;
  /** By the hashes of states: what was chosen, and the code that came back, when one did. */
  readonly #sent = new Map<string, { readonly choices: AppChoices; code: string | null }>();
  #endsAt: number;

  constructor({ lifeMs, now }: { readonly lifeMs: number; readonly now: () => number }) {
    this.#lifeMs = lifeMs;
    this.#now = now;
    this.#endsAt = now() + lifeMs;
  }

  get linkPath(): string {
    return `${SETUP_PATH}/${this.#link}`;
  }

  get isOver(): boolean {
    return this.#now() >= this.#endsAt;
  }

  /** The cookies to set for whoever comes to this path first, none when they are set; null when it is not the link, or somebody else's by now. */
  open(path: string, cookies: string | undefined): readonly string[] | null {
    if (this.isOver || !same(path, this.linkPath)) return null;
    if (this.#linkUsed) return same(cookieIn(cookies), this.#linkCookie) ? [] : null;
    this.#linkUsed = true;
    this.#goOn();
    return [cookieAt(this.linkPath, this.#linkCookie), cookieAt(this.pagePath, this.#cookie)];
  }

  /** Whether these cookies are those of the browser that opened the link. */
  knows(cookies: string | undefined): boolean {
    if (this.isOver || !same(cookieIn(cookies), this.#cookie)) return false;
    this.#goOn();
    return true;
  }

  /** A state that goes to GitHub with these choices, and comes back with the code. */
  send(choices: AppChoices): string {
    const state = secret();
    this.#sent.set(hashOf(state).toString("hex"), { choices, code: null });
    return state;
  }

  /** What was sent with the state, which the first code that comes with it has from then on; null for another. */
  takes(state: string, code: string): AppChoices | null {
    const sent = this.#sent.get(hashOf(state).toString("hex"));
    if (sent === undefined) return null;
    sent.code ??= code;
    return same(code, sent.code) ? sent.choices : null;
  }

  /** The state is used up. */
  drop(state: string): void {
    this.#sent.delete(hashOf(state).toString("hex"));
  }

  #goOn(): void {
    this.#endsAt = this.#now() + this.#lifeMs;
  }
}

function cookieAt(path: string, value: string): string {
  // Lax: GitHub sends the browser back here, which comes from another site.
  return `${COOKIE}=${value}; Path=${path}; HttpOnly; SameSite=Lax`;
}

function cookieIn(cookies: string | undefined): string {
  const given = (cookies ?? "").split(/;\s*/).find((each) => each.startsWith(`${COOKIE}=`));
  return given?.slice(COOKIE.length + 1) ?? "";
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

/** Takes as long wherever they differ. */
function same(given: string, wanted: string): boolean {
  return timingSafeEqual(hashOf(given), hashOf(wanted));
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
