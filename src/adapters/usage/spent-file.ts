import { open, readFile } from "node:fs/promises";
import { z } from "zod";
import { readJsonLine } from "../../core/runtimes/read-json-line.js";
import type { SpentMessage } from "../../core/runtimes/spent-message.js";
import { LONGEST_WINDOW_MS } from "../../core/usage/window-spending.js";
import { replaceFile } from "../files/replace-file.js";
import { withLock } from "../home/lock-file.js";

const Line = z.object({ pool: z.string(), at: z.number(), usd: z.number().min(0) });

/** What agents spend within this time is one line. */
const GRAIN_MS = 60_000;
const TRIM_BYTES = 256 * 1024;

/** What agents have spent whose homes are gone, and their records with them: a line for each minute. */
export class SpentFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async read(pool: string): Promise<SpentMessage[]> {
    const lines = await this.#lines();
    return lines.flatMap((line) => (line.pool === pool ? [{ key: null, at: line.at, usd: line.usd }] : []));
  }

  async add(pool: string, messages: readonly SpentMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const minutes = new Map<number, number>();
    for (const { at, usd } of messages) {
      const minute = Math.floor(at / GRAIN_MS) * GRAIN_MS;
      minutes.set(minute, (minutes.get(minute) ?? 0) + usd);
    }
    const text = [...minutes].map(([at, usd]) => `${JSON.stringify({ pool, at, usd })}\n`).join("");
    await withLock(`${this.#path}.lock`, { what: "the record of what agents spent" }, async () => {
      const file = await open(this.#path, "a", 0o600);
      try {
        await file.write(text);
      } finally {
        await file.close();
      }
      await this.#trim();
    });
  }

  async #trim(): Promise<void> {
    const text = await this.#text();
    if (text.length < TRIM_BYTES) return;
    const lines = await this.#lines();
    const newest = Math.max(...lines.map(({ at }) => at));
    const kept = lines.filter(({ at }) => at >= newest - LONGEST_WINDOW_MS - GRAIN_MS);
    await replaceFile(this.#path, kept.map((line) => `${JSON.stringify(line)}\n`).join(""), { mode: 0o600 });
  }

  async #lines(): Promise<z.infer<typeof Line>[]> {
    return (await this.#text()).split("\n").flatMap((line) => readJsonLine(Line, line) ?? []);
  }

  async #text(): Promise<string> {
    return readFile(this.#path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
  }
}
