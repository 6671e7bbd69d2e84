import { randomUUID } from "node:crypto";
import { mkdir, stat } from "node:fs/promises";
import { findPlaces } from "../../core/land/find-places.js";
import { gateNote } from "../../core/replies/land/gate.js";
import type { FinalAnswer, Gate, GateAnswer, GateRequest } from "../../ports/gate.js";
import { removeFolder } from "../files/remove-folder.js";
import { endGate } from "./end-gate.js";
import { standingCheckout } from "./gate-checkout.js";
import { GateFiles, type GateRecord } from "./gate-files.js";
import { type Check, checkoutName, type GateParts, type Red, runTry, TRIES } from "./gate-try.js";
import { listFiles } from "./list-files.js";
import { keptOutput, readOutput } from "./read-output.js";

/** Whoever kills its own supervisor would otherwise be checked for ever. */
const MOST_LOST = 2;

/**
 * Runs a project's commands as supervised processes. All it knows is in the request's folder, so it can die at any
 * moment and be asked again: what has ended is not run again, what runs is waited for.
 */
export class ProcessGate implements Pick<Gate, "run"> {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  async run(request: GateRequest): Promise<GateAnswer> {
    const files = new GateFiles(request);
    const record = await openRecord(this.#parts, request, files);
    const check: Check = { parts: this.#parts, request, files, record };
    const known = files.answer();
    if (known === null) return runCheck(check);
    // The last thing an interrupted life may have left undone. By now the checkout may be another check's.
    const standing = await Promise.all(TRIES.map((number) => standingCheckout(files, number)));
    if (standing.some((checkout) => checkout !== null)) await tidy(check);
    return known;
  }
}

/** The record of this very check, or a new one in a cleared folder. */
async function openRecord(parts: GateParts, request: GateRequest, files: GateFiles): Promise<GateRecord> {
  const found = files.record();
  if (found !== null && !found.stopping && isSame(found, request)) return found;
  const record: GateRecord = {
    head: request.head,
    commands: request.commands,
    marker: `gate/${request.bead}/${randomUUID()}`,
    startedAt: (parts.now ?? Date.now)(),
    lost: 0,
    stopping: false,
  };
  await endGate(parts.processes, files.folder);
  await removeFolder(files.folder);
  await mkdir(files.folder, { recursive: true, mode: 0o700 });
  await files.writeRecord(record);
  return record;
}

async function runCheck(first: Check): Promise<GateAnswer> {
  const { files } = first;
  let check = first;
  // The folder of the second try is made when the first one is over and nothing of it lives.
  let number: number = (await isThere(files.tryFolder(2))) ? 2 : 1;
  for (;;) {
    let end = await runTry(check, number);
    if (end.kind === "lost") {
      if (check.record.lost < MOST_LOST) {
        check = { ...check, record: { ...check.record, lost: check.record.lost + 1 } };
        await files.writeRecord(check.record);
        await removeFolder(files.tryFolder(number));
        continue;
      }
      end = { kind: "red", index: end.index, code: null, note: gateNote.lost() };
    }
    if (end.kind === "red" && number < TRIES.length) {
      await removeFolder(files.home(number));
      number += 1;
      continue;
    }
    const answer = end.kind === "red" ? await redAnswer(check, number, end) : end;
    if (answer.kind !== "stopped") await files.writeAnswer(answer);
    await tidy(check);
    return answer;
  }
}

async function redAnswer({ request, files }: Check, number: number, end: Red): Promise<FinalAnswer> {
  const output = await readOutput(files.commandFolder(number, end.index));
  const checkout = await standingCheckout(files, number);
  const knownFiles = checkout === null ? null : await listFiles(checkout.path);
  return {
    kind: "red",
    command: request.commands[end.index] ?? "",
    code: end.code,
    output: keptOutput(output, end.note),
    places: findPlaces(output, {
      roots: checkout === null ? [] : [checkout.path, checkout.realPath],
      ...(knownFiles === null ? {} : { knownFiles }),
    }),
  };
}

/** The processes' own files stay, for whoever wants to read all of the output. */
async function tidy({ parts, request, files }: Check): Promise<void> {
  for (const number of TRIES) await removeFolder(files.home(number));
  await parts.dropCheckout(checkoutName(request));
}

function isSame(record: GateRecord, request: GateRequest): boolean {
  return record.head === request.head && JSON.stringify(record.commands) === JSON.stringify(request.commands);
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
