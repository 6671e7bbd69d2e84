import { execFileSync } from "node:child_process";
import { fold } from "../../src/core/run/ledger/fold/fold.js";
import type { LedgerEvent } from "../../src/core/run/ledger/ledger-event.js";
import { emptyState, type LedgerState, REDUCER_VERSION } from "../../src/core/run/ledger/ledger-state.js";
import { dispatching } from "../support/core/ledgers.js";

const BEADS = 250;
const at = "2023-11-14T22:13:20.000Z";

/** The events of slots that come and go, four each, in the proportions of a real run. */
function slotEvent(index: number): LedgerEvent {
  const attempt = Math.floor(index / 4 / BEADS) + 1;
  const id = `01HF7YAT00${index
    .toString(32)
    .toUpperCase()
    .replace(/[ILOU]/g, "Z")
    .padStart(8, "0")}${idTail(index)}`;
  const envelope = { id, at, actor: "bench", run: "run-1", bead: `b-${Math.floor(index / 4) % BEADS}` };
  switch (index % 4) {
    case 0:
      return {
        ...envelope,
        type: "slot.dispatching",
        data: {
          ...dispatching,
          attempt,
          title: "A bead with a title as long as they usually are",
          resources: [],
        },
      };
    case 1:
      return {
        ...envelope,
        type: "slot.started",
        data: { attempt, process: { pid: index, start: "1", boot: "b" } },
      };
    case 2:
      return {
        ...envelope,
        type: "slot.ended",
        data: {
          attempt,
          outcome: "done",
          detail: "",
          session: "s",
          usage: { cost_usd: 0.25, cost_known: true },
          commits: 1,
          head: "0123456789",
        },
      };
    default:
      return {
        ...envelope,
        type: "slot.finished",
        data: { status: "merge-pending", head: "0123456789", commits: 1, note: "" },
      };
  }
}

/** Letters that the part before lost to the alphabet are told apart here. */
function idTail(index: number): string {
  return String(index).padStart(8, "0");
}

function importChain(gitDir: string, ref: string, messages: Iterable<string>): string {
  const parts: string[] = [];
  for (const message of messages) {
    parts.push(`commit ${ref}\ncommitter koryph <koryph@localhost> 1700000000 +0000\n`);
    parts.push(`data ${Buffer.byteLength(message)}\n${message}\n`);
  }
  const git = (args: string[], input = "") =>
    execFileSync("git", args, { cwd: gitDir, input, encoding: "utf8", maxBuffer: 2 ** 28 }).trim();
  git(["fast-import", "--quiet", "--depth=0"], parts.join(""));
  return git(["rev-parse", ref]);
}

/** Fills a bare repository with `events`, one commit each, rolled every `chainLength`. */
export function importLedger(gitDir: string, ref: string, events: number, chainLength: number): void {
  const state: LedgerState = emptyState();
  let previous = "";
  for (let first = 0; first < events; first += chainLength) {
    const number = first / chainLength + 1;
    const last = first + chainLength >= events;
    const root = number === 1 ? [] : [rollMessage(number, previous, state)];
    const messages = Array.from({ length: Math.min(chainLength, events - first) }, (_, index) => {
      const event = slotEvent(first + index);
      fold(state, { kind: "event", event });
      return `${event.type} ${event.bead}\n\n${JSON.stringify(event)}\n`;
    });
    previous = importChain(gitDir, last ? ref : `${ref}-${number}`, [...root, ...messages]);
  }
}

function rollMessage(number: number, previous: string, state: LedgerState): string {
  const id = `01HF7YAT00ZZZZZZZZ${String(number).padStart(8, "0")}`;
  const data = { number, previous, reducer: REDUCER_VERSION, state, purge: null };
  const event = { id, at, actor: "bench", type: "ledger.rolled", critical: true, data };
  return `ledger.rolled ${number}\n\n${JSON.stringify(event)}\n`;
}
