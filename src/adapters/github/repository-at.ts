/** A repository as GitHub's API asks for it. */
export interface RepositoryAt {
  readonly owner: string;
  readonly repo: string;
}

/** `repository` is `owner/name`. */
export function repositoryAt(repository: string): RepositoryAt {
  const [owner = "", repo = ""] = repository.split("/");
  return { owner, repo };
}
