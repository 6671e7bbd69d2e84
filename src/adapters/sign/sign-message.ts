import { signingAdvice } from "../../core/replies/sign/signing.js";
import { RECEIPT_NAMESPACE } from "../../core/sign/allowed-signers.js";
import { UserError } from "../../lib/user-error.js";
import { askSshKeygen } from "./ask-ssh-keygen.js";

/** What ssh-keygen makes of a message for receipts, with the key whose public half is in the file. */
export async function signMessage(
  message: Uint8Array,
  { keyFile, socket }: { readonly keyFile: string; readonly socket?: string },
): Promise<string> {
  const args = ["-q", "-Y", "sign", "-n", RECEIPT_NAMESPACE, "-f", keyFile];
  const { code, stdout, stderr } = await askSshKeygen(args, message, socket);
  if (code !== 0) throw UserError.of(signingAdvice.cannotSign(stderr));
  return stdout;
}
