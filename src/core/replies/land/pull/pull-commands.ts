import { typed } from "../../typed.js";

/** How the reader of a refusal does what it asks for: with a comment on the pull request, or at a terminal. */
export interface PullCommands {
  /** The head is named where the reader has to have seen it. */
  readonly land: (head?: string) => string;
  readonly approve: (head?: string) => string;
  readonly close: string;
  /** Another command, which is the same for everybody. */
  readonly code: (command: string) => string;
  /** Who the base branch has to take a push from. */
  readonly pusher: string;
  /** Who gives koryph its settings there. */
  readonly operator: string;
  /** What lifts the protection of a path, with a comma behind it; empty where nothing does. */
  readonly lift: string;
  readonly key: { readonly need: string; readonly next: string };
}

const named = (command: string) => (head?: string) =>
  typed(head === undefined ? command : `${command} ${head.slice(0, 12)}`);

export const IN_COMMENTS: PullCommands = {
  land: named("/koryph land"),
  approve: named("/koryph approve"),
  close: typed("/koryph close"),
  code: typed,
  pusher: "koryph",
  operator: "whoever runs koryph serve",
  lift: "",
  key: {
    need: "a signing key in the environment of koryph serve: KORYPH_SIGNING_KEY_PATH",
    next: "give the server a key",
  },
};

/** What is approved and landed at a terminal is the head that is there then. */
export function atTerminal(pull: number): PullCommands {
  return {
    land: () => `koryph land ${pull}`,
    approve: () => `koryph review-pr ${pull} --approve`,
    close: `koryph review-pr ${pull} --close`,
    code: (command) => command,
    pusher: "you",
    operator: "you",
    lift: `look at it, then koryph land ${pull} --allow-protected, which lifts .github/ and Makefile; or `,
    key: { need: "a signing key of this project", next: "run koryph signing init" },
  };
}
