const MINE = { status: "in_progress", assignee: "me" };
const YOURS = { status: "in_progress", assignee: "you" };
const BLOCKED = { status: "blocked" };
const CLOSED = { status: "closed" };

/** What bd and a work file answer alike to a claim of `me`'s, and what the bead is like then. */
export const CLAIMS: readonly {
  readonly name: string;
  readonly bead: object;
  readonly answer: string;
  readonly after: object;
}[] = [
  { name: "an open bead goes to whoever asks", bead: { status: "open" }, answer: "claimed", after: MINE },
  { name: "what one has already stays one's own", bead: MINE, answer: "claimed", after: MINE },
  { name: "what somebody else has is taken", bead: YOURS, answer: "taken", after: YOURS },
  { name: "a blocked bead is taken", bead: BLOCKED, answer: "taken", after: BLOCKED },
  { name: "a closed bead is gone", bead: CLOSED, answer: "gone", after: CLOSED },
];
