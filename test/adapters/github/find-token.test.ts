import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findToken } from "../../../src/adapters/github/find-token.js";
import { tempFolder } from "../../support/temp-folder.js";

/** A `gh` that says something, on a search path of its own. */
function gh(script: string): NodeJS.ProcessEnv {
  const folder = tempFolder();
  const file = join(folder, "gh");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return { PATH: `${folder}:${process.env.PATH}` };
}

test.each<{ name: string; env: () => NodeJS.ProcessEnv; token: string | null }>([
  { name: "GITHUB_TOKEN goes first", env: () => ({ GITHUB_TOKEN: "a", GH_TOKEN: "b" }), token: "a" },
  {
    name: "GH_TOKEN follows, also an empty variable",
    env: () => ({ GITHUB_TOKEN: " ", GH_TOKEN: "b\n" }),
    token: "b",
  },
  { name: "gh is asked for the host's", env: () => gh('echo "$2-$4"'), token: "token-github.com" },
  { name: "gh may not be logged in", env: () => gh("echo nobody; exit 1"), token: null },
  { name: "gh may say anything", env: () => gh("echo 'a new version of gh is there'"), token: null },
  { name: "gh may be missing", env: () => ({ PATH: "/nowhere" }), token: null },
])("$name", async ({ env, token }) => expect(await findToken("github.com", env())).toBe(token));
