import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { runGit } from "../../../src/adapters/git/exec/run-git.js";
import { tempFolder } from "../temp-folder.js";
import { type AppWorld, REPOSITORY } from "./app-world.js";

const env = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

/** A person's own clone, where they sign what they commit unless told. */
export async function cloneOf(world: AppWorld, login: string, keyPath: string) {
  const folder = tempFolder();
  const token = Buffer.from(`${login}:${world.sandbox.tokenFor(login)}`).toString("base64");
  const settings = {
    [`http.${world.sandbox.url}/.extraheader`]: `AUTHORIZATION: basic ${token}`,
    "gpg.format": "ssh",
    "user.signingKey": keyPath,
    "user.name": login,
    "user.email": `${login}@users.noreply.github.com`,
  };
  const given = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const git = async (...args: string[]) => {
    const answer = await runGit(folder, [...given, ...args], { env });
    expect(answer.code, answer.stderr).toBe(0);
    return answer.stdout.trim();
  };
  await git("clone", "--quiet", `${world.sandbox.url}/${REPOSITORY}.git`, ".");
  return {
    git,
    async commits(file: string, text: string, { signed = true }: { readonly signed?: boolean } = {}) {
      writeFileSync(join(folder, file), text);
      await git("add", ".");
      await git("commit", "--quiet", signed ? "-S" : "--no-gpg-sign", "-m", `feat: ${file}`);
    },
    /** The commit that the ref is at then. */
    async pushes(ref: string): Promise<string> {
      await git("push", "--quiet", "--force", "origin", `HEAD:${ref}`);
      return git("rev-parse", "HEAD");
    },
  };
}
