import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newFolder } from "../../files/remove-folder.js";
import { type Identity, NOT_WORK, quoted } from "../exec/open-repo.js";
import type { ClonePaths } from "../exec/project-paths.js";
import type { BeadRefs } from "../exec/read-refs.js";
import { copyIndex } from "../exec/safe-status.js";
import { type Checkout, checkOut, type SpareCheckout } from "./spare-checkout.js";

export interface CloneFacts {
  readonly refs: BeadRefs;
  /** The commit the clone is checked out at, on the bead's branch. */
  readonly tip: string;
  readonly identity: Identity;
  readonly spare: SpareCheckout | null;
}

/**
 * Builds below `making` what `git clone --shared` would: a repository that borrows its objects from `repo.git`,
 * on the bead's branch. Its few files are written by hand and the checkout is done from `repo.git`, or was
 * done in good time, which leaves the engine an index of its own to compare with later.
 */
export async function layClone(paths: ClonePaths, facts: CloneFacts): Promise<Checkout> {
  const { refs, tip, identity, spare } = facts;
  const place = await newFolder(paths.making);
  const { folder, index } = (await spare?.take(tip, place)) ?? (await checkOut(paths.repo, tip, place));
  const git = join(folder, ".git");
  for (const name of ["objects/info", "objects/pack", "info", dirname(paths.branch), "refs/remotes/origin"]) {
    mkdirSync(join(git, name), { recursive: true });
  }
  const head = `refs/remotes/origin/${refs.defaultBranch}`;
  const files = {
    HEAD: `ref: ${paths.branch}\n`,
    config: cloneConfig(paths, refs, identity),
    "info/exclude": NOT_WORK,
    "objects/info/alternates": `${join(paths.repo, "objects")}\n`,
    "packed-refs": `# pack-refs with: sorted \n${refs.shared.map((line) => `${line}\n`).join("")}`,
    "refs/remotes/origin/HEAD": `ref: ${head}\n`,
    [paths.branch]: `${tip}\n`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(git, name), text);
  await copyIndex(index, join(git, "index"));
  return { folder, index };
}

/** Nothing in it is believed once the agent has had it; it is there to keep an honest agent out of trouble. */
function cloneConfig({ repo }: ClonePaths, { defaultBranch }: BeadRefs, { name, email }: Identity): string {
  const tracked = `refs/remotes/origin/${defaultBranch}`;
  return `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogAllRefUpdates = true
\thooksPath = /dev/null
[user]
\tname = ${quoted(name)}
\temail = ${quoted(email)}
[commit]
\tgpgSign = false
[tag]
\tgpgSign = false
[credential]
\thelper =
[push]
\tdefault = nothing
[gc]
\tauto = 0
[remote "origin"]
\turl = ${quoted(repo)}
\tpushurl = koryph-agents-do-not-push
\tfetch = ${quoted(`+${tracked}:${tracked}`)}
`;
}
