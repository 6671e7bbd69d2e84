import { plainText } from "../../lib/plain-text.js";
import { type EndJudgement, shortDetail } from "./judge-end.js";

const INPUT_CHARACTERS = 200;
/** An agent that runs into a rule again and again must not fill the ledger. */
export const DENIALS_KEPT = 50;

/** `Bash(git push)`. `pathField` is what the program calls the path of a file among a tool's inputs. */
export function deniedCall(tool: string, input: unknown, pathField: string): string {
  if (typeof input !== "object" || input === null) return tool;
  const { command, [pathField]: path } = input as Readonly<Record<string, unknown>>;
  const text = plainText(String(command ?? path ?? JSON.stringify(input)));
  return `${tool}(${text.length > INPUT_CHARACTERS ? `${text.slice(0, INPUT_CHARACTERS)}…` : text})`;
}

/** The end of an agent that met no failure. Where every call was denied there is nothing it can have done. */
export function judgeDenials(denials: readonly string[], toolsDone: number): EndJudgement {
  if (denials.length === 0) return { kind: "completed", detail: "" };
  const denied = `denied: ${denials.join("; ")}`;
  if (toolsDone > 0) return { kind: "completed", detail: shortDetail(denied) };
  return { kind: "incomplete", detail: shortDetail(`every tool call was ${denied}`) };
}
