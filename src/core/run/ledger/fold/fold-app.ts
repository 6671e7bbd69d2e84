import type { LedgerEvent } from "../ledger-event.js";
import type { AppRecord, LedgerState, TakenComment } from "../ledger-state.js";

type AppEvent = Extract<LedgerEvent, { type: `app.${string}` }>;

/** More than the caps let through in the three days for which comments are looked for again. */
const MOST_COMMENTS = 1_000;
const MOST_KEPT = 400;

/** Moves what workflow runs remember of comments, in place. */
export function foldApp(state: LedgerState, event: AppEvent): void {
  const { app } = state;
  switch (event.type) {
    case "app.began":
      state.app = { ...app, since: app.since ?? timeIn(event.at) };
      return;
    case "app.took":
      state.app = take(app, event);
      return;
    case "app.kept": {
      const { key, place } = event.data;
      const others = app.kept.filter((each) => each.key !== key || each.place !== place);
      state.app = { ...app, kept: [...others, event.data].slice(-MOST_KEPT) };
      return;
    }
    case "app.answered": {
      const { comment, ...answer } = event.data;
      const comments = app.comments.map((each) =>
        each.comment === comment ? { ...each, answer: { ...answer } } : each,
      );
      // What was decided of its commands is for whoever has to go on with them.
      const kept = app.kept.filter(({ key, place }) => key !== comment || place < 0);
      state.app = { ...app, comments, kept };
    }
  }
}

/** Where it was taken before, whoever takes it now goes on with it. What was answered stays so. */
function take(app: AppRecord, { at, data }: Extract<AppEvent, { type: "app.took" }>): AppRecord {
  const known = app.comments.find(({ comment }) => comment === data.comment);
  if (known !== undefined) {
    if (known.answer !== null) return app;
    const again: TakenComment = { ...known, run: data.run, attempt: data.attempt, again: true, takenAt: at };
    return { ...app, comments: app.comments.map((each) => (each === known ? again : each)) };
  }
  const taken: TakenComment = { ...data, at, takenAt: at, again: false, answer: null };
  const comments = [...app.comments, taken];
  const gone = comments.slice(0, Math.max(0, comments.length - MOST_COMMENTS));
  const forgotten = gone.reduce((time, { at }) => later(time, timeIn(at)), app.forgotten);
  return { ...app, forgotten, comments: comments.slice(-MOST_COMMENTS) };
}

/** Null for what is none: whoever can push can write any word there. */
function timeIn(at: string): string | null {
  return Number.isNaN(Date.parse(at)) ? null : at;
}

function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return Date.parse(other) > Date.parse(one) ? other : one;
}
