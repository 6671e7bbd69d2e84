import { z } from "zod";
import { readJson } from "../config/read-json.js";
import { PLAINLY } from "../model/plainly.js";
import { LONGEST_WINDOW_MS } from "./window-spending.js";

const time = z.iso.datetime({ offset: true });

const Blocks = z.object({
  blocks: z.array(
    z.object({
      startTime: time,
      endTime: time,
      actualEndTime: time.nullish(),
      isGap: z.boolean().default(false),
      costUSD: z.number().min(0).max(1_000_000),
    }),
  ),
});

export interface CcusageReading {
  readonly fiveHour: number;
  readonly weekly: number;
  /** When the five hours began that run now; null when none do. */
  readonly since: number | null;
}

/**
 * What `ccusage blocks --json` tells of Claude Code's account; null when it cannot be understood. Its `daily` counts
 * other agents' programs as well in newer versions, and days where the machine is; blocks are Claude's in all of them.
 */
export function readCcusage(text: string, now: number): CcusageReading | null {
  const json = readJson(text);
  const { data } = Blocks.safeParse(json.kind === "json" ? json.data : null, PLAINLY);
  if (data === undefined) return null;
  const blocks = data.blocks.filter(({ isGap }) => !isGap);
  const running = blocks.filter(
    ({ startTime, endTime }) => Date.parse(startTime) <= now && now < Date.parse(endTime),
  );
  const week = blocks.filter(
    ({ endTime, actualEndTime }) => Date.parse(actualEndTime ?? endTime) >= now - LONGEST_WINDOW_MS,
  );
  const sum = (those: typeof blocks) => those.reduce((usd, { costUSD }) => usd + costUSD, 0);
  const starts = running.map(({ startTime }) => Date.parse(startTime));
  return {
    fiveHour: sum(running),
    weekly: sum(week),
    since: starts.length === 0 ? null : Math.min(...starts),
  };
}
