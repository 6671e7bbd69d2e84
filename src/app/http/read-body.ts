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
  /** Of memory for all bodies at once: whoever sends them has proved nothing yet. */
  readonly mostBytesAtOnce: number;
  readonly mostBodiesAtOnce: number;
  readonly milliseconds: number;
}

/** Most deliveries fit. */
const FIRST_PIECE_BYTES = 16 * 1024;
const MOST_PIECE_BYTES = 1024 * 1024;

/** Reads bodies of strangers without ever holding more of them than the limits say. */
export class BodyReader {
  readonly #limits: BodyLimits;
  #bodies = 0;
  #bytes = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** The body counts as held until `use` has ended. Where the reading is not whole, the rest is still unread. */
  async withBody<T>(request: IncomingMessage, use: (reading: BodyReading) => Promise<T>): Promise<T> {
    const { mostBytes, mostBytesAtOnce, mostBodiesAtOnce, milliseconds } = this.#limits;
    // No room is made for a declared length: it costs nothing to declare one and send nothing.
    const declared = Number(request.headers["content-length"] ?? mostBytes);
    if (declared > mostBytes) return use({ kind: "too-large" });
    if (this.#bodies >= mostBodiesAtOnce) return use({ kind: "no-room" });
    const body = new GrowingBody({ expected: declared, most: mostBytes }, (bytes) => {
      if (this.#bytes + bytes > mostBytesAtOnce) return false;
      this.#bytes += bytes;
      return true;
    });
    this.#bodies += 1;
    try {
      return await use(await collect(request, body, milliseconds));
    } finally {
      this.#bodies -= 1;
      this.#bytes -= body.reserved;
    }
  }
}

/**
 * Copies what comes into pieces of memory, each as large as all before it. Keeping the chunks themselves would let the
 * sender choose what they cost, some two hundred bytes for one of body; a single piece that is replaced by a larger
 * one would leave the smaller ones lying about.
 */
class GrowingBody {
  readonly #limits: { readonly expected: number; readonly most: number };
  readonly #reserve: (bytes: number) => boolean;
  #pieces: Buffer[] = [];
  #last = Buffer.alloc(0);
  #lastFilled = 0;
  #size = 0;
  /** Bytes of memory, filled or not. */
  reserved = 0;

  /** No more is reserved than is expected unless more comes. */
  constructor(
    limits: { readonly expected: number; readonly most: number },
    reserve: (bytes: number) => boolean,
  ) {
    this.#limits = limits;
    this.#reserve = reserve;
  }

  /** Null when it was taken. */
  add(chunk: Buffer): BodyReading | null {
    if (this.#size + chunk.length > this.#limits.most) return { kind: "too-large" };
    const fitting = this.#fill(chunk);
    if (fitting === chunk.length) return null;
    const rest = chunk.subarray(fitting);
    if (!this.#grow(rest.length)) return { kind: "no-room" };
    this.#fill(rest);
    return null;
  }

  /** Takes the place of the bytes, which are let go. */
  text(): string {
    const bytes = Buffer.concat(this.#pieces, this.#size);
    this.#pieces = [];
    this.#last = Buffer.alloc(0);
    return bytes.toString("utf8");
  }

  #fill(bytes: Buffer): number {
    const count = bytes.copy(this.#last, this.#lastFilled);
    this.#lastFilled += count;
    this.#size += count;
    return count;
  }

  #grow(needed: number): boolean {
    const wished = Math.min(MOST_PIECE_BYTES, Math.max(this.reserved, FIRST_PIECE_BYTES));
    const bytes = Math.max(needed, Math.min(wished, this.#limits.expected - this.#size));
    if (!this.#reserve(bytes)) return false;
    this.reserved += bytes;
    // Of its own: a part of a shared slab would keep all of the slab.
    this.#last = Buffer.allocUnsafeSlow(bytes);
    this.#lastFilled = 0;
    this.#pieces.push(this.#last);
    return true;
  }
}

function collect(request: IncomingMessage, body: GrowingBody, milliseconds: number): Promise<BodyReading> {
  return new Promise((resolve) => {
    const settle = (reading: BodyReading) => {
      clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("close", onCut);
      // Without it, the rest would go on flowing to nobody, at full speed.
      if (reading.kind !== "whole") request.pause();
      resolve(reading);
    };
    const onData = (chunk: Buffer) => {
      const problem = body.add(chunk);
      if (problem !== null) settle(problem);
    };
    const onEnd = () => settle({ kind: "whole", text: body.text() });
    const onCut = () => settle({ kind: "cut" });
    const timer = setTimeout(() => settle({ kind: "too-slow" }), milliseconds);
    // A connection that breaks is told by `close`, too; unheard, its error would end the process.
    request.on("error", () => {});
    request.on("data", onData).on("end", onEnd).on("close", onCut);
  });
}
