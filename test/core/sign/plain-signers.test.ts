import { expect, test } from "vitest";
import { plainSigners } from "../../../src/core/sign/plain-signers.js";

/** As long as a key is. */
function key(of: string): string {
  return `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${of.repeat(43).slice(0, 43)}`;
}

const [ANN, BOB, CAL] = [key("Ann"), key("Bob"), key("Cal")];

test.each<{ name: string; text: string; signers: Record<string, string> }>([
  {
    name: "a key counts for everything",
    text: `ann@example.com ${ANN}\n`,
    signers: { [ANN]: "ann@example.com" },
  },
  { name: "a key counts for commits", text: `ann namespaces="file,git" ${ANN}`, signers: { [ANN]: "ann" } },
  { name: "a key counts for receipts alone", text: `ann namespaces="koryph-receipt" ${ANN}\n`, signers: {} },
  {
    name: "remarks and empty lines are no hindrance",
    text: `# us\n\nann ${ANN} ann at home\n`,
    signers: { [ANN]: "ann" },
  },
  { name: "nobody is in it", text: "", signers: {} },
])("understood: $name", ({ text, signers }) => {
  expect(Object.fromEntries(plainSigners(text))).toEqual(signers);
});

test.each<{ name: string; text: string }>([
  { name: "several names", text: `ann,bob ${ANN}` },
  { name: "a pattern of names", text: `*@example.com ${ANN}` },
  { name: "names taken out", text: `!ann,* ${ANN}` },
  { name: "a key in two lines", text: `ann ${ANN}\nbob ${ANN}` },
  { name: "a key for commits in the second of two lines", text: `ann namespaces="file" ${ANN}\nann ${ANN}` },
])("passed over, and its key left to ssh-keygen: $name", ({ text }) => {
  expect([...plainSigners(`bob ${BOB}\n${text}\ncal ${CAL}\n`).values()]).toEqual(["bob", "cal"]);
});

test.each<{ name: string; text: string }>([
  { name: "a quoted name", text: `"ann" ${ANN}` },
  { name: "a pattern of namespaces", text: `ann namespaces="g*" ${ANN}` },
  { name: "a namespace taken out", text: `ann namespaces="git,!git" ${ANN}` },
  { name: "an authority", text: `ann cert-authority ${ANN}` },
  { name: "a time", text: `ann valid-before="20200101Z" ${ANN}` },
  { name: "a time and a namespace", text: `ann namespaces="git",valid-after="20200101Z" ${ANN}` },
  { name: "a key of which something is missing", text: `ann ${ANN.slice(0, -1)}` },
  { name: "a key with too much to it", text: `ann ${ANN}AAAA` },
  { name: "a key that says it is longer than it is", text: `ann ${ANN.replace("AAAAIA", "AAAAIZ")}` },
  { name: "a key of another kind", text: "ann ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAI" },
  { name: "a line that says nothing", text: "what is this" },
  { name: "white space in front", text: `  ann ${ANN}` },
  { name: "the line ends of another system", text: `ann ${ANN}\r` },
  { name: "a byte that is no letter", text: `ann ${ANN} \u0000` },
])("read no further: $name", ({ text }) => {
  expect([...plainSigners(`bob ${BOB}\n${text}\ncal ${CAL}\n`).values()]).toEqual(["bob"]);
});
