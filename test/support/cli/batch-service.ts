import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly key: string;
}

/** A stand-in for the Message Batches API on loopback. Each answer of `next` is given once, before the usual one. */
export class BatchService {
  readonly asked: Asked[] = [];
  readonly next: {
    readonly status: number;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  }[] = [];
  /** As they were taken; each a batch. */
  readonly taken: string[][] = [];
  /** How many looks find a batch still at work. */
  looks = 0;
  /** Takes a batch and cuts the answer off. */
  cutsOff = false;
  #address = "";

  get address(): string {
    return this.#address;
  }

  get submissions(): number {
    return this.asked.filter(({ method }) => method === "POST").length;
  }

  static async open(): Promise<BatchService> {
    const service = new BatchService();
    const server = createServer(async (request, response) => {
      const body = await textOf(request);
      const { method = "", url = "" } = request;
      service.asked.push({ method, url, key: `${request.headers["x-api-key"]}` });
      const planned = service.next.shift();
      if (planned) {
        response.writeHead(planned.status, planned.headers).end(planned.body);
        return;
      }
      const answer = service.#answer(method, url, body);
      if (method === "POST" && service.cutsOff) request.socket.destroy();
      else response.writeHead(200).end(answer);
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    service.#address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return service;
  }

  #answer(method: string, url: string, body: string): string {
    if (method === "POST") {
      const { requests } = JSON.parse(body) as { requests: { custom_id: string }[] };
      this.taken.push(requests.map(({ custom_id }) => custom_id));
      return JSON.stringify(this.#batch(this.taken.length - 1));
    }
    if (url.includes("?")) return JSON.stringify({ data: this.taken.map((_, index) => this.#batch(index)) });
    const index = Number(/batch_(\d+)/.exec(url)?.[1]);
    if (!url.endsWith("/results")) return JSON.stringify(this.#batch(index, this.looks-- <= 0));
    // Not in the order of the requests.
    return [...(this.taken[index] ?? [])]
      .reverse()
      .map((custom_id) =>
        JSON.stringify({ custom_id, result: { type: "succeeded", message: { id: custom_id } } }),
      )
      .join("\n");
  }

  #batch(index: number, ended = false): object {
    const count = this.taken[index]?.length ?? 0;
    const none = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
    return {
      id: `batch_${index}`,
      processing_status: ended ? "ended" : "in_progress",
      created_at: new Date().toISOString(),
      request_counts: { ...none, [ended ? "succeeded" : "processing"]: count },
      results_url: "http://elsewhere.invalid/results",
    };
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
