/** Everything that agents may not do, in the order in which the documentation tells of it. */
export const GUARD_CODES = [
  "push",
  "default-branch",
  "merge-pull",
  "close-bead",
  "github-write",
  "engine-command",
  "token",
  "credentials",
  "agent-socket",
  "git-settings",
  "enforcement",
  "outside",
  "engine-files",
  "other-processes",
  "unreadable-call",
] as const;
export type GuardCode = (typeof GUARD_CODES)[number];

/** Why the guard cannot tell; the sandbox holds what comes of it. */
export type GuardDoubt =
  | "unknown-program"
  | "other-language"
  | "unknown-words"
  | "unknown-folder"
  | "broken-text"
  | "too-deep"
  | "unread-script"
  | "wide-read"
  | "network";

/** One thing that was noticed about a call. Whatever is not noticed is allowed. */
export type GuardFinding =
  | { readonly kind: "deny"; readonly code: GuardCode; readonly what: string }
  | { readonly kind: "undecided"; readonly why: GuardDoubt }
  /** A script whose text decides. */
  | { readonly kind: "needs"; readonly path: string };

export type GuardVerdict =
  | { readonly kind: "allow" }
  | { readonly kind: "deny"; readonly code: GuardCode; readonly what: string }
  | { readonly kind: "undecided"; readonly why: GuardDoubt }
  | { readonly kind: "needs"; readonly paths: readonly string[] };

const WHAT_LETTERS = 120;

export function denied(code: GuardCode, what: string): GuardFinding[] {
  // Markers of what is not known are shown as the three dots that people write.
  const shown = what
    .replace(/[\0-\u0008]+/g, "…")
    .replace(/\s+/g, " ")
    .trim();
  return [
    { kind: "deny", code, what: shown.length > WHAT_LETTERS ? `${shown.slice(0, WHAT_LETTERS)}…` : shown },
  ];
}

export function undecided(why: GuardDoubt): GuardFinding[] {
  return [{ kind: "undecided", why }];
}

/** The first denial counts, then scripts that are still to be read, then the first doubt. */
export function verdictOf(findings: readonly GuardFinding[]): GuardVerdict {
  const denial = findings.find((each) => each.kind === "deny");
  if (denial) return denial;
  const paths = findings.flatMap((each) => (each.kind === "needs" ? [each.path] : []));
  if (paths.length > 0) return { kind: "needs", paths: [...new Set(paths)] };
  return findings.find((each) => each.kind === "undecided") ?? { kind: "allow" };
}
