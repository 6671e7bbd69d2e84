import { createConnection } from "node:net";
import { framed, MessageReader } from "./agent-messages.js";

/**
 * Puts one question to an ssh-agent. There is no time limit: an agent may wait for somebody to touch a key.
 * Throws when there is no answer, or when the question was given up.
 */
export function askAgent(socket: string, message: Buffer, givenUp?: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const reader = new MessageReader();
    const connection = createConnection(socket);
    const end = () => connection.destroy(new Error("nobody waits for the answer any more"));
    if (givenUp?.aborted) end();
    givenUp?.addEventListener("abort", end, { once: true });
    connection.once("connect", () => connection.write(framed(message)));
    connection.on("data", (piece) => {
      try {
        const [answer] = reader.read(piece);
        if (answer === undefined) return;
        // A copy: what it was read into is not kept for it.
        resolve(Buffer.from(answer));
        connection.destroy();
      } catch (error) {
        connection.destroy(error as Error);
      }
    });
    connection.once("error", reject);
    connection.once("close", () => {
      givenUp?.removeEventListener("abort", end);
      reject(new Error("it closed the connection"));
    });
  });
}
