import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serveAdvice } from "../../core/replies/app/serve.js";
import { UserError } from "../../lib/user-error.js";

/** The address it listens on. Throws what the operator can put right, such as a port that is taken. */
export async function listenOn(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.syscall === undefined ? error : UserError.of(serveAdvice.cannotListen(host, port, error)));
    });
    server.listen(port, host, resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${chosen}`;
}
