import { z } from "zod";
import type { AgentEvent, Outcome, ProcessEnd, StreamParser } from "../agent-outcome.js";
import { type EndJudgement, judgeOutsideEnd, lastLine, shortDetail, tailOf } from "../judge-end.js";

const MOST_USD = 10_000;

/** `{"koryph":{"cost_usd":1.2,"session":"…"}}` on a line of its own; each field may be left out. */
const Notice = z.object({
  koryph: z.object({
    // Nothing an agent does costs more; a larger number is a mistake, or a way to use up a budget.
    cost_usd: z.number().min(0).max(MOST_USD).optional().catch(undefined),
    session: z.string().min(1).max(200).optional().catch(undefined),
  }),
});

/** What a shell answers for a program it cannot run. */
const CANNOT_RUN: readonly (number | null)[] = [126, 127];

/**
 * Reads what an agent of one's own prints: free text, with a notice in between where it has one to give. Such
 * an agent has nothing but its exit code to say how it went, so here the exit code is believed.
 */
export class CommandStream implements StreamParser {
  #session: string | null = null;
  #costUsd: number | null = null;
  #text = "";

  push(lines: string): readonly AgentEvent[] {
    return lines.split("\n").flatMap((line) => this.#line(line));
  }

  #line(line: string): readonly AgentEvent[] {
    const notice = readNotice(line);
    if (notice === null) {
      if (line.trim() === "") return [];
      this.#text = tailOf(this.#text === "" ? line : `${this.#text}\n${line}`);
      return [{ kind: "text", text: line }];
    }
    const events: AgentEvent[] = [];
    if (notice.session !== undefined) {
      this.#session = notice.session;
      events.push({ kind: "session", id: notice.session, model: null, version: null });
    }
    if (notice.cost_usd !== undefined) {
      this.#costUsd = notice.cost_usd;
      events.push({ kind: "usage", costUsd: notice.cost_usd, scope: "run" });
    }
    return events;
  }

  end(facts: ProcessEnd): Outcome {
    return {
      ...(judgeOutsideEnd(facts) ?? this.#judge(facts)),
      session: this.#session,
      text: this.#text,
      structured: null,
      denials: [],
      costUsd: this.#costUsd ?? 0,
      costKnown: this.#costUsd !== null,
      retryAt: null,
    };
  }

  #judge({ code, stderr }: ProcessEnd): EndJudgement {
    if (code === 0) return { kind: "completed", detail: "" };
    const why = lastLine(stderr) || lastLine(this.#text);
    const detail = shortDetail(`exit code ${code}${why && `: ${why}`}`);
    const silent = this.#text === "" && this.#session === null;
    return { kind: silent && CANNOT_RUN.includes(code) ? "start-failed" : "failed", detail };
  }
}

function readNotice(line: string): z.infer<typeof Notice>["koryph"] | null {
  if (!/^\s*\{\s*"koryph"/.test(line)) return null;
  try {
    return Notice.safeParse(JSON.parse(line)).data?.koryph ?? null;
  } catch {
    return null;
  }
}
