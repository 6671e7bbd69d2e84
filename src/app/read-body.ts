import type { IncomingMessage } from "node:http";

export type BodyReading =
  | { readonly kind: "whole"; readonly text: string }
  | { readonly kind: "too-large" }
  /** Other bodies fill all the room there is. */
  | { readonly kind: "no-room" }
  | { readonly kind: "too-slow" }
  /** The other side went away before the end. */
  | { readonly kind: "cut" };

export interface BodyLimits {
  readonly mostBytes: number;
  /** Of all bodies that are in memory at once: whoever sends them has proved nothing yet. */
  readonly mostBytesAtOnce: number;
  readonly milliseconds: number;
}

/** Reads bodies of strangers without ever holding more of them than the limits say. */
export class BodyReader {
  readonly #limits: BodyLimits;
  #held = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** The body counts as held until `use` has ended. Where the reading is not whole, the rest is still unread. */
  async withBody<T>(request: IncomingMessage, use: (reading: BodyReading) => Promise<T>): Promise<T> {
    let size = 0;
    const hold = (bytes: number): BodyReading | null => {
      size += bytes;
      this.#held += bytes;
      if (size > this.#limits.mostBytes) return { kind: "too-large" };
      return this.#held > this.#limits.mostBytesAtOnce ? { kind: "no-room" } : null;
    };
    try {
      // A declared length is believed only where it is too much; what is counted is what comes.
      const declared = Number(request.headers["content-length"] ?? 0);
      if (declared > this.#limits.mostBytes) return await use({ kind: "too-large" });
      return await use(await collect(request, this.#limits.milliseconds, hold));
    } finally {
      this.#held -= size;
    }
  }
}

function collect(
  request: IncomingMessage,
  milliseconds: number,
  hold: (bytes: number) => BodyReading | null,
): Promise<BodyReading> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const settle = (reading: BodyReading) => {
      clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("close", onCut);
      // Without it, the rest would go on flowing to nobody, at full speed.
      if (reading.kind !== "whole") request.pause();
      resolve(reading);
    };
    const onData = (chunk: Buffer) => {
      const problem = hold(chunk.length);
      if (problem !== null) settle(problem);
      else chunks.push(chunk);
    };
    const onEnd = () => settle({ kind: "whole", text: Buffer.concat(chunks).toString("utf8") });
    const onCut = () => settle({ kind: "cut" });
    const timer = setTimeout(() => settle({ kind: "too-slow" }), milliseconds);
    // A connection that breaks is told by `close`, too; unheard, its error would end the process.
    request.on("error", () => {});
    request.on("data", onData).on("end", onEnd).on("close", onCut);
  });
}
