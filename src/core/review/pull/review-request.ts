/** What a command line of `review-pr` asks for. */
export interface ReviewFlags {
  readonly pull: number | null;
  readonly all: boolean;
  readonly comment: boolean;
  readonly commentOn: number;
  readonly resume: boolean;
  readonly approve: boolean;
  readonly close: boolean;
  readonly body: boolean;
}

/** Combinations of flags that make no sense. */
export type FlagClash =
  | "no-target"
  | "two-targets"
  | "all-with-action"
  | "two-actions"
  | "body-without-use"
  | "close-without-body"
  | "remarks-with-resume";

/** The first clash, or null where the flags go together. */
export function clashIn(flags: ReviewFlags): FlagClash | null {
  const { pull, all, comment, resume, approve, close, body } = flags;
  const remarks = flags.commentOn > 0;
  if (pull === null && !all) return "no-target";
  if (pull !== null && all) return "two-targets";
  if (all && (approve || close || resume || remarks)) return "all-with-action";
  if ((approve || close) && (comment || remarks || resume)) return "two-actions";
  if (approve && close) return "two-actions";
  if (body && !approve && !close) return "body-without-use";
  if (close && !body) return "close-without-body";
  return resume && remarks ? "remarks-with-resume" : null;
}

/** A comment of the operator's own on a line. */
export interface LineRemark {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** `path:line:message`; null for anything else. */
export function readRemark(text: string): LineRemark | null {
  const [, path, line = "0", message] = /^(.+?):(\d{1,9}):(.*\S.*)$/s.exec(text) ?? [];
  if (path === undefined || message === undefined || Number(line) < 1) return null;
  return { path, line: Number(line), message: message.trim() };
}

/** Why `--all` passes a pull request over. */
export type PullSkip = "draft" | "own";

/** Null for one that is to be analysed. */
export function skipOf(
  { draft, author }: { readonly draft: boolean; readonly author: { readonly login: string } },
  viewer: string,
): PullSkip | null {
  if (draft) return "draft";
  return isSameLogin(author.login, viewer) ? "own" : null;
}

/** GitHub takes logins in any case. */
export function isSameLogin(login: string, other: string): boolean {
  return login.toLowerCase() === other.toLowerCase();
}
