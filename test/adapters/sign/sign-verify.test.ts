import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { verifySignatures } from "../../../src/adapters/sign/verify-signatures.js";
import { UserError } from "../../../src/lib/user-error.js";
import { commit, git } from "../../support/engine/clone-world.js";
import { type SigningPlace, signingPlace } from "../../support/git/signing-place.js";
import { type SshKey, sshKey } from "../../support/git/ssh-keys.js";

let { top, root, repo, key } = {} as SigningPlace;
const place = signingPlace();
beforeEach(() => {
  ({ top, root, repo, key } = place);
});

function line(of: SshKey, options = 'namespaces="git"'): string {
  return `ann@example.com ${options} ${of.publicKey}\n`;
}

/** The default branch with this `.allowed_signers`, or with none. */
function base(allowed: string | null): string {
  return commit(root, "base", allowed === null ? { a: "1" } : { ".allowed_signers": allowed });
}

function signed(message: string, by: SshKey = key): string {
  const settings = ["-c", "gpg.format=ssh", "-c", `user.signingkey=${by.path}`];
  git(root, ...settings, "commit", "--quiet", "--allow-empty", "-S", "-m", message);
  return git(root, "rev-parse", "HEAD");
}

/** Puts a commit object with this text on top, as nobody's git would make it. */
function forged(change: (text: string) => string): string {
  const text = execFileSync("git", ["cat-file", "commit", "HEAD"], { cwd: root, encoding: "latin1" });
  const changed = Buffer.from(change(text), "latin1");
  const args = ["hash-object", "-t", "commit", "-w", "--stdin"];
  const sha = execFileSync("git", args, { cwd: root, input: changed, encoding: "utf8" }).trim();
  git(root, "reset", "--quiet", "--soft", sha);
  return sha;
}

/** A commit on top whose signature is of another kind. */
function foreign(signature: string, more = ""): string {
  commit(root, "foreign", {});
  const header = `gpgsig ${signature.replaceAll("\n", "\n ")}`;
  return forged((text) => `${text.replace(/^(committer .*)$/m, `$1\n${header}`)}${more}\n`);
}

async function verify(from: string): Promise<string> {
  const found = await verifySignatures(repo, from, { base: from, head: git(root, "rev-parse", "HEAD") });
  return found.map(({ letter }) => letter).join("");
}

const PGP = "-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----";
const X509 = "-----BEGIN SIGNED MESSAGE-----\nMIIC\n-----END SIGNED MESSAGE-----";

describe("judged by .allowed_signers of the base,", () => {
  test("a commit by a key it names is good, and says by whom and with which key", async () => {
    const from = base(line(key));
    const sha = signed("feat: one");
    expect(await verifySignatures(repo, from, { base: from, head: sha })).toEqual([
      { sha, letter: "G", signer: "ann@example.com", fingerprint: key.fingerprint },
    ]);
  });

  test("a commit by a key it does not name is by nobody known", async () => {
    const from = base(line(key));
    const other = sshKey(join(top, "other"));
    const sha = signed("feat: one", other);
    expect(await verifySignatures(repo, from, { base: from, head: sha })).toEqual([
      { sha, letter: "U", signer: "", fingerprint: other.fingerprint },
    ]);
  });

  test.each([
    { name: "a key whose time is over", options: 'namespaces="git",valid-before="20200101Z"', letter: "U" },
    { name: "a key whose time is to come", options: 'namespaces="git",valid-after="29990101Z"', letter: "U" },
    {
      name: "a key within its time",
      options: 'valid-after="20200101Z",valid-before="29990101Z"',
      letter: "G",
    },
    { name: "a key for something else", options: 'namespaces="file"', letter: "B" },
  ])("$name is $letter", async ({ options, letter }) => {
    const from = base(line(key, options));
    signed("feat: one");
    expect(await verify(from)).toBe(letter);
  });

  test("a commit that was changed after it was signed is bad", async () => {
    const from = base(line(key));
    signed("feat: one");
    forged((text) => text.replace("feat: one", "feat: two"));
    expect(await verify(from)).toBe("B");
  });

  test("a commit without a signature is unsigned", async () => {
    const from = base(line(key));
    commit(root, "feat: one", {});
    expect(await verify(from)).toBe("N");
  });

  test("every commit of the range is told, oldest first", async () => {
    const from = base(line(key));
    const shas = [signed("1"), commit(root, "2", {}), signed("3", sshKey(join(top, "other"))), signed("4")];
    const found = await verifySignatures(repo, from, { base: from, head: shas[3] ?? "" });
    expect(found.map(({ sha }) => sha)).toEqual(shas);
    expect(found.map(({ letter }) => letter).join("")).toBe("GNUG");
  });

  test("an empty range has nothing to tell", async () => {
    const from = base(line(key));
    expect(await verify(from)).toBe("");
  });

  test("a branch cannot allow its own signer", async () => {
    const from = base("");
    commit(root, "feat: allow me", { ".allowed_signers": line(key) });
    signed("feat: one");
    expect(await verify(from)).toBe("NU");
  });

  test("a commit that only the range holds is judged by the base given, not by the range's own start", async () => {
    const start = base(line(key));
    signed("feat: one");
    const head = git(root, "rev-parse", "HEAD");
    git(root, "checkout", "--quiet", "-b", "later", start);
    const later = commit(root, "revoke", { ".allowed_signers": "# nobody\n" });
    const [found] = await verifySignatures(repo, later, { base: start, head });
    expect(found?.letter).toBe("U");
  });

  test.each<{ name: string; allowed: string | null }>([
    { name: "an absent file", allowed: null },
    { name: "an empty file", allowed: "" },
    { name: "a file of nonsense", allowed: "\u0000\u0001 what\n*\n" },
  ])("$name allows nobody", async ({ allowed }) => {
    const from = base(allowed);
    signed("feat: one");
    expect(await verify(from)).toBe("U");
  });
});

