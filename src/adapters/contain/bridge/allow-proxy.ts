import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { isHostAllowed } from "../../../core/contain/network-access.js";

/** Another proxy, where the machine itself gets out by one. */
export interface Upstream {
  readonly host: string;
  readonly port: number;
}

interface Target {
  readonly host: string;
  readonly port: number;
}

/** A proxy for HTTP that connects to hosts that are allowed, and refuses all others by name. */
export function allowProxy(hosts: readonly string[], upstream: Upstream | null): Server {
  const server = createServer((asked, answer) => relay(asked, answer, { hosts, upstream }));
  server.on("connect", (asked, socket: Socket, head: Buffer) => {
    socket.on("error", () => {});
    const target = targetOf(asked.url ?? "");
    if (target === null || !isHostAllowed(hosts, target.host, target.port)) {
      const text = refusal(asked.url ?? "");
      socket.end(
        `HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
      );
      return;
    }
    tunnel(socket, head, { target, upstream });
  });
  return server;
}

/** A tunnel that nobody looks into. */
function tunnel(
  socket: Socket,
  head: Buffer,
  { target, upstream }: { readonly target: Target; readonly upstream: Upstream | null },
): void {
  const { host, port } = upstream ?? target;
  const out = connect(port, host, () => {
    if (upstream === null) socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    else
      out.write(
        `CONNECT ${target.host}:${target.port} HTTP/1.1\r\nhost: ${target.host}:${target.port}\r\n\r\n`,
      );
    if (head.length > 0) out.write(head);
    socket.pipe(out);
    out.pipe(socket);
  });
  out.on("error", () => socket.destroy());
  out.on("close", () => socket.destroy());
  socket.on("close", () => out.destroy());
}

/** A request without encryption, which names its whole address. */
function relay(
  asked: IncomingMessage,
  answer: ServerResponse,
  { hosts, upstream }: { readonly hosts: readonly string[]; readonly upstream: Upstream | null },
): void {
  const address = URL.canParse(asked.url ?? "") ? new URL(asked.url ?? "") : null;
  const port = Number(address?.port || 80);
  if (address?.protocol !== "http:" || !isHostAllowed(hosts, address.hostname, port)) {
    answer.writeHead(403, { "content-type": "text/plain" }).end(refusal(address?.host ?? asked.url ?? ""));
    return;
  }
  const path = upstream === null ? `${address.pathname}${address.search}` : address.href;
  const { host, port: at } = upstream ?? { host: address.hostname, port };
  const headers = { ...asked.headers, host: address.host };
  const out = request({ host, port: at, method: asked.method, path, headers }, (found) => {
    answer.writeHead(found.statusCode ?? 502, found.headers);
    found.pipe(answer);
  });
  out.on("error", (error) => {
    if (!answer.headersSent) answer.writeHead(502, { "content-type": "text/plain" });
    answer.end(`${error.message}\n`);
  });
  answer.on("close", () => out.destroy());
  asked.pipe(out);
}

function targetOf(text: string): Target | null {
  const [, host, port] = /^\[?([^\]\s]+?)\]?:(\d{1,5})$/.exec(text) ?? [];
  return host === undefined ? null : { host, port: Number(port) };
}

function refusal(what: string): string {
  const named = what.replace(/[^\w.:*[\]-]/g, "?").slice(0, 200);
  return `koryph's containment allows no connection to ${named}; containment.network in koryph.project.json names the hosts\n`;
}
