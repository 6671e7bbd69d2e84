import { expect, test } from "vitest";
import { plainSigners } from "../../../src/core/sign/plain-signers.js";

const ANN = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAnn";
const BOB = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBob";

test.each<{ name: string; text: string; signers: Record<string, string> }>([
  {
    name: "a key counts for everything",
    text: `ann@example.com ${ANN}\n`,
    signers: { [ANN]: "ann@example.com" },
  },
  { name: "a key counts for commits", text: `ann namespaces="file,git" ${ANN}`, signers: { [ANN]: "ann" } },
  { name: "a key counts for receipts alone", text: `ann namespaces="koryph-receipt" ${ANN}\n`, signers: {} },
  {
    name: "remarks, empty lines and other kinds of key are no hindrance",
    text: `# us\n\nann ${ANN} ann at home\nbob ecdsa-sha2-nistp256 AAAAE2Vj\n`,
    signers: { [ANN]: "ann", "ecdsa-sha2-nistp256 AAAAE2Vj": "bob" },
  },
  { name: "nobody is in it", text: "", signers: {} },
])("understood: $name", ({ text, signers }) => {
  expect(Object.fromEntries(plainSigners(text) ?? [["not", "understood"]])).toEqual(signers);
});

test.each<{ name: string; text: string }>([
  { name: "several names", text: `ann,bob ${ANN}` },
  { name: "a pattern of names", text: `*@example.com ${ANN}` },
  { name: "names taken out", text: `!ann ${ANN}` },
  { name: "a quoted name", text: `"ann" ${ANN}` },
  { name: "a pattern of namespaces", text: `ann namespaces="g*" ${ANN}` },
  { name: "a namespace taken out", text: `ann namespaces="git,!git" ${ANN}` },
  { name: "an authority", text: `ann cert-authority ${ANN}` },
  { name: "a time", text: `ann valid-before="20200101Z" ${ANN}` },
  { name: "a time and a namespace", text: `ann namespaces="git",valid-after="20200101Z" ${ANN}` },
  { name: "a key in two lines", text: `ann ${ANN}\nbob ${ANN}` },
  { name: "a key of which something is missing", text: "ann ssh-ed25519" },
  { name: "a line that says nothing", text: `ann ${ANN}\nwhat is this\n` },
  { name: "white space in front", text: `  ann ${ANN}` },
  { name: "the line ends of another system", text: `ann ${ANN}\r\n` },
  { name: "a byte that is no letter", text: `ann ${ANN} \u0000\n` },
])("left to ssh-keygen: $name", ({ text }) => {
  expect(plainSigners(`bob ${BOB}\n${text}`)).toBeNull();
});
