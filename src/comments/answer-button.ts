import { decideRate, RATE_WINDOW_MS } from "../core/commands/rate.js";
import { includesRole } from "../core/commands/roles.js";
import { VERBS } from "../core/commands/verbs.js";
import { verbsUsed } from "../core/commands/verbs-used.js";
import { decideControl } from "../core/control/decide-control.js";
import type { RunRequest } from "../core/control/request-outcome.js";
import { type ButtonName, isButton, RUN_BUTTONS, runOfCheck } from "../core/control/run-buttons.js";
import type { ButtonJob } from "../core/model/button-job.js";
import { buttonWords } from "../core/replies/app/buttons.js";
import { commentRefusals } from "../core/replies/commands/comment-refusals.js";
import { refusalWords } from "../core/replies/control/control-sentences.js";
import { TERMINAL_STYLE } from "../core/replies/control/style.js";
import { answerLine, shownButtons } from "../core/replies/report/answer-line.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import { ulid } from "../lib/ulid.js";
import type { PressedCheck, PressedChecks } from "../ports/check-runs.js";
import type { CommentMemory } from "../ports/comment-memory.js";
import type { Threads } from "../ports/threads.js";
import { TryLater } from "../ports/try-later.js";
import type { CommandParts, OpenedProject, UsableProject } from "./command-parts.js";
import { hex } from "./signed-event.js";

export interface ButtonParts extends Pick<CommandParts, "digest" | "now" | "onAppended"> {
  readonly checks: PressedChecks;
  readonly threads: Pick<Threads, "role">;
  readonly memory: CommentMemory;
  readonly open: () => Promise<OpenedProject>;
  /** Our own App. */
  readonly app: number;
}

/** A press as GitHub has it on record. */
export interface Press extends ButtonJob {
  readonly guid: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What a press came to, for the log. */
export type PressAnswer =
  | "done"
  | "already"
  | "refused"
  /** It is no press of a person on a check run of ours, or one of too many. */
  | "ignored"
  | "repeated";

/** What is kept before anything is written, so that whoever goes on after a crash does the same. */
interface Decided {
  readonly events: readonly NewEvent[];
  readonly answered: "done" | "already" | "refused";
  readonly line: string;
}

const UNKNOWN_RUN_MS = 10_000;

/**
 * Does what a button asks for, once: the GUID of the delivery names it for good. The answer is shown on the check run,
 * by whoever runs the run, from the ledger; where the run is over, here.
 */
export async function answerButton(parts: ButtonParts, press: Press): Promise<PressAnswer> {
  const { memory, now, checks, app } = parts;
  const { guid, button, by } = press;
  const key = `press ${guid}`;
  if (await memory.handled(key)) return "repeated";
  const check = await checks.read(press.check);
  const run = check === null || check.app !== app ? null : runOfCheck(check.externalId);
  if (check === null || run === null || !isButton(button) || by.type !== "User") return "ignored";
  if (!(await mayPress(parts, press, key))) return "ignored";
  const opened = await parts.open();
  if (opened.kind === "refuse") return "ignored";
  const known = await memory.decided(key, 0);
  const decided =
    known === null
      ? await decide(parts, press, { check, run, button, opened })
      : (JSON.parse(known) as Decided);
  if (known === null) await memory.decide(key, 0, JSON.stringify(decided), now());
  if (decided.events.length > 0) {
    await opened.ledger.observe(decided.events);
    await opened.ledger.share("now");
    parts.onAppended();
  }
  // While the run goes on its engine writes the check run, from the ledger.
  if (check.ended)
    await checks.answer(
      press.check,
      decided.line,
      shownButtons(decided.answered === "refused" ? [button] : []),
    );
  await memory.markHandled(key, now());
  return decided.answered;
}

/** Whoever presses often is left alone, as with comments. */
async function mayPress({ memory, now }: ButtonParts, press: Press, key: string): Promise<boolean> {
  const { repository, by, check } = press;
  const uses = await memory.uses(repository.fullName, by.login, check, now() - RATE_WINDOW_MS);
  if (uses.some(({ comment }) => comment === key)) return true;
  const use = { comment: key, repository: repository.fullName, user: by.login, thread: check, at: now() };
  if (decideRate(uses, use).kind === "capped") return false;
  await memory.use({ ...use, refused: false });
  return true;
}

interface Pressed {
  readonly check: PressedCheck;
  readonly run: string;
  readonly button: ButtonName;
  readonly opened: UsableProject;
}

async function decide(parts: ButtonParts, press: Press, pressed: Pressed): Promise<Decided> {
  const { check, run, button, opened } = pressed;
  const { now } = parts;
  const { command } = RUN_BUTTONS[button];
  const named = {
    verb: command.verb,
    bead: null,
    actor: `@${press.by.login}`,
    at: new Date(press.at).toISOString(),
  };
  const lineOf = (came: RunRequest["came"]) => answerLine({ ...named, came }, now());
  const refused = (code: string, said: string): Decided => ({
    // A check run that has ended is answered here; the ledger is for those whose engine writes them.
    events: check.ended
      ? []
      : sign(parts, press, check, [{ type: "control.refused", data: { run, verb: button, code, said } }]),
    answered: "refused",
    line: lineOf({ kind: "refused", code, said }),
  });

  const role = await parts.threads.role(press.by.login);
  for (const verb of verbsUsed({ ...command, dryRun: false })) {
    const { needs } = VERBS[verb];
    if (!includesRole(role, needs)) {
      const { code, said } = commentRefusals.notPermitted(verb, needs, role);
      return refused(code, said);
    }
  }
  const { state } = await opened.ledger.refresh();
  // An engine shares that its run has begun with its next push, and shows it before.
  if (state.run?.id !== run && check.startedAt > Date.parse(state.run?.startedAt ?? "1970-01-01"))
    throw new TryLater(buttonWords.unknownRun(run), now() + UNKNOWN_RUN_MS);
  const decision = decideControl(command, {
    ...{ state, run, now: now(), asked: press.at, own: null, tracked: "unasked" },
    ceiling: opened.config.max_concurrent_slots,
  });
  switch (decision.kind) {
    case "refuse":
      return refused(decision.refusal.code, refusalWords(decision.refusal, TERMINAL_STYLE).said);
    case "already":
      return { events: [], answered: "already", line: lineOf({ kind: "unheard" }) };
    case "append": {
      const events = sign(parts, press, check, decision.events);
      return { events, answered: "done", line: lineOf({ kind: "unheard" }) };
    }
  }
}

/** In the name of whoever pressed. What vouches for it is the delivery, which GitHub keeps and shows the App again. */
function sign(
  { digest }: ButtonParts,
  press: Press,
  check: PressedCheck,
  events: readonly NewEvent[],
): NewEvent[] {
  const { guid, by, at, button } = press;
  const evidence = {
    ...{ url: check.url, source: `delivery ${guid}`, body_sha256: hex(digest(button)) },
    ...{ login: by.login, user_id: by.id },
  };
  return events.map((event, index) => ({
    ...event,
    ...{ id: ulid(at, digest(`press ${guid} ${index}`)), actor: `@${by.login}`, evidence },
  }));
}
