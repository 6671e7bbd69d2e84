import { type Commit, emailOf, listShas, loginOf, readStoredCommits } from "../git/world-commits.js";
import { isAncestor } from "../git/world-git.js";
import type { JsonObject } from "../http/json.js";
import { type Move, NOTHING } from "../world/rules/move.js";
import type { Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { fullName, renderRepository } from "./repository.js";
import { renderUser } from "./user.js";

/** GitHub names at most this many commits in a push event. */
const MOST_COMMITS = 2048;

interface Paths {
  readonly added: string[];
  readonly removed: string[];
  readonly modified: string[];
}

/** The event's own part; its repository has some fields no other event's has. */
export async function renderPushEvent(
  world: World,
  repository: Repository,
  { move, login }: { readonly move: Move; readonly login: string },
): Promise<JsonObject> {
  const created = move.before === NOTHING;
  const deleted = move.after === NOTHING;
  const commits = deleted ? [] : await pushedCommits(world, repository, move);
  const paths = await changedPaths(world, repository, commits);
  const rendered = commits.map((commit) =>
    renderPushed(world, repository, { commit, paths: paths.get(commit.sha) }),
  );
  const htmlUrl = `${world.url}/${fullName(repository)}`;
  return {
    ref: move.ref,
    before: move.before,
    after: move.after,
    created,
    deleted,
    forced: !created && !deleted && !(await isAncestor(repository, [move.before, move.after])),
    base_ref: null,
    compare: `${htmlUrl}/compare/${move.before.slice(0, 12)}...${move.after.slice(0, 12)}`,
    commits: rendered,
    head_commit: rendered.at(-1) ?? null,
    pusher: { name: login, email: emailOf(world, login) },
    repository: {
      ...renderRepository(world, repository),
      owner: { ...renderUser(world, repository.owner), name: repository.owner, email: null },
      created_at: Math.floor(Date.parse(repository.createdAt) / 1000),
      pushed_at: Math.floor(world.now() / 1000),
      stargazers: 0,
      master_branch: repository.defaultBranch,
    },
  };
}

async function pushedCommits(
  world: World,
  repository: Repository,
  { before, after }: Move,
): Promise<Commit[]> {
  const range = before === NOTHING ? [after, "--max-count=1"] : [`${before}..${after}`];
  const shas = await listShas(world, repository, ["--reverse", ...range]);
  return readStoredCommits(repository, shas.slice(-MOST_COMMITS));
}

async function changedPaths(
  world: World,
  repository: Repository,
  commits: readonly Commit[],
): Promise<Map<string, Paths>> {
  const found = new Map<string, Paths>();
  if (commits.length === 0) return found;
  const input = `${commits.map(({ sha }) => sha).join("\n")}\n`;
  const text = await world.git(
    repository,
    ["diff-tree", "--stdin", "-r", "--root", "-z", "--name-status", "--no-renames"],
    input,
  );
  let current: Paths = { added: [], removed: [], modified: [] };
  const tokens = text.split("\0");
  for (let at = 0; at < tokens.length - 1; ) {
    const token = tokens[at] ?? "";
    if (token.length >= 40) {
      current = { added: [], removed: [], modified: [] };
      found.set(token, current);
      at += 1;
      continue;
    }
    const list = token === "A" ? current.added : token === "D" ? current.removed : current.modified;
    list.push(tokens[at + 1] ?? "");
    at += 2;
  }
  return found;
}

function renderPushed(
  world: World,
  repository: Repository,
  { commit, paths }: { readonly commit: Commit; readonly paths: Paths | undefined },
): JsonObject {
  const person = ({ name, email }: Commit["author"]) => {
    const username = loginOf(world, email);
    return { name, email, ...(username === null ? {} : { username }) };
  };
  return {
    id: commit.sha,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: commit.committer.date,
    url: `${world.url}/${fullName(repository)}/commit/${commit.sha}`,
    author: person(commit.author),
    committer: person(commit.committer),
    ...(paths ?? { added: [], removed: [], modified: [] }),
  };
}
