import { plainText } from "../../../lib/plain-text.js";
import type { TokenCounts } from "../../model/token-counts.js";
import type { AgentEvent, Outcome, ProcessEnd, StreamParser } from "../agent-outcome.js";
import { DENIALS_KEPT, deniedCall, judgeDenials } from "../denials.js";
import { type EndJudgement, judgeOutsideEnd, lastLine, shortDetail, tailOf } from "../judge-end.js";
import { attemptCostUsd } from "../prices.js";
import { toolSubject } from "../tool-subject.js";
import { claudeCostScope } from "./claude-cost.js";
import { claudeFailureKind } from "./claude-errors.js";
import { type ClaudeDenial, type ClaudeLine, readClaudeLine } from "./claude-line.js";

export interface ClaudeStreamOptions {
  /** What `claude --version` said; the stream's own word wins. */
  readonly version: string;
  /** What the session had cost before this attempt. */
  readonly costBaselineUsd: number;
}

const LIMIT_STATES: Readonly<Record<string, "ok" | "warn" | "rejected">> = {
  allowed: "ok",
  allowed_warning: "warn",
  rejected: "rejected",
};

/**
 * Reads `claude -p --output-format stream-json --verbose`. The exit code decides nothing: it is 0 when every
 * tool was denied and when an interrupt came before the answer. What counts is the last `result` line, since
 * one run can hold several, and its `is_error`, since failed API calls arrive as `"subtype":"success"`.
 */
export class ClaudeStream implements StreamParser {
  readonly #baselineUsd: number;
  #version: string;
  #session: string | null = null;
  #text = "";
  #result: ClaudeLine | null = null;
  /** The class of failure named since the last result, and the one that belongs to it. */
  #error = "";
  #resultError = "";
  #costUsd: number | null = null;
  #retry = "";
  #retryAt: number | null = null;
  /** The last wait before a call that a rate limit had turned away: the provider's wish, where it has one. */
  #retryAfterMs: number | null = null;
  readonly #toolNames = new Map<string, string>();
  #toolsDone = 0;
  readonly #denials = new Map<string, string>();

  constructor({ version, costBaselineUsd }: ClaudeStreamOptions) {
    this.#version = version;
    this.#baselineUsd = costBaselineUsd;
  }

  push(lines: string): readonly AgentEvent[] {
    return lines.split("\n").flatMap((line) => this.#line(readClaudeLine(line)));
  }

  #line(line: ClaudeLine | null): readonly AgentEvent[] {
    switch (line?.type) {
      case "system":
        return this.#system(line);
      case "assistant":
        return this.#assistant(line);
      case "user":
        return this.#toolResults(line);
      case "rate_limit_event":
        return this.#limit(line);
      case "result":
        return this.#resultLine(line);
      default:
        return [];
    }
  }

