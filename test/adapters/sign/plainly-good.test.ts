import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { judgeSignatures, verifySignatures } from "../../../src/adapters/sign/verify-signatures.js";
import { commit, git } from "../../support/engine/clone-world.js";
import { type SigningPlace, signingPlace } from "../../support/git/signing-place.js";
import { type SshKey, sshKey } from "../../support/git/ssh-keys.js";

let { top, root, repo, key } = {} as SigningPlace;
const place = signingPlace();
beforeEach(() => {
  ({ top, root, repo, key } = place);
});

const line = (of: SshKey, name = "ann@example.com") => `${name} namespaces="git" ${of.publicKey} at home\n`;
const base = (allowed: string) => commit(root, "base", { ".allowed_signers": allowed });

function signed(message: string, by: SshKey = key, ...more: string[]): string {
  const settings = ["-c", "gpg.format=ssh", "-c", `user.signingkey=${by.path}`, ...more];
  git(root, ...settings, "commit", "--quiet", "--allow-empty", "-S", "-m", message);
  return git(root, "rev-parse", "HEAD");
}

/** A commit put together by hand, signed, and with its signature as it is made here. */
function handmade(
  at: string,
  { committer = "Ann <ann@example.com> 1700000000 +0000", armour = (text: string) => text },
) {
  const run = (args: readonly string[], input: string) =>
    execFileSync("git", args, { cwd: at, input, encoding: "utf8" }).trim();
  const [tree, parent] = [git(at, "rev-parse", "HEAD^{tree}"), git(at, "rev-parse", "HEAD")];
  const head = `tree ${tree}\nparent ${parent}\nauthor ${committer}\ncommitter ${committer}\n`;
  const message = "\nfeat: one\n";
  const signature = execFileSync("ssh-keygen", ["-q", "-Y", "sign", "-n", "git", "-f", key.path], {
    input: head + message,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "ignore"],
  });
  const header = `gpgsig ${armour(signature.trimEnd()).replaceAll("\n", "\n ")}\n`;
  return run(["hash-object", "-t", "commit", "-w", "--literally", "--stdin"], head + header + message);
}

/** Git alone on the path: whoever needs ssh-keygen finds none. */
function withoutKeygen(): void {
  const bin = join(top, "bin");
  mkdirSync(bin);
  symlinkSync(execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim(), join(bin, "git"));
  vi.stubEnv("PATH", bin);
}

test("what is good beyond doubt needs no ssh-keygen, and is told in the same words", async () => {
  const bob = sshKey(join(top, "bob"));
  const rsa = sshKey(join(top, "rsa"), { args: ["-t", "rsa", "-b", "2048"] });
  const below = line(rsa) + line(rsa).replace('"git"', '"git",valid-before="20200101Z"');
  const allowed = `# us\n${line(bob, "bob")}*@example.net,!eve ${sshKey(join(top, "other")).publicKey}\n${line(key)}${below}`;
  const from = base(allowed);
  const [first, second] = [signed("feat: one"), signed("feat: zwölf\n\nmit Grüßen", bob)];
  const third = signed("feat: caf\u00e9", key, "-c", "i18n.commitEncoding=ISO-8859-1");
  const range = { base: from, head: third };
  const asked = await judgeSignatures(repo, allowed, `${from}..${third}`);
  withoutKeygen();
  const found = await verifySignatures(repo, from, range);
  expect(found).toEqual(asked);
  expect(found).toEqual([
    { sha: first, letter: "G", signer: "ann@example.com", fingerprint: key.fingerprint },
    { sha: second, letter: "G", signer: "bob", fingerprint: bob.fingerprint },
    { sha: third, letter: "G", signer: "ann@example.com", fingerprint: key.fingerprint },
  ]);
});

