import { access, open, rename, stat } from "node:fs/promises";
import { redact, redactText } from "../../core/redact.js";
import { tryLock } from "./lock-file.js";

/** One act on this machine, whatever the project. */
export interface AuditEntry {
  /** What was done: register, dispatch, drain, … */
  readonly kind: string;
  /** Null for what concerns no project. */
  readonly projectId: string | null;
  readonly actor: string;
  readonly detail: unknown;
}

const ROTATE_BYTES = 10 * 1024 * 1024;

/** The machine-wide audit log: one JSON object per line, only ever appended to. Secrets are taken out on the way in. */
export class AuditLog {
  readonly #path: string;
  readonly #rotateBytes: number;

  constructor(path: string, rotateBytes = ROTATE_BYTES) {
    this.#path = path;
    this.#rotateBytes = rotateBytes;
  }

  async record({ kind, projectId, actor, detail }: AuditEntry): Promise<void> {
    const act = {
      at: new Date().toISOString(),
      kind,
      project_id: projectId,
      actor: redactText(actor),
      detail: redact(detail),
    };
    await this.#rotateIfLarge();
    const file = await open(this.#path, "a+", 0o600);
    try {
      // In one write, so that lines of two processes never mix. A write that a full disk cut short left half
      // a line; it must not spoil the one that follows.
      const start = (await endsInMidLine(file)) ? "\n" : "";
      await file.write(`${start}${JSON.stringify(act)}\n`);
    } finally {
      await file.close();
    }
  }

  /** Whoever does not get the lock leaves the moving to the one who has it. A line written meanwhile goes with the file. */
  async #rotateIfLarge(): Promise<void> {
    if ((await sizeOf(this.#path)) < this.#rotateBytes) return;
    const attempt = await tryLock(`${this.#path}.lock`);
    if (attempt.kind === "held") return;
    try {
      if ((await sizeOf(this.#path)) < this.#rotateBytes) return;
      await rename(this.#path, await this.#nextName());
    } finally {
      await attempt.lock.release();
    }
  }

  async #nextName(): Promise<string> {
    for (let number = 1; ; number += 1) {
      const name = this.#path.replace(/(\.jsonl)?$/, `-${number}.jsonl`);
      if (!(await exists(name))) return name;
    }
  }
}

async function endsInMidLine(file: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== 0x0a;
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
