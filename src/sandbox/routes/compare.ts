import { listShas } from "../git/world-commits.js";
import { readChanges } from "../git/world-diff.js";
import { type Answer, type Call, HttpRefusal, paged, type Route, repositoryOf } from "../http/route.js";
import { renderFile } from "../render/commit.js";
import { fullName, repositoryUrl } from "../render/repository.js";
import { renderCommits } from "./repos.js";

export const compareRoutes: readonly Route[] = [
  {
    operation: "repos/compare-commits-with-basehead",
    method: "GET",
    path: "/repos/{owner}/{repo}/compare/{basehead}",
    needs: { contents: "read" },
    answer: compare,
  },
];

/** Commits come in pages where that is asked for, and files with the first. */
async function compare(call: Call): Promise<Answer> {
  const { world } = call;
  const repository = repositoryOf(call);
  const [baseName = "", headName = ""] = (call.params.basehead ?? "").split("...");
  const base = await resolveInNetwork(call, baseName);
  const head = await resolveInNetwork(call, headName);
  if (base === null || head === null) throw new HttpRefusal(404, "Not Found");
  const common = (await world.git(repository, ["merge-base", base, head]).catch(() => "")).trim();
  if (common === "") throw new HttpRefusal(404, `No common ancestor between ${baseName} and ${headName}.`);
  const ahead = await listShas(world, repository, ["--reverse", `${base}..${head}`]);
  const behind = await listShas(world, repository, [`${head}..${base}`]);
  const files = await readChanges(world, repository, [common, head]);
  const [baseCommit, commonCommit] = await renderCommits(call, repository, [base, common]);
  const htmlUrl = `${world.url}/${fullName(repository)}/compare/${baseName}...${headName}`;
  const wholeList = !call.query.has("page") && !call.query.has("per_page");
  const { items, lastPage } = wholeList ? { items: ahead.slice(0, 250), lastPage: 1 } : paged(call, ahead);
  const first = Number(call.query.get("page") ?? 1) <= 1;
  const body = {
    url: `${repositoryUrl(world, repository)}/compare/${baseName}...${headName}`,
    html_url: htmlUrl,
    permalink_url: htmlUrl,
    diff_url: `${htmlUrl}.diff`,
    patch_url: `${htmlUrl}.patch`,
    base_commit: baseCommit,
    merge_base_commit: commonCommit,
    status: comparison(ahead.length, behind.length),
    ahead_by: ahead.length,
    behind_by: behind.length,
    total_commits: ahead.length,
    commits: await renderCommits(call, repository, items),
    ...(first && {
      files: files.slice(0, 300).map((file) => renderFile(world, repository, { file, head })),
    }),
  };
  return { status: 200, body, lastPage };
}

/** The commit that a name stands for; `owner:branch` is one of a fork, whose commits are brought here. */
async function resolveInNetwork(call: Call, name: string): Promise<string | null> {
  const { world } = call;
  const repository = repositoryOf(call);
  const [, owner, ref] = /^([^:]+):(.+)$/.exec(name) ?? [];
  if (owner === undefined || ref === undefined) return world.resolve(repository, name);
  if (owner === repository.owner) return world.resolve(repository, ref);
  const root = repository.forkOf ?? fullName(repository);
  const fork = world.state.repositories.find(
    (each) => each.owner === owner && (each.forkOf ?? fullName(each)) === root,
  );
  const sha = fork === undefined ? null : await world.resolve(fork, ref);
  if (fork !== undefined && sha !== null)
    await world.git(repository, ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", fork.gitDir, sha]);
  return sha;
}

function comparison(ahead: number, behind: number): string {
  if (ahead === 0) return behind === 0 ? "identical" : "behind";
  return behind === 0 ? "ahead" : "diverged";
}