describe("is left to ssh-keygen:", () => {
  const byHand = (facts: Parameters<typeof handmade>[1], allowed = line(key)) => {
    const from = base(allowed);
    return { allowed, from, head: handmade(root, facts) };
  };
  const cases: readonly { name: string; make: () => { allowed: string; head: string; from: string } }[] = [
    {
      name: "a key of another kind",
      make: () => {
        const rsa = sshKey(join(top, "rsa"), { args: ["-t", "rsa", "-b", "2048"] });
        const from = base(line(rsa));
        return { allowed: line(rsa), from, head: signed("feat: one", rsa) };
      },
    },
    {
      name: "a key that the list does not name",
      make: () => {
        const from = base(line(key));
        return { allowed: line(key), from, head: signed("feat: one", sshKey(join(top, "other"))) };
      },
    },
    {
      name: "one commit that is not signed",
      make: () => {
        const from = base(line(key));
        signed("feat: one");
        return { allowed: line(key), from, head: commit(root, "two", {}) };
      },
    },
    {
      name: "a history that is no line",
      make: () => {
        const from = base(line(key));
        signed("feat: one");
        git(root, "checkout", "--quiet", "-b", "side", from);
        signed("feat: two");
        const settings = ["-c", "gpg.format=ssh", "-c", `user.signingkey=${key.path}`];
        git(root, ...settings, "merge", "--quiet", "-S", "--no-edit", "--no-ff", "main");
        return { allowed: line(key), from, head: git(root, "rev-parse", "HEAD") };
      },
    },
    {
      name: "more commits than are read one by one",
      make: () => {
        const from = base(line(key));
        let head = "";
        for (let n = 0; n < 33; n += 1) head = signed(`feat: ${n}`);
        return { allowed: line(key), from, head };
      },
    },
    {
      name: "a list with times",
      make: () => {
        const allowed = line(key).replace('"git"', '"git",valid-before="20200101Z"');
        const from = base(allowed);
        return { allowed, from, head: signed("feat: one") };
      },
    },
    ...["Ann <ann@example.com>", "Ann <ann@example.com> 999999999999999 +0000"].map((committer) => ({
      name: `a committer that reads "${committer}"`,
      make: () => byHand({ committer }),
    })),
    {
      name: "a signature whose end begins in the middle of a line",
      make: () => byHand({ armour: (text) => text.replace("\n-----END", "-----END") }),
    },
    {
      name: "a name longer than ssh-keygen compares",
      make: () => byHand({}, line(key, "a".repeat(2000))),
    },
    {
      name: "a namespace longer than ssh-keygen compares",
      make: () => byHand({}, line(key).replace('"git"', `"${"a".repeat(1500)},git"`)),
    },
  ];
  test.each(cases)("$name", async ({ make }) => {
    const { allowed, from, head } = make();
    const asked = await judgeSignatures(repo, allowed, `${from}..${head}`);
    expect(await verifySignatures(repo, from, { base: from, head })).toEqual(asked);
    withoutKeygen();
    await expect(verifySignatures(repo, from, { base: from, head })).rejects.toThrow("ssh-keygen");
  });
});

test.each(["nobody", ""])('is left to git: a committer that reads "%s"', async (committer) => {
  const from = base(line(key));
  const range = { base: from, head: handmade(root, { committer }) };
  const asked = await judgeSignatures(repo, line(key), `${from}..${range.head}`);
  expect(asked.map(({ letter }) => letter)).toEqual(["E"]);
  expect(await verifySignatures(repo, from, range)).toEqual(asked);
});

test("is left to git: where names are longer, git takes a signature from another header", async () => {
  const other = join(top, "longer");
  git(top, "init", "--quiet", "--initial-branch=main", "--object-format=sha256", other);
  const from = commit(other, "base", { ".allowed_signers": line(key) });
  const head = handmade(other, {});
  const repo = join(other, ".git");
  const asked = await judgeSignatures(repo, line(key), `${from}..${head}`);
  expect(asked.map(({ letter }) => letter)).toEqual(["E"]);
  expect(await verifySignatures(repo, from, { base: from, head })).toEqual(asked);
});
