import { execFile } from "node:child_process";
import { readBead } from "../../core/config/bead-record.js";
import { readJson } from "../../core/config/read-json.js";
import type { Bead } from "../../core/model/bead.js";
import { workAdvice } from "../../core/replies/work.js";
import { UserError } from "../../lib/user-error.js";
import type { WorkSource } from "../../ports/work-source.js";

const READ_TIMEOUT_SECONDS = 45;

/** Beads from the `bd` tracker through its command line. */
export class BdSource implements WorkSource {
  readonly #root: string;
  readonly #timeoutSeconds: number;

  constructor(root: string, timeoutSeconds = READ_TIMEOUT_SECONDS) {
    this.#root = root;
    this.#timeoutSeconds = timeoutSeconds;
  }

  async all(): Promise<readonly Bead[]> {
    return this.#ask(["list", "--all", "--json", "--limit", "0"]);
  }

  async ready({ parent }: { readonly parent?: string } = {}): Promise<readonly Bead[]> {
    const below = parent === undefined ? [] : [`--parent=${parent}`];
    return this.#ask(["ready", "--json", "--limit", "0", ...below]);
  }

  async get(id: string): Promise<Bead | null> {
    // `bd show` reports a missing bead as a failure among others; the list tells them apart.
    return (await this.all()).find((bead) => bead.id === id) ?? null;
  }

  async children(id: string): Promise<readonly Bead[]> {
    // bd's own listing of children leaves closed ones out.
    return (await this.all()).filter((bead) => bead.parent === id);
  }

  async #ask(args: readonly string[]): Promise<Bead[]> {
    const command = `bd ${args.join(" ")}`;
    const json = readJson(await this.#run(command, args));
    if (json.kind === "not-json")
      throw UserError.of(workAdvice.bdFailed(command, `its answer is not JSON: ${json.problem}`));
    return records(json.data).flatMap((record) => {
      const reading = readBead(record);
      if (reading.kind === "wrong")
        throw UserError.of(workAdvice.bdFailed(command, `a bead it lists is malformed: ${reading.reason}`));
      return reading.kind === "bead" ? [reading.bead] : [];
    });
  }

  #run(command: string, args: readonly string[]): Promise<string> {
    const options = {
      cwd: this.#root,
      timeout: this.#timeoutSeconds * 1000,
      killSignal: "SIGKILL" as const,
      maxBuffer: 512 * 1024 * 1024,
    };
    return new Promise((resolve, reject) => {
      execFile("bd", [...args], options, (error, stdout, stderr) => {
        if (error === null) return resolve(stdout);
        if (error.code === "ENOENT") return reject(UserError.of(workAdvice.noBd()));
        if (error.killed) return reject(UserError.of(workAdvice.bdSlow(command, this.#timeoutSeconds)));
        reject(UserError.of(workAdvice.bdFailed(command, stderr.trim() || error.message)));
      });
    });
  }
}

/** A bare list, `{"issues": […]}` or `{"issue": {…}}`, depending on command and version; null is an empty list. */
function records(data: unknown): readonly unknown[] {
  if (data === null) return [];
  if (Array.isArray(data)) return data;
  const { issues, issue } = data as { issues?: unknown; issue?: unknown };
  if (Array.isArray(issues)) return issues;
  return issue === undefined ? [data] : [issue];
}
