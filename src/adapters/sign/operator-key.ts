import { signingAdvice } from "../../core/replies/sign/signing.js";
import { UserError } from "../../lib/user-error.js";
import { type AgentIdentity, keyTypeOf, REQUEST_IDENTITIES, readIdentities } from "./agent-messages.js";
import { askAgent } from "./ask-agent.js";
import { fingerprintOf } from "./ssh-key.js";

/** The key with this fingerprint or comment in the operator's agent. */
export async function operatorKey(socket: string, keyRef: string): Promise<AgentIdentity> {
  const held = (await identities(socket)).filter(({ blob }) => !isCertificate(blob));
  const found = held.filter(({ blob, comment }) => fingerprintOf(blob) === keyRef || comment === keyRef);
  const [only] = found;
  if (only === undefined)
    throw UserError.of(
      signingAdvice.notInAgent(
        keyRef,
        held.map(({ blob, comment }) => `${fingerprintOf(blob)} ${comment}`),
      ),
    );
  if (found.length > 1)
    throw UserError.of(
      signingAdvice.ambiguous(
        keyRef,
        found.map(({ blob }) => fingerprintOf(blob)),
      ),
    );
  return only;
}

async function identities(socket: string): Promise<AgentIdentity[]> {
  try {
    return readIdentities(await askAgent(socket, REQUEST_IDENTITIES));
  } catch (error) {
    throw UserError.of(signingAdvice.agentSilent(socket, (error as Error).message));
  }
}

/** An agent lists a key's certificate beside the key, under the same comment. */
function isCertificate(blob: Buffer): boolean {
  return keyTypeOf(blob).endsWith("-cert-v01@openssh.com");
}