describe("a signature of another kind", () => {
  test.each([
    { kind: "OpenPGP", signature: PGP },
    { kind: "X.509", signature: X509 },
  ])("$kind cannot be checked, and no program is run for it", async ({ signature }) => {
    const bin = join(top, "bin");
    mkdirSync(bin);
    for (const name of ["gpg", "gpg2", "gpgsm"]) {
      writeFileSync(join(bin, name), `#!/bin/sh\ntouch ${top}/ran-it\n`);
      chmodSync(join(bin, name), 0o755);
    }
    vi.stubEnv("PATH", `${bin}${delimiter}${process.env.PATH}`);
    git(root, "config", "gpg.program", join(bin, "gpg"));
    const from = base(line(key));
    commit(root, "plain", {});
    foreign(signature);
    expect(await verify(from)).toBe("NE");
    expect(existsSync(join(top, "ran-it"))).toBe(false);
  });

  test("that git has never heard of spoils the judgement of no other commit", async () => {
    const from = base(line(key));
    signed("feat: one");
    foreign("nonsense");
    commit(root, "plain", {});
    signed("feat: two");
    expect(await verify(from)).toBe("GENG");
  });

  test("that says SSH and holds nothing is bad, and spoils the judgement of no other commit", async () => {
    const from = base(line(key));
    signed("feat: one");
    foreign("-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----");
    signed("feat: two");
    expect(await verify(from)).toBe("GBG");
  });

  test("that git dies of is bad, too: ssh-keygen reads no more than it must, and the commit is long", async () => {
    const from = base(line(key));
    signed("feat: one");
    foreign("-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----", "x".repeat(500_000));
    signed("feat: two");
    expect(await verify(from)).toBe("GBG");
  });
});

test("a message that looks like a signature is none", async () => {
  const from = base(line(key));
  commit(root, `feat: one\n\ngpgsig ${PGP}`, {});
  expect(await verify(from)).toBe("N");
});

test("a program for SSH signatures that the repository names is not run", async () => {
  const from = base(line(key));
  writeFileSync(join(top, "evil"), `#!/bin/sh\ntouch ${top}/ran-it\n`);
  chmodSync(join(top, "evil"), 0o755);
  signed("feat: one");
  signed("feat: two", sshKey(join(top, "other")));
  git(root, "config", "gpg.ssh.program", join(top, "evil"));
  expect(await verify(from)).toBe("GU");
  expect(existsSync(join(top, "ran-it"))).toBe(false);
});

test("without ssh-keygen nothing is called bad: the operator is told", async () => {
  const from = base(line(key));
  signed("feat: one", sshKey(join(top, "other")));
  const bin = join(top, "bin");
  mkdirSync(bin);
  symlinkSync(execFileSync("which", ["git"], { encoding: "utf8" }).trim(), join(bin, "git"));
  const head = git(root, "rev-parse", "HEAD");
  vi.stubEnv("PATH", bin);
  await expect(verifySignatures(repo, from, { base: from, head })).rejects.toBeInstanceOf(UserError);
});

test("a base that does not exist is broken, not a base without signers", async () => {
  const from = base(line(key));
  const head = signed("feat: one");
  await expect(verifySignatures(repo, "1".repeat(40), { base: from, head })).rejects.toThrow("rev-parse");
});

test("no copy of the file stays behind", async () => {
  const from = base(line(key));
  signed("feat: one");
  await verify(from);
  expect(readdirSync(join(top, "tmp"))).toEqual([]);
});
