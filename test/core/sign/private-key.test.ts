import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keyTextOf } from "../../../src/core/sign/private-key.js";
import { sshKey } from "../../support/git/ssh-keys.js";
import { tempFolder } from "../../support/temp-folder.js";

const RSA = ["-t", "rsa", "-b", "1024"];

test.each([
  { name: "an ed25519 key", args: ["-t", "ed25519"], expected: "open" },
  {
    name: "an ed25519 key with a passphrase",
    args: ["-t", "ed25519"],
    passphrase: "secret",
    expected: "locked",
  },
  { name: "an RSA key", args: RSA, expected: "open" },
  { name: "an RSA key as PEM", args: [...RSA, "-m", "PEM"], expected: "open" },
  {
    name: "an RSA key as PEM with a passphrase",
    args: [...RSA, "-m", "PEM"],
    passphrase: "secret",
    expected: "locked",
  },
  { name: "an RSA key as PKCS8", args: [...RSA, "-m", "PKCS8"], expected: "open" },
  {
    name: "an RSA key as PKCS8 with a passphrase",
    args: [...RSA, "-m", "PKCS8"],
    passphrase: "secret",
    expected: "locked",
  },
])("$name is $expected", ({ args, passphrase = "", expected }) => {
  const { path } = sshKey(join(tempFolder(), "key"), { args, passphrase });
  expect(keyTextOf(readFileSync(path, "utf8"))).toBe(expected);
  expect(keyTextOf(readFileSync(path, "utf8").replaceAll("\n", "\r\n"))).toBe(expected);
  expect(keyTextOf(readFileSync(`${path}.pub`, "utf8"))).toBe("public");
});

test.each([
  { name: "nothing", text: "" },
  { name: "an error message", text: "[ERROR] you are not signed in\n" },
  { name: "a key that was cut", text: "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXkt\n" },
  {
    name: "something else between the lines of a key",
    text: "-----BEGIN OPENSSH PRIVATE KEY-----\naGVsbG8=\n-----END OPENSSH PRIVATE KEY-----\n",
  },
])("$name is no key", ({ text }) => {
  expect(keyTextOf(text)).toBe("other");
});
