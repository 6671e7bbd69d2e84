import { type GuardSettings, readGuardSettings } from "../core/guard/guard-settings.js";
import type { GuardVerdict } from "../core/guard/guard-verdict.js";
import { namedFile } from "../core/guard/guarded-tools.js";
import { type HookCall, hookDenial, readHookCall } from "../core/guard/hook-call.js";
import { judgeCall } from "../core/guard/judge-call.js";
import { deniedCallWords } from "../core/replies/guard/denial-words.js";
import { noteDenial } from "./note-denial.js";
import { ownScript, realPath } from "./own-script.js";

/** Scripts that start scripts are followed so far. */
const ROUNDS = 4;

/** What the hook prints: a denial, or "" for whatever it has nothing against. */
export function answerToolHook(told: string, given: string): string {
  const settings = readGuardSettings(given);
  const call = readHookCall(told);
  if (settings === null || call === null)
    return hookDenial(deniedCallWords("unreadable-call", settings === null ? "settings" : "call"));
  const verdict = decide(call, settings);
  if (verdict.kind !== "deny") return "";
  noteDenial(settings.log, { tool: call.tool, code: verdict.code, what: verdict.what });
  return hookDenial(deniedCallWords(verdict.code, verdict.what));
}

function decide(call: HookCall, settings: GuardSettings): GuardVerdict {
  const file = namedFile(call);
  const real = file === null ? {} : { [file]: realPath(file, call.cwd) };
  let files: Readonly<Record<string, string | null>> = {};
  for (let round = 0; ; round += 1) {
    const verdict = judgeCall({ ...call, real }, { ...settings, cwd: call.cwd, files });
    if (verdict.kind !== "needs") return verdict;
    const texts = verdict.paths.map((path) => [path, round < ROUNDS ? ownScript(path, settings) : null]);
    files = { ...files, ...Object.fromEntries(texts) };
  }
}
