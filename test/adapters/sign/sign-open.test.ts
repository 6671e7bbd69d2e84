import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { quietGit, quietOutput } from "../../../src/adapters/git/exec/quiet-git.js";
import { layScratch } from "../../../src/adapters/git/exec/scratch-repo.js";
import { openSigner, type SignerSettings } from "../../../src/adapters/sign/open-signer.js";
import { judgeSignatures } from "../../../src/adapters/sign/verify-signatures.js";
import type { Signer } from "../../../src/ports/signer.js";
import { commit, git } from "../../support/engine/clone-world.js";
import { type SigningPlace, signingPlace } from "../../support/git/signing-place.js";
import { beside, commandLine, operatorAgent } from "../../support/git/ssh-agents.js";
import { filesWith, secretLines, sshKey } from "../../support/git/ssh-keys.js";
import { longTest } from "../../support/long.js";

const NAMES = {
  GIT_AUTHOR_NAME: "k",
  GIT_AUTHOR_EMAIL: "k@x",
  GIT_COMMITTER_NAME: "k",
  GIT_COMMITTER_EMAIL: "k@x",
};

let { top, root, repo, key } = {} as SigningPlace;
const place = signingPlace();
beforeEach(() => {
  ({ top, root, repo, key } = place);
});

async function open(given: Partial<SignerSettings> = {}): Promise<Signer> {
  const env = { PATH: process.env.PATH, HOME: top, SSH_AUTH_SOCK: join(top, "operator.sock") };
  const socketFolder = join(top, "sockets");
  const signer = await openSigner({ provider: "file", keyRef: key.path, root, socketFolder, env, ...given });
  onTestFinished(() => signer.close());
  return signer;
}

