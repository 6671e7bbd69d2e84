import { expect, test } from "vitest";
import { allowedSigners } from "../../../src/core/sign/allowed-signers.js";
import { receiptSigner } from "../../../src/core/sign/receipt-signers.js";

const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFKfNSW9Dz+QRqy6IHnSZFuJHsN7HUCgVF+5cdKTqsff";

test.each<{ options: string; signer: string | null }>([
  { options: 'namespaces="koryph-receipt"', signer: "koryph@shop" },
  { options: 'namespaces="git,koryph-receipt"', signer: "koryph@shop" },
  { options: 'namespaces="git"', signer: null },
  { options: "", signer: null },
  { options: 'namespaces="*"', signer: null },
  { options: 'namespaces="koryph-*"', signer: null },
  { options: 'namespaces="koryph-receipt,!koryph-receipt"', signer: null },
  { options: 'cert-authority,namespaces="koryph-receipt"', signer: null },
  { options: 'namespaces="koryph-receipt",valid-before="20261118Z"', signer: "koryph@shop" },
  { options: 'namespaces="koryph-receipt",valid-before="20261117235959Z"', signer: null },
  { options: 'namespaces="koryph-receipt",valid-after="20261118Z"', signer: "koryph@shop" },
  { options: 'namespaces="koryph-receipt",valid-after="202611180001Z"', signer: null },
  { options: 'namespaces="koryph-receipt",valid-before="20261120"', signer: "koryph@shop" },
])("a line with $options lets $signer sign receipts", ({ options, signer }) => {
  const allowed = allowedSigners(`koryph@shop ${options} ${KEY}\n`);
  expect(receiptSigner(KEY, { allowed, at: new Date("2026-11-18T00:00:00Z") })).toBe(signer);
});
