import { expect, test } from "vitest";
import { SIGNATURE_LETTERS, type SignatureLetter } from "../../../src/core/land/commit-signature.js";
import { explainSignature } from "../../../src/core/replies/sign/signing.js";

const SAYS: Record<SignatureLetter, string> = {
  G: "good signature by ann@example.com",
  B: "bad signature",
  U: "the key SHA256:abc, which .allowed_signers on the base branch does not name",
  X: "by ann@example.com that has expired",
  Y: "the key SHA256:abc, which has expired",
  R: "the key SHA256:abc, which was revoked",
  E: "cannot be checked",
  N: "not signed",
};

test.each(SIGNATURE_LETTERS)("%s is explained in words", (letter) => {
  const signature = { sha: "1".repeat(40), letter, signer: "ann@example.com", fingerprint: "SHA256:abc" };
  expect(explainSignature(signature)).toContain(SAYS[letter]);
});

test("a signer's name cannot drive the terminal", () => {
  const signature = { sha: "1".repeat(40), letter: "G" as const, signer: "ann\u001b[2J", fingerprint: "" };
  expect(explainSignature(signature)).not.toContain("\u001b");
});
