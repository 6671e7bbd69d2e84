import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  isSignedBy,
  readSshSignature,
  signSsh,
  sshPublicKey,
} from "../../../src/sandbox/sign/ssh-signature.js";
import { addressOf, git, openSandbox } from "../../support/app/sandbox-lab.js";
import { sshKey } from "../../support/git/ssh-keys.js";
import { tempFolder } from "../../support/temp-folder.js";

test.each([
  ["ed25519", ["-t", "ed25519"]],
  ["rsa", ["-t", "rsa", "-b", "1024"]],
  ["ecdsa", ["-t", "ecdsa", "-b", "521"]],
])("a signature by ssh-keygen with a key of the kind %s is known for what it is", (_, args) => {
  const folder = tempFolder();
  const key = sshKey(join(folder, "key"), { args });
  writeFileSync(join(folder, "text"), "agreed\n");
  execFileSync("ssh-keygen", ["-q", "-Y", "sign", "-n", "git", "-f", key.path, join(folder, "text")], {
    stdio: "ignore",
  });
  const read = readSshSignature(readFileSync(join(folder, "text.sig"), "utf8"));
  if (read === null) return expect.fail("it was not read");
  expect([read.publicKey, read.namespace]).toEqual([key.publicKey, "git"]);
  expect([isSignedBy(read, "agreed\n"), isSignedBy(read, "denied\n")]).toEqual([true, false]);
  expect(isSignedBy({ ...read, bytes: read.bytes.subarray(0, -1) }, "agreed\n")).toBe(false);
});

test("ssh-keygen takes what the sandbox signs with for good", () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const folder = tempFolder();
  writeFileSync(join(folder, "signers"), `github ${sshPublicKey(privateKey)}\n`);
  writeFileSync(join(folder, "sig"), `${signSsh(privateKey, "merged\n")}\n`);
  const args = ["-Y", "verify", "-n", "git", "-I", "github", "-f", "signers", "-s", "sig"];
  expect(execFileSync("ssh-keygen", args, { cwd: folder, input: "merged\n" }).toString()).toMatch(/^Good/);
});

test("a commit is verified for a key and an address of one person, and stays so", async () => {
  const sandbox = await openSandbox();
  const repository = await sandbox.addRepository({ owner: "you", name: "play" });
  const top = tempFolder();
  const key = sshKey(join(top, "key"));
  const folder = join(top, "clone");
  const address = addressOf(sandbox, "you/play", sandbox.tokenFor("you"));
  await git("/", "clone", "--quiet", address, folder);
  const signed = ["-c", "gpg.format=ssh", "-c", `user.signingkey=${key.path}`];
  await git(folder, ...signed, "commit", "--quiet", "-S", "--allow-empty", "-m", "one");
  await git(folder, "push", "--quiet", "origin", "HEAD:one");
  const sha = (await git(folder, "rev-parse", "HEAD")).trim();
  const verification = async (ref = sha) => {
    const answer = await fetch(`${sandbox.url}/repos/you/play/commits/${ref}`);
    const body = (await answer.json()) as { commit: { verification: { reason: string; verified: boolean } } };
    return body.commit.verification;
  };
  const reason = async () => (await verification()).reason;

  expect(await verification("main")).toMatchObject({ verified: false, reason: "unsigned", signature: null });
  expect(await reason()).toBe("no_user");
  sandbox.addEmail("ann", "ann@example.com", false);
  expect(await reason()).toBe("unverified_email");
  sandbox.addEmail("bea", "bea@example.com");
  sandbox.state.users.find(({ login }) => login === "ann")?.emails?.pop();
  sandbox.addEmail("ann", "Ann@example.com");
  expect(await reason()).toBe("unknown_key");
  sandbox.addSigningKey("bea", `${key.publicKey} a comment`);
  expect(await reason()).toBe("bad_email");

  sandbox.addRuleset("you/play", { rules: [{ type: "required_signatures" }] });
  await expect(git(folder, "push", "origin", "HEAD:main")).rejects.toThrow(/verified signatures/);
  sandbox.removeSigningKey("bea", key.publicKey);
  sandbox.addSigningKey("ann", key.publicKey);
  await git(folder, "push", "--quiet", "origin", "HEAD:main");
  sandbox.removeSigningKey("ann", key.publicKey);
  expect(await verification()).toMatchObject({
    ...{ verified: true, reason: "valid", verified_at: expect.any(String) },
    signature: expect.stringMatching(/^-----BEGIN SSH/),
    payload: expect.stringMatching(/^tree .*\n\none\n$/s),
  });

  sandbox.addSigningKey("ann", key.publicKey);
  const raw = await sandbox.world.git(repository, ["cat-file", "commit", sha]);
  const write = ["hash-object", "-t", "commit", "-w", "--stdin"];
  const forged = await sandbox.world.git(repository, write, raw.replace("\none\n", "\ntwo\n"));
  expect((await verification(forged.trim())).reason).toBe("invalid");
  const query = `{ repository(owner: "you", name: "play") { object(oid: "${sha}") {
    ... on Commit { author { email user { login } } tree { oid }
      signature { __typename isValid state signer { login } wasSignedByGitHub } } } } }`;
  const answer = await fetch(`${sandbox.url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.tokenFor("you")}` },
    body: JSON.stringify({ query }),
  });
  expect(await answer.json()).toMatchObject({
    data: {
      repository: {
        object: {
          author: { email: "ann@example.com", user: { login: "ann" } },
          signature: { __typename: "SshSignature", isValid: true, state: "VALID", signer: { login: "ann" } },
        },
      },
    },
  });
});
