export interface FetchBounds {
  readonly mostAtOnce: number;
  /** For one request, from its turn to the last byte of its answer. */
  readonly timeoutMs: number;
  readonly mostBytes: number;
}

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/**
 * Fetch that never asks too much at once, never waits for ever and never reads without end. An answer is read whole
 * before it is handed on: Octokit takes a connection that is cut in the middle of a body for an empty body.
 */
export function boundedFetch({ mostAtOnce, timeoutMs, mostBytes }: FetchBounds): Fetch {
  let free = mostAtOnce;
  const queue: (() => void)[] = [];

  async function fetchWhole(url: string, init: RequestInit): Promise<Response> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    try {
      const response = await globalThis.fetch(url, { ...init, signal });
      return rebuild(response, await readWhole(response, mostBytes));
    } catch (error) {
      if (timeout.aborted) throw new Error(`no answer within ${timeoutMs / 1000} s`, { cause: error });
      throw error;
    }
  }

  return async (url, init = {}) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await fetchWhole(url, init);
    } finally {
      const next = queue.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

async function readWhole(response: Response, mostBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.byteLength;
    if (size > mostBytes) throw new Error(`the answer has more than ${mostBytes} bytes`);
    pieces.push(piece);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

function rebuild(response: Response, body: Uint8Array<ArrayBuffer>): Response {
  const { status, statusText, headers, url } = response;
  const whole = new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
  return Object.defineProperty(whole, "url", { value: url });
}
