import type { JsonObject } from "../http/json.js";
import type { Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { nodeId, renderUser } from "./user.js";

const LINKS: Readonly<Record<string, string>> = {
  archive_url: "/{archive_format}{/ref}",
  assignees_url: "/assignees{/user}",
  blobs_url: "/git/blobs{/sha}",
  branches_url: "/branches{/branch}",
  collaborators_url: "/collaborators{/collaborator}",
  comments_url: "/comments{/number}",
  commits_url: "/commits{/sha}",
  compare_url: "/compare/{base}...{head}",
  contents_url: "/contents/{+path}",
  contributors_url: "/contributors",
  deployments_url: "/deployments",
  downloads_url: "/downloads",
  events_url: "/events",
  forks_url: "/forks",
  git_commits_url: "/git/commits{/sha}",
  git_refs_url: "/git/refs{/sha}",
  git_tags_url: "/git/tags{/sha}",
  hooks_url: "/hooks",
  issue_comment_url: "/issues/comments{/number}",
  issue_events_url: "/issues/events{/number}",
  issues_url: "/issues{/number}",
  keys_url: "/keys{/key_id}",
  labels_url: "/labels{/name}",
  languages_url: "/languages",
  merges_url: "/merges",
  milestones_url: "/milestones{/number}",
  notifications_url: "/notifications{?since,all,participating}",
  pulls_url: "/pulls{/number}",
  releases_url: "/releases{/id}",
  stargazers_url: "/stargazers",
  statuses_url: "/statuses/{sha}",
  subscribers_url: "/subscribers",
  subscription_url: "/subscription",
  tags_url: "/tags",
  teams_url: "/teams",
  trees_url: "/git/trees{/sha}",
};

export function fullName({ owner, name }: Pick<Repository, "owner" | "name">): string {
  return `${owner}/${name}`;
}

/** Where the API has a repository. */
export function repositoryUrl(world: World, repository: Repository): string {
  return `${world.url}/repos/${repository.owner}/${repository.name}`;
}

/** Whole enough for every place where GitHub shows a repository. */
export function renderRepository(world: World, repository: Repository): JsonObject {
  const url = repositoryUrl(world, repository);
  const htmlUrl = `${world.url}/${fullName(repository)}`;
  const open = repository.issues.filter(({ state }) => state === "open").length;
  const pushedAt = repository.activity.at(-1)?.at ?? repository.createdAt;
  const forks = world.state.repositories.filter(({ forkOf }) => forkOf === fullName(repository)).length;
  return {
    id: repository.id,
    node_id: nodeId("Repository", repository.id),
    name: repository.name,
    full_name: fullName(repository),
    owner: renderUser(world, repository.owner),
    private: repository.private,
    visibility: repository.private ? "private" : "public",
    html_url: htmlUrl,
    description: null,
    fork: repository.forkOf !== undefined,
    url,
    ...Object.fromEntries(Object.entries(LINKS).map(([name, rest]) => [name, url + rest])),
    git_url: `${htmlUrl}.git`,
    ssh_url: `${htmlUrl}.git`,
    clone_url: `${htmlUrl}.git`,
    svn_url: htmlUrl,
    ...{ mirror_url: null, homepage: null, language: null, license: null, topics: [], custom_properties: {} },
    ...{ stargazers_count: 0, watchers_count: 0, watchers: 0, subscribers_count: 0, size: 0 },
    ...{ forks_count: forks, forks, network_count: forks, open_issues_count: open, open_issues: open },
    default_branch: repository.defaultBranch,
    ...{ has_issues: true, has_projects: false, has_wiki: false, has_pages: false, has_downloads: false },
    ...{ has_discussions: false, archived: false, disabled: false, is_template: false },
    ...{ allow_forking: true, web_commit_signoff_required: false },
    pushed_at: pushedAt,
    created_at: repository.createdAt,
    updated_at: pushedAt,
  };
}
