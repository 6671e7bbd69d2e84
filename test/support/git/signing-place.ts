import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, vi } from "vitest";
import { git } from "../engine/clone-world.js";
import { tempFolder } from "../temp-folder.js";
import { type SshKey, sshKey } from "./ssh-keys.js";

/** A repository and a key, new for each test. */
export interface SigningPlace {
  top: string;
  root: string;
  /** Its `.git`. */
  repo: string;
  key: SshKey;
}

/** Filled before each test of the file that calls it. */
export function signingPlace(): SigningPlace {
  const place = {} as SigningPlace;
  beforeEach(() => {
    const top = tempFolder();
    const root = join(top, "shop");
    mkdirSync(join(top, "tmp"));
    vi.stubEnv("TMPDIR", join(top, "tmp"));
    git(top, "init", "--quiet", "--initial-branch=main", root);
    Object.assign(place, { top, root, repo: join(root, ".git"), key: sshKey(join(top, "key")) });
    return () => vi.unstubAllEnvs();
  });
  return place;
}
