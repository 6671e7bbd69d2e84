import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Identity, NOT_WORK, quoted } from "./open-repo.js";

export interface ScratchFacts {
  /** Whose objects it borrows. */
  readonly repo: string;
  readonly head: string;
  readonly identity: Identity;
  /** No file is checked out unless a command has to show a conflict in it. */
  readonly sparse: boolean;
}

/**
 * A git folder of the engine's own for one purpose: HEAD at a commit, a configuration that runs nothing, and
 * borrowed objects. A crash leaves a folder that can be deleted.
 */
export async function layScratch(git: string, { repo, head, identity, sparse }: ScratchFacts): Promise<void> {
  for (const folder of ["objects/info", "refs", "info"]) await mkdir(join(git, folder), { recursive: true });
  const files = {
    HEAD: `${head}\n`,
    config: scratchConfig(identity, sparse),
    "info/exclude": NOT_WORK,
    "objects/info/alternates": `${join(repo, "objects")}\n`,
    ...(sparse && { "info/sparse-checkout": "!/*\n" }),
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(git, name), text)));
}

function scratchConfig({ name, email }: Identity, sparse: boolean): string {
  return `[core]
\trepositoryformatversion = 0
\tbare = false
\tlogAllRefUpdates = false
\thooksPath = /dev/null
\tfsmonitor = false
\tuntrackedCache = false
\tsparseCheckout = ${sparse}
\tattributesFile = /dev/null
\texcludesFile = /dev/null
[user]
\tname = ${quoted(name)}
\temail = ${quoted(email)}
[commit]
\tgpgSign = false
[submodule]
\trecurse = false
[rerere]
\tenabled = false
`;
}
