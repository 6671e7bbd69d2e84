import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox/sandbox.js";
import type { Ruleset } from "../../../src/sandbox/world/rules/ruleset.js";
import { onFileEnd } from "../file-end.js";
import { tempFolder } from "../temp-folder.js";
import { APP_KEY, addressOf, git } from "./sandbox-lab.js";

/** A repository of its own in the one GitHub of a file: you (admin), alice (write), and an app that may write. */
export interface RulesLab {
  readonly sandbox: Sandbox;
  /** `owner/name`. */
  readonly repo: string;
  readonly app: { readonly id: number; readonly privateKey: string };
  readonly installation: number;
  main(): Promise<string>;
  refs(): Promise<string[]>;
  /** A commit on top of the default branch that no branch of that name has yet. */
  commit(files: Readonly<Record<string, string>>, message?: string): Promise<string>;
  /** One that replaces the default branch's. */
  rewrite(): Promise<string>;
  /** One that merges something into the default branch. */
  merge(): Promise<string>;
  /** Gives a commit a green status. */
  passed(sha: string, context: string): string;
  /** What GitHub has against moving a branch there; empty when it was done. */
  push(who: string, after: string, ref?: string): Promise<string>;
  /** What git says when it pushes a new commit to the default branch, taken or not. */
  gitPush(token: string, files: Readonly<Record<string, string>>, args?: readonly string[]): Promise<string>;
  ruleset(id: number): Ruleset;
  idOf(login: string): number;
}

let shared: Promise<{ sandbox: Sandbox; app: RulesLab["app"] }> | undefined;
let count = 0;

async function start() {
  const sandbox = await startSandbox();
  onFileEnd(async () => {
    shared = undefined;
    await sandbox.close();
  });
  const permissions = {
    contents: "write",
    pull_requests: "write",
    checks: "write",
    actions: "write",
  } as const;
  const app = await sandbox.addApp({ slug: "koryph", privateKey: APP_KEY, permissions, events: [] });
  return { sandbox, app };
}

/** Runs on a fresh repository. At the end the sandbox must have found nothing that GitHub would not have done. */
export async function rulesTest(body: (lab: RulesLab) => Promise<void>): Promise<void> {
  shared ??= start();
  const { sandbox, app } = await shared;
  await body(await furnish(sandbox, app));
  expect(sandbox.problems.splice(0)).toEqual([]);
}

async function furnish(sandbox: Sandbox, app: RulesLab["app"]): Promise<RulesLab> {
  count += 1;
  const name = `play${count}`;
  const repo = `you/${name}`;
  const repository = await sandbox.addRepository({ owner: "you", name, files: { "a.txt": "one\n" } });
  sandbox.setRole(repo, "alice", "write");
  const { world } = sandbox;
  const main = async () => String(await world.resolve(repository, "refs/heads/main"));
  const side = (parent: string, files: Readonly<Record<string, string>>, message = "Change") => {
    count += 1;
    return sandbox.commit(repo, `side-${count}`, files, { parent, message });
  };
  const first = await main();
  let folder: string | null = null;
  return {
    ...{ sandbox, repo, app, main, installation: sandbox.install(app, [repo]) },
    refs: async () =>
      (await world.git(repository, ["for-each-ref", "--format=%(refname)"])).trim().split("\n"),
    commit: async (files, message) => side(await main(), { [`side-${count}.txt`]: "x\n", ...files }, message),
    rewrite: async () => {
      await sandbox.commit(repo, "main", { "z.txt": "z\n" });
      return side(first, { "y.txt": "y\n" });
    },
    merge: async () => {
      const tip = await main();
      const other = await side(tip, { "m.txt": "m\n" });
      const person = ["-c", "user.name=you", "-c", "user.email=you@example.com"];
      const args = ["commit-tree", `${other}^{tree}`, "-p", tip, "-p", other, "-m", "Merge"];
      return (await world.git(repository, [...person, ...args])).trim();
    },
    passed: (sha, context) => {
      repository.statuses.push({
        ...{ id: world.newId(), sha, state: "success", context, description: "", targetUrl: null },
        ...{ creator: "you", app: null, createdAt: world.timestamp() },
      });
      return sha;
    },
    push: async (who, after, ref = "refs/heads/main") => {
      const login = who === "app" ? "koryph[bot]" : who.replace(" via app", "");
      const mover = { login, app: who.endsWith("app") ? app.id : null, workflows: true };
      return (await world.moveRefs(repository, mover, [{ ref, before: null, after, force: true }])).join(
        "\n",
      );
    },
    gitPush: async (token, files, args = ["origin", "HEAD:main"]) => {
      const address = addressOf(sandbox, repo, token);
      folder ??= join(tempFolder(), "clone");
      await git("/", "clone", "--quiet", address, folder).catch(async () => {
        await git(String(folder), "remote", "set-url", "origin", address);
        await git(String(folder), "fetch", "--quiet", "origin", "main");
        await git(String(folder), "reset", "--quiet", "--hard", "FETCH_HEAD");
      });
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      await git(folder, "add", "-A");
      await git(folder, "commit", "--quiet", "-m", "change");
      return git(folder, "push", ...args).catch((error: Error) => error.message);
    },
    ruleset: (id) => {
      const found = repository.rulesets.find((each) => each.id === id);
      if (found === undefined) throw new Error(`there is no ruleset ${id}`);
      return found;
    },
    idOf: (login) => world.user(login)?.id ?? 0,
  };
}
