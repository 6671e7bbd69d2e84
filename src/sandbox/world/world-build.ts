import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { installHook } from "../git/git-http-hook.js";
import { emailOf } from "../git/world-commits.js";
import { gitBytes } from "../git/world-git.js";
import { refValue } from "../git/world-refs.js";
import { fullName } from "../render/repository.js";
import type { ServedWorld } from "./make-world.js";
import { NOTHING } from "./rules/move.js";
import type { Repository, User } from "./state.js";
import type { World } from "./world.js";

export interface NewRepository {
  readonly owner: string;
  readonly name: string;
  readonly private?: boolean;
  /** What the first commit on `main` has in it. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface Authored {
  /** A login. */
  readonly author?: string;
  readonly message?: string;
  /** The commit to build on instead of the branch's own. */
  readonly parent?: string;
}

/** Nothing is written for its own sake: no reflogs, no packing in the background, no objects a second time. */
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogAllRefUpdates = false
[http]
\treceivepack = true
[receive]
\thideRefs = refs/pull
\tautogc = false
[uploadpack]
\tallowFilter = true
\tallowAnySHA1InWant = true
[gc]
\tauto = 0
[fastimport]
\tunpackLimit = 1
`;

/** The user of this login, who is made where there is none. */
export function addUser(world: World, login: string, type: User["type"]): User {
  const known = world.user(login);
  if (known !== null) return known;
  const user: User = { id: world.newId(), login, type };
  world.state.users.push(user);
  return user;
}

export function gitFolder(folder: string, { owner, name }: Pick<Repository, "owner" | "name">): string {
  return join(folder, "repositories", owner, `${name}.git`);
}

export async function addRepository(
  world: ServedWorld,
  folder: string,
  wanted: NewRepository,
): Promise<Repository> {
  const repository = await emptyRepository(world, folder, wanted);
  const files = wanted.files ?? { "README.md": `# ${wanted.name}\n` };
  await commitFiles(world, repository, { branch: "main", files, message: "Begin" });
  return repository;
}

/** A fork has all branches of what it was forked from, and shares its objects. */
export async function addFork(
  world: ServedWorld,
  folder: string,
  { of, owner }: { readonly of: Repository; readonly owner: string },
): Promise<Repository> {
  const wanted = { owner, name: of.name, private: of.private };
  const fork = await emptyRepository(world, folder, wanted, { forkOf: of.forkOf ?? fullName(of) });
  // Relative, as the folder of both may be moved.
  const objects = join(fork.gitDir, "objects");
  await writeFile(join(objects, "info", "alternates"), `${relative(objects, join(of.gitDir, "objects"))}\n`);
  const refs = await gitBytes(of, [
    "for-each-ref",
    "--format=create %(refname) %(objectname)",
    "refs/heads/",
  ]);
  await gitBytes(fork, ["update-ref", "--stdin"], { input: refs.toString() });
  return fork;
}

async function emptyRepository(
  world: World,
  folder: string,
  { owner, name, private: hidden = false }: NewRepository,
  more: Pick<Repository, "forkOf"> | Record<string, never> = {},
): Promise<Repository> {
  if (world.repository(`${owner}/${name}`) !== null)
    throw new Error(`there is a repository ${owner}/${name}`);
  addUser(world, owner, "User");
  const gitDir = gitFolder(folder, { owner, name });
  for (const part of ["objects/info", "objects/pack", "refs/heads", "refs/tags", "hooks"])
    await mkdir(join(gitDir, part), { recursive: true });
  await writeFile(join(gitDir, "HEAD"), "ref: refs/heads/main\n");
  await writeFile(join(gitDir, "config"), CONFIG);
  await installHook(world.url, { owner, name, gitDir });
  const repository: Repository = {
    id: world.newId(),
    ...{ owner, name, gitDir, private: hidden, defaultBranch: "main", createdAt: world.timestamp() },
    ...{ collaborators: {}, labels: [], issues: [], reviews: [], reviewComments: [], checkRuns: [] },
    ...{
      statuses: [],
      rulesets: [],
      protections: [],
      workflowRuns: [],
      dispatches: [],
      activity: [],
      verified: {},
    },
    ...more,
  };
  world.state.repositories.push(repository);
  return repository;
}

/** Commits and pushes, past all rules. */
export async function commitFiles(
  world: ServedWorld,
  repository: Repository,
  {
    branch,
    files,
    author = repository.owner,
    message = "Change",
    parent,
  }: Authored & { readonly branch: string; readonly files: Readonly<Record<string, string | null>> },
): Promise<string> {
  addUser(world, author, "User");
  const ref = `refs/heads/${branch}`;
  return world.inTurn(repository, async () => {
    const before = await refValue(repository, ref);
    const from = parent ?? (before === NOTHING ? await refValue(repository, "HEAD") : before);
    const person = `${author} <${emailOf(world, author)}> ${Math.floor(world.now() / 1000)} +0000`;
    const lines = [
      `commit ${ref}`,
      `author ${person}`,
      `committer ${person}`,
      data(message),
      ...(from === NOTHING ? [] : [`from ${from}`]),
      ...Object.entries(files).map(([path, text]) =>
        text === null ? `D ${quoted(path)}` : `M 100644 inline ${quoted(path)}\n${data(text)}`,
      ),
    ];
    await gitBytes(repository, ["fast-import", "--quiet", "--force"], { input: `${lines.join("\n")}\n` });
    const after = await refValue(repository, ref);
    await world.afterMoves(repository, author, [{ ref, before, after }]);
    return after;
  });
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`;
}

function quoted(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
