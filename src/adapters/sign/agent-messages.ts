/** The few messages of the ssh-agent protocol (draft-miller-ssh-agent) that signing takes. */
const FAILURE_TYPE = 5;
const REQUEST_IDENTITIES_TYPE = 11;
const IDENTITIES_ANSWER_TYPE = 12;
const SIGN_REQUEST_TYPE = 13;
const SIGN_RESPONSE_TYPE = 14;

/** OpenSSH's own limit. */
const MOST_BYTES = 256 * 1024;
/** What ssh-keygen has signed begins so; a log-in to a server does not. */
const SIGNATURE_MAGIC = Buffer.from("SSHSIG");

export interface AgentIdentity {
  /** The public key as it goes over the wire. */
  readonly blob: Buffer;
  readonly comment: string;
}

export const FAILURE = Buffer.from([FAILURE_TYPE]);
export const REQUEST_IDENTITIES = Buffer.from([REQUEST_IDENTITIES_TYPE]);

export function framed(message: Buffer): Buffer {
  return Buffer.concat([uint32(message.length), message]);
}

/** Puts messages together again from the pieces in which they arrive. Throws at one that no agent would take. */
export class MessageReader {
  #rest: Buffer = Buffer.alloc(0);

  read(piece: Buffer): Buffer[] {
    this.#rest = Buffer.concat([this.#rest, piece]);
    const messages: Buffer[] = [];
    while (this.#rest.length >= 4) {
      const length = this.#rest.readUInt32BE(0);
      if (length === 0 || length > MOST_BYTES) throw new Error(`an agent message of ${length} bytes`);
      if (this.#rest.length < 4 + length) break;
      messages.push(this.#rest.subarray(4, 4 + length));
      this.#rest = this.#rest.subarray(4 + length);
    }
    return messages;
  }
}

export function isIdentitiesRequest(message: Buffer): boolean {
  return message[0] === REQUEST_IDENTITIES_TYPE;
}

export function isSignature(message: Buffer): boolean {
  return message[0] === SIGN_RESPONSE_TYPE;
}

/** Throws when the message is no list of identities. */
export function readIdentities(message: Buffer): AgentIdentity[] {
  if (message[0] !== IDENTITIES_ANSWER_TYPE) throw new Error(`it answered with message ${message[0]}`);
  const fields = new Fields(message.subarray(1));
  const count = fields.uint32();
  const identities: AgentIdentity[] = [];
  while (identities.length < count)
    identities.push({ blob: fields.bytes(), comment: fields.bytes().toString("utf8") });
  return identities;
}

export function identitiesAnswer({ blob, comment }: AgentIdentity): Buffer {
  const type = Buffer.from([IDENTITIES_ANSWER_TYPE]);
  return Buffer.concat([type, uint32(1), lengthFirst(blob), lengthFirst(Buffer.from(comment))]);
}

/** Which key shall sign for which namespace; null when it is no such request, or would sign something else. */
export function readSignRequest(message: Buffer): { blob: Buffer; namespace: string } | null {
  if (message[0] !== SIGN_REQUEST_TYPE) return null;
  try {
    const fields = new Fields(message.subarray(1));
    const [blob, data] = [fields.bytes(), fields.bytes()];
    if (!data.subarray(0, SIGNATURE_MAGIC.length).equals(SIGNATURE_MAGIC)) return null;
    const namespace = new Fields(data.subarray(SIGNATURE_MAGIC.length)).bytes().toString("utf8");
    return { blob, namespace };
  } catch {
    return null;
  }
}

/** The name of its type is the first thing in a key. */
export function keyTypeOf(blob: Buffer): string {
  return new Fields(blob).bytes().toString("latin1");
}

/** Fields as SSH writes them, one after the other. Throws where they are cut short. */
export class Fields {
  #rest: Buffer;

  constructor(rest: Buffer) {
    this.#rest = rest;
  }

  uint32(): number {
    const value = this.#rest.readUInt32BE(0);
    this.#rest = this.#rest.subarray(4);
    return value;
  }

  get isEmpty(): boolean {
    return this.#rest.length === 0;
  }

  bytes(): Buffer {
    const length = this.uint32();
    if (length > this.#rest.length) throw new Error("a message that was cut short");
    const value = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return value;
  }
}

export function lengthFirst(bytes: Buffer): Buffer {
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
