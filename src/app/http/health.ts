import type { ServerLog } from "./server-log.js";

/** Throws when the part is not well. */
export type HealthCheck = () => Promise<void> | void;

export interface HealthReport {
  readonly status: "ready" | "broken" | "stopping";
  readonly parts: Readonly<Record<string, "ok" | "failed">>;
}

const PATIENCE_MS = 2_000;

/** Whether the server can do what it is for. Why it cannot is for the log alone: anybody may ask. */
export class Health {
  readonly #checks: Readonly<Record<string, HealthCheck>>;
  readonly #log: ServerLog;
  readonly #failing = new Set<string>();
  #looking: Promise<HealthReport> | null = null;
  #stopping = false;

  constructor(checks: Readonly<Record<string, HealthCheck>>, log: ServerLog) {
    this.#checks = checks;
    this.#log = log;
  }

  stopping(): void {
    this.#stopping = true;
  }

  /** Those who ask at the same time get the same answer. */
  look(): Promise<HealthReport> {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #lookNow(): Promise<HealthReport> {
    const names = Object.keys(this.#checks);
    const answers = await Promise.all(names.map(async (name) => [name, await this.#judge(name)] as const));
    const broken = answers.some(([, answer]) => answer === "failed");
    const status = this.#stopping ? "stopping" : broken ? "broken" : "ready";
    return { status, parts: Object.fromEntries(answers) };
  }

  async #judge(name: string): Promise<"ok" | "failed"> {
    try {
      await withinPatience(async () => this.#checks[name]?.());
      if (this.#failing.delete(name)) this.#log.info({ part: name }, "a part is well again");
      return "ok";
    } catch (error) {
      if (!this.#failing.has(name)) this.#log.error({ err: error, part: name }, "a part is not well");
      this.#failing.add(name);
      return "failed";
    }
  }
}

async function withinPatience(action: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  try {
    await Promise.race([action(), patience]);
  } finally {
    clearTimeout(timer);
  }
}
