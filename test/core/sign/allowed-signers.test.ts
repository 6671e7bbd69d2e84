import { describe, expect, test } from "vitest";
import {
  type AllowedSigner,
  allowedSigners,
  linesNaming,
  withSigner,
} from "../../../src/core/sign/allowed-signers.js";

const KEY = "AAAAC3NzaC1lZDI1NTE5AAAAIFKfNSW9Dz+QRqy6IHnSZFuJHsN7HUCgVF+5cdKTqsff";
const PUBLIC = `ssh-ed25519 ${KEY}`;

const ann: AllowedSigner = {
  line: 1,
  principals: ["ann@example.com"],
  certAuthority: false,
  namespaces: null,
  validAfter: null,
  validBefore: null,
  keyType: "ssh-ed25519",
  key: KEY,
};

describe("a line of .allowed_signers", () => {
  test.each<{ name: string; line: string; expected: Partial<AllowedSigner> }>([
    { name: "names a principal and a key", line: `ann@example.com ${PUBLIC}`, expected: {} },
    { name: "may end in a comment", line: `ann@example.com ${PUBLIC} Ann's laptop`, expected: {} },
    { name: "may be indented and end in CR", line: `  ann@example.com\t${PUBLIC}\r`, expected: {} },
    {
      name: "may name several principals",
      line: `ann@example.com,*@team.example ${PUBLIC}`,
      expected: { principals: ["ann@example.com", "*@team.example"] },
    },
    {
      name: "may quote its principals",
      line: `"ann@example.com" ${PUBLIC}`,
      expected: {},
    },
    {
      name: "may hold for some namespaces only",
      line: `ann@example.com namespaces="git,file" ${PUBLIC}`,
      expected: { namespaces: ["git", "file"] },
    },
    {
      name: "may hold for a time only, and be of an authority",
      line: `ann@example.com cert-authority,valid-after="20240101Z",valid-before="202601011200" ${PUBLIC}`,
      expected: { certAuthority: true, validAfter: "20240101Z", validBefore: "202601011200" },
    },
    {
      name: "may write options in capitals",
      line: `ann@example.com Namespaces="git" ${PUBLIC}`,
      expected: { namespaces: ["git"] },
    },
    {
      name: "may name a hardware key",
      line: `ann@example.com sk-ssh-ed25519@openssh.com ${KEY}`,
      expected: { keyType: "sk-ssh-ed25519@openssh.com" },
    },
  ])("$name", ({ line, expected }) => {
    expect(allowedSigners(line)).toEqual({ signers: [{ ...ann, ...expected }], problems: [] });
  });

  test.each([
    { name: "without a key", line: "ann@example.com ssh-ed25519", says: "no key after ssh-ed25519" },
    {
      name: "with a key that is no base64",
      line: "ann@example.com ssh-ed25519 hello!",
      says: "no key after",
    },
    { name: "with a principal alone", line: "ann@example.com", says: "no key type" },
    {
      name: "with an unknown option",
      line: `ann@example.com nonsense ${PUBLIC}`,
      says: "nonsense is not known",
    },
    {
      name: "with a date that is none",
      line: `ann@example.com valid-before="soon" ${PUBLIC}`,
      says: "valid-before is not known, or its value",
    },
    { name: "with a quote left open", line: `ann@example.com namespaces="git ${PUBLIC}`, says: "neither" },
  ])("$name names nobody, and is reported", ({ line, says }) => {
    const { signers, problems } = allowedSigners(`# who may sign\n\n${line}\n`);
    expect(signers).toEqual([]);
    expect(problems).toEqual([{ line: 3, problem: expect.stringContaining(says) }]);
  });
});

test("a key is found by its own lines, not by those of an authority", () => {
  const text = `a@x cert-authority ${PUBLIC}\nb@x ssh-rsa ${KEY}\nc@x ${PUBLIC}\n`;
  expect(linesNaming(PUBLIC, allowedSigners(text)).map(({ line }) => line)).toEqual([3]);
});

describe("allowing a key", () => {
  const line = `koryph@shop namespaces="git,koryph-receipt" ${PUBLIC}\n`;
  const receipts = `koryph@shop namespaces="koryph-receipt" ${PUBLIC}\n`;
  test.each([
    { name: "an absent file gets the line", before: "", after: line },
    {
      name: "lines that are there are kept",
      before: `# team\nb@x ssh-rsa ${KEY}\n`,
      after: `# team\nb@x ssh-rsa ${KEY}\n${line}`,
    },
    { name: "a last line without its end gets one", before: "# team", after: `# team\n${line}` },
    {
      name: "a line for commits is left alone, and receipts get one that names them",
      before: `me@x ${PUBLIC}\n`,
      after: `me@x ${PUBLIC}\n${receipts}`,
    },
    {
      name: "a line for receipts alone gets one for commits",
      before: receipts,
      after: `${receipts}koryph@shop namespaces="git" ${PUBLIC}\n`,
    },
    { name: "the same again changes nothing", before: line, after: line },
    {
      name: "an expiry that somebody set is not undone",
      before: `me@x valid-before="20200101" ${PUBLIC}\n`,
      after: `me@x valid-before="20200101" ${PUBLIC}\n${receipts}`,
    },
    {
      name: "a line for other purposes is not enough",
      before: `me@x namespaces="file" ${PUBLIC}\n`,
      after: `me@x namespaces="file" ${PUBLIC}\n${line}`,
    },
  ])("$name", ({ before, after }) => {
    expect(withSigner(before, "koryph@shop", PUBLIC)).toBe(after);
  });
});