function settings(signer: Signer): string[] {
  return signer.git.config.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

async function sign(signer: Signer) {
  const tree = (await quietOutput(repo, ["mktree"], { input: "" })).trim();
  const args = [...settings(signer), "commit-tree", "-S", "-m", "one", tree];
  return quietGit(repo, args, { env: { ...NAMES, ...signer.git.env } });
}

/** The letter of a commit signed as the engine signs. */
async function signedWith(signer: Signer): Promise<string> {
  const { stdout, stderr } = await sign(signer);
  return stdout === "" ? stderr : letters(stdout.trim());
}

async function letters(revisions: string): Promise<string> {
  const found = await judgeSignatures(repo, `me@x namespaces="git" ${key.publicKey}\n`, revisions);
  return found.map(({ letter }) => letter).join("");
}

function socketOf(signer: Signer): string {
  return signer.git.env.SSH_AUTH_SOCK ?? "";
}

/** Behind the socket that git sees: the agent with the key. */
function innerSocket(signer: Signer): string {
  return join(dirname(socketOf(signer)), "agent");
}

describe("a commit is signed with the key", () => {
  test("of a file", async () => {
    const signer = await open();
    expect(signer).toMatchObject({ publicKey: key.publicKey, fingerprint: key.fingerprint });
    expect(await signedWith(signer)).toBe("G");
  });

  test("of a file below the home folder", async () => {
    expect(await signedWith(await open({ keyRef: "~/key" }))).toBe("G");
  });

  test("that a command prints", async () => {
    const keyRef = `cat '${key.path}'; echo chatter >&2`;
    expect(await signedWith(await open({ provider: "command", keyRef }))).toBe("G");
  });

  test.each([
    { by: "its fingerprint", keyRef: () => key.fingerprint },
    { by: "its comment", keyRef: () => "mine" },
  ])("of the operator's agent, named by $by", async ({ keyRef }) => {
    key = sshKey(join(top, "mine"), { comment: "mine" });
    await operatorAgent(join(top, "operator.sock"), sshKey(join(top, "other")), key);
    expect(await signedWith(await open({ provider: "ssh-agent", keyRef: keyRef() }))).toBe("G");
  });

  test("of the kind RSA", async () => {
    key = sshKey(join(top, "rsa"), { args: ["-t", "rsa", "-b", "2048", "-m", "PEM"] });
    expect(await signedWith(await open())).toBe("G");
  });

  longTest("twenty times at once", async () => {
    const signer = await open();
    const made = await Promise.all(Array.from({ length: 20 }, () => signedWith(signer)));
    expect(new Set(made)).toEqual(new Set(["G"]));
  });
});

test("a rebase in a repository of the engine's own signs every commit, author and message kept", async () => {
  const base = commit(root, "base", { a: "1" });
  commit(root, "feat: one", { b: "1" });
  const tip = commit(root, "feat: two", { c: "1" });
  const signer = await open();
  const [place, tree] = [join(top, "scratch"), join(top, "tree")];
  mkdirSync(tree);
  const identity = { name: "koryph", email: "koryph@koryph.invalid" };
  await layScratch(place, { repo, head: tip, identity, sparse: true });
  const env = { GIT_WORK_TREE: tree, GIT_OBJECT_DIRECTORY: join(repo, "objects"), ...signer.git.env };
  await quietOutput(place, ["read-tree", "-m", "-u", tip], { env });
  const rebase = ["rebase", "--quiet", "--no-autostash", "--force-rebase", "-S", "--onto", base, base];
  expect(await quietGit(place, [...settings(signer), ...rebase], { env })).toMatchObject({ code: 0 });
  const head = readFileSync(join(place, "HEAD"), "utf8").trim();
  expect(await letters(`${base}..${tip}`)).toBe("NN");
  expect(await letters(`${base}..${head}`)).toBe("GG");
  expect(git(root, "log", "--format=%an %s", `${base}..${head}`)).toBe("Ann feat: two\nAnn feat: one");
});

describe("the socket that git is given", () => {
  test("shows the one key of the operator's agent, and leaves the agent as it is", async () => {
    const other = sshKey(join(top, "other"));
    const operator = join(top, "operator.sock");
    await operatorAgent(operator, key, other);
    const socket = socketOf(await open({ provider: "ssh-agent", keyRef: key.fingerprint }));
    expect((await beside("ssh-add", ["-L"], socket)).said.trim()).toBe(`${key.publicKey} a comment`);
    for (const args of [["-D"], ["-d", `${key.path}.pub`], [sshKey(join(top, "third")).path]])
      expect(await beside("ssh-add", args, socket)).not.toMatchObject({ code: 0 });
    expect((await beside("ssh-add", ["-L"], operator)).said.trim().split("\n")).toHaveLength(2);
  });

  test.each([
    { name: "signs for git", mine: true, namespace: "git", signs: true },
    { name: "signs for nothing else", mine: true, namespace: "file", signs: false },
    { name: "signs with no other key", mine: false, namespace: "git", signs: false },
  ])("$name", async ({ mine, namespace, signs }) => {
    const other = sshKey(join(top, "other"));
    await operatorAgent(join(top, "operator.sock"), key, other);
    const socket = socketOf(await open({ provider: "ssh-agent", keyRef: key.fingerprint }));
    // Alone, or ssh-keygen would take the private half that lies beside it.
    const alone = join(top, "alone.pub");
    writeFileSync(alone, (mine ? key : other).publicKey);
    const answer = await beside("ssh-keygen", ["-Y", "sign", "-n", namespace, "-f", alone], socket, "text");
    expect(answer.said.includes("BEGIN SSH SIGNATURE")).toBe(signs);
  });

  test("is in a folder for the owner alone, which goes on close", async () => {
    const signer = await open();
    const folder = dirname(socketOf(signer));
    expect(dirname(folder)).toBe(join(top, "sockets"));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const inner = innerSocket(signer);
    expect((await beside("ssh-add", ["-L"], inner)).said).toContain(key.publicKey);
    await signer.close();
    await signer.close();
    expect(readdirSync(join(top, "sockets"))).toEqual([]);
    expect((await beside("ssh-add", ["-L"], inner)).code).toBe(2);
  });

  test("has a short path where the given folder has a long one", async () => {
    const signer = await open({ socketFolder: join(top, "deep".repeat(30)) });
    expect(dirname(dirname(socketOf(signer)))).toBe(join(top, "tmp"));
    expect(await signedWith(signer)).toBe("G");
  });

  test("is cleared away after a process that was killed, and not after one that lives or has just begun", async () => {
    const old = new Date(Date.now() - 3_600_000);
    const living = dirname(socketOf(await open()));
    const [dead, young] = ["koryph-s-000000", "koryph-s-111111"].map((name) => join(top, "sockets", name));
    for (const folder of [dead, young]) mkdirSync(folder ?? "");
    for (const folder of [dead, living]) utimesSync(folder ?? "", old, old);
    await open();
    expect([dead, young, living].map((folder) => existsSync(folder ?? ""))).toEqual([false, true, true]);
  });
});

describe("the agent with the key", () => {
  test("forgets it after its time, and gets it back when something is to be signed", async () => {
    const signer = await open({ lifetimeSeconds: 1 });
    await vi.waitFor(
      async () => expect((await beside("ssh-add", ["-L"], innerSocket(signer))).code).toBe(1),
      { timeout: 20_000, interval: 100 },
    );
    expect(await signedWith(signer)).toBe("G");
  });

  test("is started anew when something has ended it", async () => {
    const signer = await open();
    const pids = readdirSync("/proc").filter((name) => commandLine(name).includes(innerSocket(signer)));
    expect(pids.length).toBeGreaterThan(0);
    for (const pid of pids) process.kill(Number(pid), "SIGKILL");
    expect(await signedWith(signer)).toBe("G");
  });

  longTest("signs no more when the key is gone for good", async () => {
    const signer = await open({ lifetimeSeconds: 1 });
    writeFileSync(key.path, "");
    await vi.waitFor(async () => expect((await sign(signer)).code).not.toBe(0), {
      timeout: 20_000,
      interval: 100,
    });
  });
});

test("nothing of the key is written anywhere, while it is in use or after", async () => {
  const secret = sshKey(join(top, "secret"));
  const lines = secretLines(secret.path);
  const signer = await open({ provider: "command", keyRef: `cat ${secret.path}` });
  expect((await sign(signer)).code).toBe(0);
  expect(lines.length).toBeGreaterThan(3);
  expect(filesWith(top, lines)).toEqual([secret.path]);
  await signer.close();
  expect(filesWith(top, lines)).toEqual([secret.path]);
});
