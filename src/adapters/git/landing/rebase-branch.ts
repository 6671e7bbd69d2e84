import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { landingAdvice } from "../../../core/replies/land/landing-repo.js";
import { UserError } from "../../../lib/user-error.js";
import type { Signer } from "../../../ports/signer.js";
import { newFolder, removeFolder } from "../../files/remove-folder.js";
import { type Setting, withSettings } from "../exec/git-settings.js";
import type { Identity } from "../exec/open-repo.js";
import type { ClonePaths } from "../exec/project-paths.js";
import { quietGit, quietOutput } from "../exec/quiet-git.js";
import { layScratch } from "../exec/scratch-repo.js";
import { signingEnv } from "../exec/signing-env.js";
import { lineOfCommits } from "../exec/stored-commits.js";

export type RebasedBranch =
  | { readonly kind: "rebased"; readonly tip: string }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  /** Replaying would drop the merges, and with them whatever was decided in them. */
  | { readonly kind: "merges" };

export interface RebaseFacts {
  readonly onto: string;
  /** What `tip` has beyond this is replayed. */
  readonly base: string;
  readonly tip: string;
  /** Who the new commits are committed by. */
  readonly identity: Identity;
  readonly signer?: Signer | null;
  /** The repository lacks files that none of the commits changes: git is not to look for them. */
  readonly partial?: boolean;
}

/** Without a remote that could have them, git takes files it need not read for lost ones. */
const PROMISED: readonly Setting[] = [
  ["remote.origin.url", "/dev/null"],
  ["remote.origin.promisor", "true"],
];

/**
 * Replays commits in a repository made for the purpose and removed afterwards. Only files in conflict are ever
 * written out; new commits go straight to `repo.git`. Git rewrites what is not UTF-8, and drops what has become
 * empty; messages stay as they are otherwise.
 */
export async function rebaseBranch(
  paths: Pick<ClonePaths, "repo" | "scratch">,
  facts: RebaseFacts,
): Promise<RebasedBranch> {
  const place = await newFolder(paths.scratch);
  const [git, tree] = [join(place, "git"), join(place, "tree")];
  const env = {
    ...withSettings(signingEnv(facts.signer ?? null), facts.partial ? PROMISED : []),
    GIT_WORK_TREE: tree,
    GIT_OBJECT_DIRECTORY: join(paths.repo, "objects"),
  };
  try {
    const [merges] = await Promise.all([hasMerges(paths.repo, facts), layAt(git, env, paths.repo, facts)]);
    if (merges) return { kind: "merges" };
    return await replay(git, env, facts);
  } finally {
    await removeFolder(place);
  }
}

async function hasMerges(repo: string, { base, tip }: RebaseFacts): Promise<boolean> {
  if ((await lineOfCommits(repo, { base, head: tip })) !== null) return false;
  const merges = await quietOutput(repo, ["rev-list", "--merges", "--max-count=1", `${base}..${tip}`]);
  return merges !== "";
}

type ScratchEnv = Readonly<Record<string, string>> & { readonly GIT_WORK_TREE: string };

async function layAt(git: string, env: ScratchEnv, repo: string, facts: RebaseFacts): Promise<void> {
  const { tip, identity } = facts;
  await mkdir(env.GIT_WORK_TREE, { recursive: true });
  await layScratch(git, { repo, head: tip, identity, sparse: true });
  await quietOutput(git, ["read-tree", "-m", "-u", tip], { env });
}

/** The default branch may have had the same change and taken it back since: then it has to be made again. */
const REAPPLY = "--reapply-cherry-picks";

async function replay(
  git: string,
  env: ScratchEnv,
  { onto, base, signer }: RebaseFacts,
): Promise<RebasedBranch> {
  const sign = signer ? ["--gpg-sign"] : [];
  const args = [
    "rebase",
    "--quiet",
    "--no-autostash",
    "--empty=drop",
    REAPPLY,
    ...sign,
    "--onto",
    onto,
    base,
  ];
  const answer = await quietGit(git, args, { env });
  if (answer.code === 0) {
    return { kind: "rebased", tip: (await readFile(join(git, "HEAD"), "utf8")).trim() };
  }
  const unmerged = await quietGit(git, ["diff", "--name-only", "--diff-filter=U", "-z"], { env });
  const files = unmerged.stdout.split("\0").filter((name) => name !== "");
  // Stopped without a conflict: with a signer in play it is the one step that needs more than the disk.
  if (files.length === 0 && signer && !/^CONFLICT/m.test(answer.stdout))
    throw UserError.of(landingAdvice.notSigned(answer.stderr));
  return { kind: "conflict", files };
}