  end(facts: ProcessEnd): Outcome {
    const verdict = judgeOutsideEnd(facts) ?? this.#judge(facts);
    const scope = claudeCostScope(this.#version);
    return {
      ...verdict,
      session: this.#session,
      text: tailOf(this.#result?.result ?? this.#text),
      structured: this.#result?.structured_output ?? null,
      denials: [...this.#denials.values()],
      costUsd: this.#costUsd === null ? 0 : attemptCostUsd(this.#costUsd, scope, this.#baselineUsd),
      costKnown: this.#costUsd !== null,
      tokens: tokensOf(this.#result),
      retryAt: verdict.kind === "limited" ? this.#retryAt : null,
      retryAfterMs: verdict.kind === "limited" ? this.#retryAfterMs : null,
    };
  }

  #judge({ code, stderr }: ProcessEnd): EndJudgement {
    const result = this.#result;
    if (this.#session === null) {
      const why = failureText(result) || lastLine(stderr) || `no output, exit code ${code}`;
      return { kind: "start-failed", detail: shortDetail(why) };
    }
    if (result === null) {
      const why = this.#retry || lastLine(stderr);
      return {
        kind: "incomplete",
        detail: shortDetail(`ended without a result, exit code ${code}${why && `: ${why}`}`),
      };
    }
    const failure = this.#failure(result);
    return failure ?? judgeDenials([...this.#denials.values()], this.#toolsDone);
  }

  #failure(result: ClaudeLine): EndJudgement | null {
    const { subtype = "", stop_reason: stopReason = "", terminal_reason: terminalReason = "" } = result;
    if (!result.is_error && !subtype.startsWith("error") && stopReason !== "refusal") return null;
    const text = failureText(result);
    const status = result.api_error_status ?? null;
    const error = this.#resultError;
    const kind = claudeFailureKind({ subtype, stopReason, terminalReason, status, error, text });
    if (kind === "killed") return { kind, detail: `interrupted from outside (${plainText(terminalReason)})` };
    return { kind, detail: shortDetail(text || error || subtype || stopReason) };
  }

  #system(line: ClaudeLine): AgentEvent[] {
    switch (line.subtype) {
      case "init":
        if (line.session_id === undefined) return [];
        this.#session = line.session_id;
        this.#version = line.claude_code_version ?? this.#version;
        return [
          {
            kind: "session",
            id: line.session_id,
            model: line.model ?? null,
            version: line.claude_code_version ?? null,
          },
        ];
      case "api_retry": {
        const status = line.error_status ?? null;
        const reason = plainText(line.error ?? "unknown");
        this.#retry = `the API was being retried (${status ?? "no answer"}, ${reason})`;
        const delayMs = line.retry_delay_ms ?? null;
        if (status === 429) this.#retryAfterMs = delayMs;
        return [{ kind: "retry", attempt: line.attempt ?? 0, delayMs, status, reason }];
      }
      case "permission_denied":
        return this.#denied({
          tool_name: line.tool_name,
          tool_use_id: line.tool_use_id,
          tool_input: undefined,
        });
      default:
        return [];
    }
  }

  #assistant(line: ClaudeLine): AgentEvent[] {
    if (line.error !== undefined) this.#error = line.error;
    else {
      this.#retry = "";
      this.#retryAfterMs = null;
    }
    return (line.message?.content ?? []).flatMap((block): AgentEvent[] => {
      if (block.type === "text" && block.text) {
        // Sub-agents talk to the agent; only the agent itself talks to us.
        if (line.parent_tool_use_id !== undefined) return [];
        this.#text = block.text;
        return [{ kind: "text", text: block.text, ...(line.error !== undefined && { by: "program" }) }];
      }
      if (block.type !== "tool_use") return [];
      const name = plainText(block.name ?? "unknown");
      if (block.id !== undefined) this.#toolNames.set(block.id, name);
      const subject = toolSubject(block.input);
      return [{ kind: "tool", name, phase: "start", ok: null, ...(subject !== "" && { subject }) }];
    });
  }

  #toolResults(line: ClaudeLine): AgentEvent[] {
    return (line.message?.content ?? []).flatMap((block): AgentEvent[] => {
      if (block.type !== "tool_result") return [];
      const ok = block.is_error !== true;
      if (ok) this.#toolsDone += 1;
      const name = this.#toolNames.get(block.tool_use_id ?? "") ?? "unknown";
      return [{ kind: "tool", name, phase: "end", ok }];
    });
  }

  #limit({ rate_limit_info: info }: ClaudeLine): AgentEvent[] {
    const state = Object.hasOwn(LIMIT_STATES, info?.status ?? "") ? LIMIT_STATES[info?.status ?? ""] : null;
    if (!state) return [];
    // The stream counts seconds.
    const resetsAt = info?.resetsAt === undefined ? null : info.resetsAt * 1000;
    this.#retryAt = state === "rejected" ? resetsAt : null;
    return [{ kind: "limit", state, resetsAt }];
  }

  #resultLine(line: ClaudeLine): AgentEvent[] {
    this.#result = line;
    this.#resultError = this.#error;
    this.#error = "";
    const denied = (line.permission_denials ?? []).flatMap((denial) => this.#denied(denial));
    if (line.total_cost_usd === undefined) return denied;
    this.#costUsd = line.total_cost_usd;
    const scope = claudeCostScope(this.#version);
    return [...denied, { kind: "usage", costUsd: line.total_cost_usd, scope }];
  }

  /** Newer versions tell of a denial at once and again in the result, where its input is added. */
  #denied({ tool_name, tool_use_id, tool_input }: ClaudeDenial): AgentEvent[] {
    const tool = plainText(tool_name ?? "unknown");
    const key = tool_use_id ?? `#${this.#denials.size}`;
    const known = this.#denials.has(key);
    if (!known && this.#denials.size >= DENIALS_KEPT) return [];
    this.#denials.set(key, deniedCall(tool, tool_input, "file_path"));
    return known ? [] : [{ kind: "denied", tool }];
  }
}

function failureText(result: ClaudeLine | null): string {
  return result?.result || (result?.errors ?? []).map(String).join("; ");
}

/** Of the run, and without those of its sub-agents, whose cost is in its sum all the same. */
function tokensOf(result: ClaudeLine | null): TokenCounts | undefined {
  const { usage } = result ?? {};
  return (
    usage && {
      input: usage.input_tokens,
      output: usage.output_tokens,
      cacheRead: usage.cache_read_input_tokens,
      cacheWrite: usage.cache_creation_input_tokens,
    }
  );
}
