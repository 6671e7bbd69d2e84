import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { RECEIPT_NAMESPACE } from "../../core/sign/allowed-signers.js";
import {
  type AgentIdentity,
  FAILURE,
  framed,
  identitiesAnswer,
  isIdentitiesRequest,
  MessageReader,
  readSignRequest,
} from "./agent-messages.js";

export interface ServedKey {
  readonly socket: string;
  readonly identity: AgentIdentity;
  /** Passes a request on to whoever has the key, and back what that one answers. */
  readonly sign: (request: Buffer, givenUp: AbortSignal) => Promise<Buffer>;
}

/** Commits, and receipts of landings. */
const NAMESPACES: readonly string[] = ["git", RECEIPT_NAMESPACE];

/**
 * An agent socket that knows one key and signs commits and receipts with it, and nothing else: whoever finds it can neither
 * log in anywhere with the key nor see, add, lock or remove keys of the agent behind it.
 */
export async function serveKey(key: ServedKey): Promise<{ close(): Promise<void> }> {
  const connections = new Set<Socket>();
  const server = createServer((connection) => {
    connections.add(connection);
    connection.once("close", () => connections.delete(connection));
    serve(connection, key);
  });
  server.listen(key.socket);
  await once(server, "listening");
  // Whoever signs waits for git, not for this; a forgotten signer does not keep the process alive.
  server.unref();
  return {
    async close() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      for (const connection of connections) connection.destroy();
      await closed;
    },
  };
}

function serve(connection: Socket, key: ServedKey): void {
  const reader = new MessageReader();
  const gone = new AbortController();
  // One after the other: answers are told apart by their order alone.
  let before = Promise.resolve();
  connection.on("error", () => connection.destroy());
  connection.once("close", () => gone.abort());
  connection.on("data", (piece) => {
    try {
      for (const message of reader.read(piece)) {
        before = before
          .then(() => answer(message, key, gone.signal))
          .catch(() => FAILURE)
          .then((reply) => {
            if (!connection.destroyed) connection.write(framed(reply));
          });
      }
    } catch {
      connection.destroy();
    }
  });
}

async function answer(message: Buffer, { identity, sign }: ServedKey, givenUp: AbortSignal): Promise<Buffer> {
  if (isIdentitiesRequest(message)) return identitiesAnswer(identity);
  const request = readSignRequest(message);
  if (request === null || !NAMESPACES.includes(request.namespace) || !request.blob.equals(identity.blob))
    return FAILURE;
  return sign(message, givenUp);
}
