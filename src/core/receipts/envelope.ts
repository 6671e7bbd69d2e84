/** What the payload is, in the words of DSSE; it is part of what is signed. */
export const PAYLOAD_TYPE = "application/vnd.in-toto+json";

/** Files of a receipt's commit: the envelope's payload, and its signature as ssh-keygen writes it. */
export const STATEMENT_FILE = "statement.json";
export const SIGNATURE_FILE = "statement.sig";

/** The bytes that are signed: DSSE's pre-authentication encoding of the payload. */
export function preAuthEncoding(payload: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `);
  const bytes = new Uint8Array(head.length + payload.length);
  bytes.set(head);
  bytes.set(payload, head.length);
  return bytes;
}
