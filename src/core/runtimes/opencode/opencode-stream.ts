import { plainText } from "../../../lib/plain-text.js";
import { addTokens, NO_TOKENS, type TokenCounts } from "../../model/token-counts.js";
import type { AgentEvent, Outcome, ProcessEnd, StreamParser } from "../agent-outcome.js";
import { DENIALS_KEPT, deniedCall, judgeDenials } from "../denials.js";
import { type EndJudgement, judgeOutsideEnd, lastLine, shortDetail, tailOf } from "../judge-end.js";
import { costUsd, type ModelPrices, pricesOf } from "../prices.js";
import { readAnswer } from "../read-answer.js";
import { toolSubject } from "../tool-subject.js";
import { askedWaitMs } from "./asked-wait.js";
import { NOT_STARTED } from "./opencode-command.js";
import { type OpencodeFailure, opencodeFailureKind } from "./opencode-errors.js";
import { type OpencodeLine, readOpencodeLine } from "./opencode-line.js";

export interface OpencodeStreamOptions {
  readonly model: string;
  readonly prices: ModelPrices;
  /** Whether an answer of a given shape was asked for. */
  readonly structured: boolean;
}

const DENIED = /^the user (has specified a rule which prevents|rejected permission)/i;

/**
 * Reads `opencode run --format json`. There is no last event, so success is put together: exit code 0, no
 * error, and a last step that ended with `stop`. A run whose question nobody answered ends with exit code 0,
 * too, but in the middle of its `tool-calls`.
 */
export class OpencodeStream implements StreamParser {
  readonly #options: OpencodeStreamOptions;
  #session: string | null = null;
  #text = "";
  #reason: string | null = null;
  #error: OpencodeFailure | null = null;
  /** How long the last error asked to wait. */
  #waitMs: number | null = null;
  #costUsd = 0;
  #tokens: TokenCounts | null = null;
  #toolsDone = 0;
  readonly #denials: string[] = [];

  constructor(options: OpencodeStreamOptions) {
    this.#options = options;
  }

  push(lines: string): readonly AgentEvent[] {
    return lines.split("\n").flatMap((line) => this.#line(readOpencodeLine(line)));
  }

  end(facts: ProcessEnd): Outcome {
    const verdict = judgeOutsideEnd(facts) ?? this.#judge(facts);
    return {
      ...verdict,
      session: this.#session,
      text: tailOf(this.#text),
      structured: this.#options.structured ? readAnswer(this.#text) : null,
      denials: this.#denials,
      ...this.#cost(facts),
      tokens: this.#tokens ?? undefined,
      retryAt: null,
      retryAfterMs: verdict.kind === "limited" ? this.#waitMs : null,
    };
  }

  #judge({ code, stderr }: ProcessEnd): EndJudgement {
    const error = this.#error;
    if (error !== null) {
      const detail = shortDetail(error.message || error.name || "an error without a message");
      return { kind: opencodeFailureKind(error), detail };
    }
    if (this.#session === null) {
      const why = lastLine(colourless(stderr)) || `no output, exit code ${code}`;
      return { kind: code === NOT_STARTED ? "not-started" : "start-failed", detail: shortDetail(why) };
    }
    if (code !== 0 || this.#reason !== "stop") return this.#unfinished(code, stderr);
    return judgeDenials(this.#denials, this.#toolsDone);
  }

  #unfinished(code: number | null, stderr: string): EndJudgement {
    if (this.#reason === "content-filter") {
      return { kind: "refused", detail: shortDetail(this.#text || "stopped by a content filter") };
    }
    const step = this.#reason === null ? "before a step was finished" : `after ${plainText(this.#reason)}`;
    const why = this.#denials.at(-1) ?? lastLine(colourless(stderr));
    return {
      kind: "incomplete",
      detail: shortDetail(`ended ${step}, exit code ${code}${why && `: ${why}`}`),
    };
  }

  /**
   * opencode counts with prices of its own. Where it has none it says 0, and the project's prices are asked.
   * A run cut off in the middle has spent more than its finished steps say.
   */
  #cost(facts: ProcessEnd): { costUsd: number; costKnown: boolean } {
    const whole = this.#reason === "stop" && facts.code !== null;
    if (this.#costUsd > 0) return { costUsd: this.#costUsd, costKnown: whole };
    const priced = pricesOf(this.#options.model, this.#options.prices);
    if (priced === null) return { costUsd: 0, costKnown: false };
    return {
      costUsd: costUsd(this.#tokens ?? NO_TOKENS, priced.prices),
      costKnown: whole && priced.by === "project",
    };
  }

  #line(line: OpencodeLine | null): readonly AgentEvent[] {
    if (line === null) return [];
    return [...this.#sessionOf(line), ...this.#event(line)];
  }

  /** Every line carries it; told once. */
  #sessionOf({ type, sessionID }: OpencodeLine): AgentEvent[] {
    if (!EVENTS.has(type) || sessionID === undefined || sessionID === this.#session) return [];
    this.#session = sessionID;
    return [{ kind: "session", id: sessionID, model: this.#options.model, version: null }];
  }

  #event({ type, part, error }: OpencodeLine): AgentEvent[] {
    switch (type) {
      case "step_start":
        this.#reason = null;
        return [];
      case "text":
        if (!part?.text) return [];
        this.#text = part.text;
        return [{ kind: "text", text: part.text }];
      case "tool_use":
        return this.#tool(part);
      case "step_finish":
        return this.#stepFinished(part);
      case "error":
        this.#error = {
          name: error?.name ?? "",
          status: error?.data?.statusCode ?? null,
          message: error?.data?.message ?? "",
          body: error?.data?.responseBody ?? "",
        };
        this.#waitMs = askedWaitMs(error?.data?.responseHeaders ?? {});
        return [];
      default:
        return [];
    }
  }

  /** A tool is told of when it has ended. */
  #tool(part: OpencodeLine["part"]): AgentEvent[] {
    const name = plainText(part?.tool ?? "unknown");
    const ok = part?.state?.status === "completed";
    if (ok) this.#toolsDone += 1;
    const subject = toolSubject(part?.state?.input);
    const ended: AgentEvent = { kind: "tool", name, phase: "end", ok, ...(subject !== "" && { subject }) };
    if (!DENIED.test(part?.state?.error ?? "")) return [ended];
    if (this.#denials.length < DENIALS_KEPT)
      this.#denials.push(deniedCall(name, part?.state?.input, "filePath"));
    return [ended, { kind: "denied", tool: name }];
  }

  #stepFinished(part: OpencodeLine["part"]): AgentEvent[] {
    this.#reason = part?.reason ?? "unknown";
    this.#costUsd += part?.cost ?? 0;
    const { tokens } = part ?? {};
    if (tokens) {
      this.#tokens = addTokens(this.#tokens ?? NO_TOKENS, {
        input: tokens.input,
        // Thoughts are counted apart, and paid for like any other output.
        output: tokens.output + tokens.reasoning,
        cacheRead: tokens.cache.read,
        cacheWrite: tokens.cache.write,
      });
    }
    return this.#costUsd > 0 ? [{ kind: "usage", costUsd: this.#costUsd, scope: "run" }] : [];
  }
}

const EVENTS: ReadonlySet<string> = new Set(["step_start", "text", "tool_use", "step_finish", "error"]);

/** It colours its errors, whether a terminal reads them or not. */
function colourless(text: string): string {
  return text.replaceAll(/\u001b\[[\d;]*m/g, "");
}
