import { listShas, loginOf, readStoredCommits } from "../git/world-commits.js";
import { NO_FILES_TREE, readChanges } from "../git/world-diff.js";
import type { JsonObject } from "../http/json.js";
import { type Call, HttpRefusal, listAnswer, paged, type Route, repositoryOf } from "../http/route.js";
import { renderCommit, renderFile } from "../render/commit.js";
import { renderProtectionHint } from "../render/protection.js";
import { fullName, renderRepository, repositoryUrl } from "../render/repository.js";
import { protectionOf } from "../world/rules/protection.js";
import { rulesetsOn } from "../world/rules/ruleset.js";
import type { Repository } from "../world/state.js";

const CONTENTS = { contents: "read" } as const;

export const repoRoutes: readonly Route[] = [
  {
    operation: "repos/get",
    method: "GET",
    path: "/repos/{owner}/{repo}",
    needs: { metadata: "read" },
    answer: (call) => {
      const repository = repositoryOf(call);
      const permissions = ownPermissions(call, repository);
      return {
        status: 200,
        body: { ...renderRepository(call.world, repository), ...(permissions && { permissions }) },
      };
    },
  },
  {
    operation: "repos/list-branches",
    method: "GET",
    path: "/repos/{owner}/{repo}/branches",
    needs: CONTENTS,
    answer: async (call) => {
      const repository = repositoryOf(call);
      const format = "--format=%(objectname) %(refname:lstrip=2)";
      const lines = (await call.world.git(repository, ["for-each-ref", format, "refs/heads/"])).split("\n");
      const branches = lines.filter((line) => line !== "").map((line) => shortBranch(call, repository, line));
      const wanted = call.query.get("protected");
      return listAnswer(
        call,
        branches.filter((branch) => wanted === null || String(branch.protected) === wanted),
      );
    },
  },
  {
    operation: "repos/get-branch",
    method: "GET",
    path: "/repos/{owner}/{repo}/branches/{branch}",
    needs: CONTENTS,
    answer: async (call) => {
      const repository = repositoryOf(call);
      const name = call.params.branch ?? "";
      const sha = await call.world.resolve(repository, `refs/heads/${name}`);
      if (sha === null) throw new HttpRefusal(404, "Branch not found");
      const url = `${repositoryUrl(call.world, repository)}/branches/${name}`;
      const [commit] = await renderCommits(call, repository, [sha]);
      const body = {
        name,
        commit: commit ?? null,
        _links: { self: url, html: `${call.world.url}/${fullName(repository)}/tree/${name}` },
        protected: isProtected(repository, name),
        protection: renderProtectionHint(call.world, repository, {
          branch: name,
          protection: protectionOf(repository, name),
        }),
        protection_url: `${url}/protection`,
      };
      return { status: 200, body };
    },
  },
  {
    operation: "repos/get-commit",
    method: "GET",
    path: "/repos/{owner}/{repo}/commits/{ref}",
    needs: CONTENTS,
    answer: async (call) => {
      const repository = repositoryOf(call);
      const sha = await call.world.resolve(repository, call.params.ref ?? "");
      if (sha === null) throw new HttpRefusal(422, `No commit found for SHA: ${call.params.ref}`);
      const [commit] = await readStoredCommits(repository, [sha]);
      if (commit === undefined) throw new HttpRefusal(404, "Not Found");
      const before = commit.parents[0] ?? NO_FILES_TREE;
      const files = await readChanges(call.world, repository, [before, sha]);
      const additions = files.reduce((sum, file) => sum + file.additions, 0);
      const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
      const body = {
        ...renderCommit(call.world, repository, commit),
        stats: { additions, deletions, total: additions + deletions },
        files: files.map((file) => renderFile(call.world, repository, { file, head: sha })),
      };
      return { status: 200, body };
    },
  },
  {
    operation: "repos/list-commits",
    method: "GET",
    path: "/repos/{owner}/{repo}/commits",
    needs: CONTENTS,
    answer: async (call) => {
      const repository = repositoryOf(call);
      const { query } = call;
      const start = query.get("sha") ?? repository.defaultBranch;
      const sha = await call.world.resolve(repository, start);
      if (sha === null) throw new HttpRefusal(404, "Not Found");
      const limits = (["since", "until"] as const).flatMap((name) => {
        const value = query.get(name);
        return value === null ? [] : [`--${name}=${value}`];
      });
      const path = query.get("path");
      const shas = await listShas(call.world, repository, [
        ...limits,
        sha,
        ...(path === null ? [] : ["--", path]),
      ]);
      const wanted = query.get("author");
      const { items, lastPage } = paged(
        call,
        wanted === null ? shas : await byAuthor(call, { shas, wanted }),
      );
      return { status: 200, body: await renderCommits(call, repository, items), lastPage };
    },
  },
];

async function byAuthor(call: Call, { shas, wanted }: { shas: readonly string[]; wanted: string }) {
  const commits = await readStoredCommits(repositoryOf(call), shas);
  return commits
    .filter(({ author }) => author.email === wanted || loginOf(call.world, author.email) === wanted)
    .map(({ sha }) => sha);
}

export async function renderCommits(
  { world }: Pick<Call, "world">,
  repository: Repository,
  shas: readonly string[],
): Promise<JsonObject[]> {
  const commits = await readStoredCommits(repository, shas);
  return commits.map((commit) => renderCommit(world, repository, commit));
}

function isProtected(repository: Repository, branch: string): boolean {
  return rulesetsOn(repository, branch).length > 0 || protectionOf(repository, branch) !== null;
}

function shortBranch(call: Call, repository: Repository, line: string): JsonObject {
  const [sha = "", name = ""] = line.split(/ (.*)/s);
  const url = `${repositoryUrl(call.world, repository)}/commits/${sha}`;
  return { name, commit: { sha, url }, protected: isProtected(repository, name) };
}

const LADDER = ["pull", "triage", "push", "maintain", "admin"] as const;
const RUNGS: Readonly<Record<string, number>> = { read: 0, triage: 1, write: 2, maintain: 3, admin: 4 };

/** What whoever asks may do here; null for an app, of whose permissions GitHub tells elsewhere. */
function ownPermissions({ world, caller }: Call, repository: Repository): JsonObject | null {
  if (caller.kind !== "user") return null;
  const rung = RUNGS[world.role(repository, caller.login)] ?? -1;
  return Object.fromEntries(LADDER.map((name, at) => [name, at <= rung]));
}
