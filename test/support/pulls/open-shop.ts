import { onTestFinished } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox/sandbox.js";
import type { Repository, RoleName } from "../../../src/sandbox/world/state.js";
import { git } from "../cli/project.js";

export const REPOSITORY = "team/shop";

/** A repository on a loopback GitHub. */
export interface Shop {
  readonly sandbox: Sandbox;
  /** Maria's. */
  readonly token: string;
  repository(): Repository;
  /** What a ref of the repository on GitHub is at; empty when it is not there. */
  tip(ref: string): string;
  /** So much later, for GitHub. */
  pass(seconds: number): void;
}

/** One with a single commit, in which maria has this role. */
export async function openShop(role: RoleName): Promise<Shop> {
  let ahead = 0;
  const sandbox = await startSandbox({ now: () => Date.now() + ahead });
  onTestFinished(() => sandbox.close());
  sandbox.addUser("team", "Organization");
  sandbox.addUser("maria");
  await sandbox.addRepository({ owner: "team", name: "shop", files: { "README.md": "# shop\n" } });
  sandbox.setRole(REPOSITORY, "maria", role);
  const repository = () => {
    const found = sandbox.world.repository(REPOSITORY);
    if (found === null) throw new Error("the repository is gone");
    return found;
  };
  return {
    ...{ sandbox, token: sandbox.tokenFor("maria"), repository },
    tip: (ref) => git(repository().gitDir, "for-each-ref", "--format=%(objectname)", ref).trim(),
    pass: (seconds) => {
      ahead += seconds * 1_000;
    },
  };
}
