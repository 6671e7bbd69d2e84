import { expect, test } from "vitest";
import { maskSecrets } from "../../src/action/mask-secrets.js";

test("the token and every line of the signing key are masked, and no empty line, which would hide everything", () => {
  const masked: string[] = [];
  const key =
    "-----BEGIN OPENSSH PRIVATE KEY-----\r\nb3BlbnNz\n\n  aC1rZXk= \n-----END OPENSSH PRIVATE KEY-----\n";
  maskSecrets({ token: "ghs_1", "signing-key": key }, (line) => masked.push(line));
  expect(masked).toEqual([
    "ghs_1",
    // As git sends it.
    "eC1hY2Nlc3MtdG9rZW46Z2hzXzE=",
    "-----BEGIN OPENSSH PRIVATE KEY-----",
    "b3BlbnNz",
    "aC1rZXk=",
    "-----END OPENSSH PRIVATE KEY-----",
  ]);
});

test("without them nothing is masked", () => {
  const masked: string[] = [];
  maskSecrets({ token: "", "signing-key": undefined }, (line) => masked.push(line));
  expect(masked).toEqual([]);
});
