import type { Person } from "./count-approvals.js";

/** The address that GitHub gives every account, whatever host it is on: `12+ann@users.noreply.github.com`. */
const ACCOUNT = /^(\d{1,15})\+([\w-]+(?:\[bot\])?)@users\.noreply\.[\w.-]+$/i;
const TRAILER = /^co-authored-by:[ \t]*(.*?)[ \t]*<([^<>\s]+)>[ \t]*$/gim;

interface CoAuthor {
  readonly name: string;
  readonly email: string;
}

/** Whom a commit message names as authors beside its own. */
export function coAuthorsIn(message: string): readonly CoAuthor[] {
  return [...message.matchAll(TRAILER)].map(([, name = "", email = ""]) => ({ name, email }));
}

/** Those of them that have an account on GitHub, as far as their addresses tell. */
export function coAuthorAccounts(message: string): readonly Person[] {
  return coAuthorsIn(message).flatMap(({ email }) => {
    const [, id, login] = ACCOUNT.exec(email) ?? [];
    return login === undefined ? [] : [{ id: Number(id), login }];
  });
}

/** The address of an account; `host` is where people find it. */
export function accountEmail({ id, login }: Person, host: string): string {
  return `${id}+${login}@users.noreply.${host.replace(/:\d+$/, "")}`;
}
