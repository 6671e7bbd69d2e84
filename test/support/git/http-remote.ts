import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname } from "node:path";
import { onTestFinished } from "vitest";

/** Serves a bare repository on the loopback to whoever sends this header, and to nobody else. Returns its address. */
export async function httpRemote(repository: string, authorization: string): Promise<string> {
  const server = createServer((request, response) => {
    if (request.headers.authorization === authorization) return void serve(repository, request, response);
    response.writeHead(401).end();
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${basename(repository)}`;
}

function serve(repository: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const { headers } = request;
  const backend = spawn("git", ["-c", "http.receivepack=true", "http-backend"], {
    env: {
      PATH: process.env.PATH,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_PROJECT_ROOT: dirname(repository),
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: searchParams.toString(),
      CONTENT_TYPE: headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: String(headers["content-encoding"] ?? ""),
      GIT_PROTOCOL: String(headers["git-protocol"] ?? ""),
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  backend.stdin.on("error", () => {});
  request.pipe(backend.stdin);
  let head = "";
  const onData = (piece: string) => {
    head += piece;
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) return;
    backend.stdout.off("data", onData);
    const fields = head
      .slice(0, end)
      .split("\r\n")
      .map((line) => line.split(/: (.*)/s));
    const status = fields.find(([name]) => name === "Status")?.[1] ?? "200";
    response.statusCode = Number.parseInt(status, 10);
    for (const [name = "", value = ""] of fields) if (name !== "Status") response.setHeader(name, value);
    response.write(Buffer.from(head.slice(end + 4), "latin1"));
    backend.stdout
      .setEncoding("latin1")
      .on("data", (text: string) => response.write(Buffer.from(text, "latin1")));
  };
  backend.stdout.setEncoding("latin1").on("data", onData);
  backend.stdout.once("end", () => response.end());
}
