import type { Repository } from "../state.js";
import type { World } from "../world.js";

/** Where GitHub looks, in this order; the first that is there counts. */
const PLACES = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];

export interface CodeownersError {
  readonly line: number;
  readonly column: number;
  readonly source: string;
  readonly kind: "Unknown owner" | "Invalid owner" | "Invalid pattern";
  readonly suggestion: string | null;
  readonly message: string;
  readonly path: string;
}

/** The file as it is at a commit; null where there is none. */
export async function readCodeowners(
  world: World,
  repository: Repository,
  commit: string,
): Promise<{ readonly path: string; readonly text: string } | null> {
  const listed = (
    await world.git(repository, ["ls-tree", "--name-only", "-r", commit, "--", ...PLACES])
  ).split("\n");
  const path = PLACES.find((place) => listed.includes(place));
  if (path === undefined) return null;
  return { path, text: await world.git(repository, ["cat-file", "blob", `${commit}:${path}`]) };
}

/** Owners are people who can write here, teams, or addresses. */
export function codeownersErrors(
  world: World,
  repository: Repository,
  { path, text }: { readonly path: string; readonly text: string },
): CodeownersError[] {
  return text.split("\n").flatMap((source, index) => {
    const [pattern, ...owners] = source
      .replace(/(^|\s)#.*$/, "")
      .trim()
      .split(/\s+/);
    if (pattern === undefined || pattern === "") return [];
    const problem = (kind: CodeownersError["kind"], word: string, why: string): CodeownersError => {
      const column = source.indexOf(word) + 1;
      const place = `${kind} on line ${index + 1}: ${why}`;
      const message = `${place}\n\n  ${source}\n  ${" ".repeat(column - 1)}^`;
      return { line: index + 1, column, source, kind, suggestion: null, message, path };
    };
    if (/^!|[[\]]/.test(pattern)) return [problem("Invalid pattern", pattern, "GitHub does not read it")];
    return owners.flatMap((owner) => {
      if (!/^@[\w-]+(\/[\w-]+)?$|^[^@\s]+@[^@\s]+$/.test(owner))
        return [problem("Invalid owner", owner, "an owner is @user, @organization/team or an address")];
      if (!owner.startsWith("@") || owner.includes("/") || writes(world, repository, owner.slice(1)))
        return [];
      return [problem("Unknown owner", owner, `make sure ${owner} exists and can write to the repository`)];
    });
  });
}

function writes(world: World, repository: Repository, login: string): boolean {
  return world.user(login) !== null && ["write", "maintain", "admin"].includes(world.role(repository, login));
}
