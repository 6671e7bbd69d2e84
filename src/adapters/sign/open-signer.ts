import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { signingAdvice } from "../../core/replies/sign/signing.js";
import { UserError } from "../../lib/user-error.js";
import type { Signer } from "../../ports/signer.js";
import { removeFolder } from "../files/remove-folder.js";
import type { AgentIdentity } from "./agent-messages.js";
import { askAgent } from "./ask-agent.js";
import { operatorKey } from "./operator-key.js";
import { PrivateAgent } from "./private-agent.js";
import { givenKey, keyFromCommand, keyFromFile, keyPath } from "./read-key.js";
import { type ServedKey, serveKey } from "./serve-key.js";
import { signMessage } from "./sign-message.js";
import { makeSocketFolder, type SocketFolder } from "./socket-folder.js";
import { fingerprintOf, publicKeyOf } from "./ssh-key.js";

export interface SignerSettings {
  readonly provider: "file" | "ssh-agent" | "command";
  /** Path of the key, its fingerprint or comment in the agent, or the command that prints it. */
  readonly keyRef: string;
  /** The operator's checkout: no key may lie in it. */
  readonly root: string;
  /** Where the agent's socket goes, unless the path is too long for one. */
  readonly socketFolder: string;
  readonly env: NodeJS.ProcessEnv;
  /** How long an agent of ours keeps the key; it is brought back when it is needed after that. */
  readonly lifetimeSeconds?: number;
}

const LIFETIME_SECONDS = 3600;

/** What has the key, and whatever must be ended for it to be gone. */
interface Holder {
  readonly identity: AgentIdentity;
  readonly sign: ServedKey["sign"];
  close(): Promise<void>;
}

/** Makes the signing key ready for git. Throws a `UserError` when there is no such key, or it cannot be used. */
export function openSigner(settings: SignerSettings): Promise<Signer> {
  return openWith(settings, keyReader(settings));
}

/** The same for a key that was handed over as text; it is written nowhere. */
export function openGivenSigner(
  key: string,
  settings: Pick<SignerSettings, "socketFolder" | "env">,
): Promise<Signer> {
  const text = { ...settings, provider: "file", keyRef: "", root: "" } as const;
  return openWith(text, async () => givenKey(key));
}

async function openWith(settings: SignerSettings, readKey: (() => Promise<Buffer>) | null): Promise<Signer> {
  const sockets = await makeSocketFolder(settings.socketFolder);
  let holder: Holder | null = null;
  try {
    holder =
      readKey === null ? await throughOperator(settings) : await inOwnAgent(settings, sockets, readKey);
    return await serve(holder, sockets);
  } catch (error) {
    await holder?.close();
    await removeFolder(sockets.folder);
    throw error;
  }
}

/** How the private key is read; null when only the operator's agent has it. */
function keyReader({ provider, keyRef, root, env }: SignerSettings): (() => Promise<Buffer>) | null {
  switch (provider) {
    case "file": {
      const path = keyPath(keyRef, env);
      return () => keyFromFile(path, root);
    }
    case "command":
      return () => keyFromCommand(keyRef, env);
    case "ssh-agent":
      return null;
  }
}

async function throughOperator({ keyRef, env }: SignerSettings): Promise<Holder> {
  const socket = env.SSH_AUTH_SOCK;
  if (!socket) throw UserError.of(signingAdvice.noAgent());
  const identity = await operatorKey(socket, keyRef);
  const sign: ServedKey["sign"] = (request, givenUp) => askAgent(socket, request, givenUp);
  return { identity, sign, close: async () => {} };
}

async function inOwnAgent(
  { env, lifetimeSeconds = LIFETIME_SECONDS }: SignerSettings,
  { agent: socket }: SocketFolder,
  readKey: () => Promise<Buffer>,
): Promise<Holder> {
  const agent = new PrivateAgent({ socket, lifetimeSeconds, path: env.PATH, readKey });
  try {
    const identity = await agent.open();
    const sign: ServedKey["sign"] = (request, givenUp) => agent.sign(request, givenUp);
    return { identity, sign, close: () => agent.close() };
  } catch (error) {
    await agent.close();
    throw error;
  }
}

async function serve({ identity, sign, close }: Holder, sockets: SocketFolder): Promise<Signer> {
  const server = await serveKey({ socket: sockets.sign, identity, sign });
  const publicKey = publicKeyOf(identity.blob);
  // By name: where git is given the key itself it leaves a temporary file behind with every signature.
  const keyFile = join(sockets.folder, "key.pub");
  await writeFile(keyFile, `${publicKey}\n`, { mode: 0o600 });
  return {
    publicKey,
    fingerprint: fingerprintOf(identity.blob),
    git: {
      config: [
        ["gpg.format", "ssh"],
        ["gpg.ssh.program", "ssh-keygen"],
        ["user.signingkey", keyFile],
      ],
      env: { SSH_AUTH_SOCK: sockets.sign },
    },
    signReceipt: (message) => signMessage(message, { keyFile, socket: sockets.sign }),
    async close() {
      await server.close();
      await close();
      await removeFolder(sockets.folder);
    },
  };
}
