import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ProjectConfig } from "../../core/config/project-schema.js";
import { findDefaultBranch } from "../../core/land/default-branch.js";
import { builtInPersona, personaPath, personaWishes } from "../../core/prompt/persona.js";
import { initialBranch, operatorGit } from "../git/exec/operator-git.js";
import type { Project } from "./open-project.js";

/**
 * Which personas are described where a run looks for them: built in, or on the default branch as this checkout knows
 * it. No remote is asked. Where that branch is not known, the files of the checkout are all there is to go by.
 */
export async function knownPersonas({ root, config }: Project): Promise<(name: string) => boolean> {
  const names = personaWishes(config).map(({ name }) => name);
  const branch = await knownDefaultBranch(root, config);
  const known = await Promise.all(names.map((name) => isDescribed(root, name, branch)));
  const described = new Set(names.filter((_, at) => known[at]));
  return (name) => described.has(name);
}

async function isDescribed(root: string, name: string, branch: string | null): Promise<boolean> {
  if (builtInPersona(name) !== null) return true;
  if (branch === null) return existsSync(join(root, personaPath(name)));
  const found = await operatorGit(root, ["cat-file", "-t", `${branch}:${personaPath(name)}`]);
  return found?.stdout.trimEnd() === "blob";
}

/** The ref that stands for the default branch here; null when there is none. */
async function knownDefaultBranch(
  root: string,
  { default_branch: asked, ledger }: Pick<ProjectConfig, "default_branch" | "ledger">,
): Promise<string | null> {
  const shared = `refs/remotes/${ledger.remote}/`;
  const listed = await operatorGit(root, [
    "for-each-ref",
    "--format=%(refname) %(symref)",
    shared,
    "refs/heads/",
  ]);
  const refs = (listed?.stdout ?? "").split("\n").map((line) => line.split(" "));
  const below = refs.some(([ref = ""]) => ref.startsWith(shared)) ? shared : "refs/heads/";
  const named = refs.find(([ref]) => ref === `${shared}HEAD`)?.[1]?.slice(shared.length);
  const branches = refs.flatMap(([ref = ""]) => (ref.startsWith(below) ? [ref.slice(below.length)] : []));
  const usual = async () =>
    findDefaultBranch({ configured: await initialBranch(root), branches, onlyOne: below !== shared });
  const branch = asked ?? named ?? (await usual());
  return branch !== null && branches.includes(branch) ? `${below}${branch}` : null;
}
