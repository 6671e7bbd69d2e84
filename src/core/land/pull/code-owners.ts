/** A line of CODEOWNERS: whose review files need that match it. */
interface OwnerLine {
  readonly pattern: RegExp;
  /** As written: `@user`, `@org/team` or an address. None means that nobody owns what matches. */
  readonly owners: readonly string[];
}

/** Where GitHub looks for the file, in this order. */
export const CODE_OWNER_FILES: readonly string[] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];

/** The owners of each file that has any; the last line that matches a file decides. */
export function ownedFiles(
  text: string,
  paths: readonly string[],
): { readonly path: string; readonly owners: readonly string[] }[] {
  const lines = readLines(text);
  return paths.flatMap((path) => {
    const owners = lines.findLast(({ pattern }) => pattern.test(path))?.owners ?? [];
    return owners.length > 0 ? [{ path, owners }] : [];
  });
}

/** The files of which no owner is among the logins. A team or an address is nobody whom we could ask about. */
export function unreviewedFiles(
  text: string,
  paths: readonly string[],
  logins: readonly string[],
): ReturnType<typeof ownedFiles> {
  const approved = new Set(logins.map((login) => `@${login.toLowerCase()}`));
  return ownedFiles(text, paths).filter(({ owners }) =>
    owners.every((owner) => !approved.has(owner.toLowerCase())),
  );
}

function readLines(text: string): OwnerLine[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [pattern = "", ...owners] = line
      .replace(/(^|\s)#.*$/, "")
      .trim()
      .split(/\s+/);
    return pattern === "" ? [] : [{ pattern: patternOf(pattern), owners }];
  });
}

/** As in .gitignore, without `!`, `[…]` and `\#`, which GitHub does not take there either. */
function patternOf(pattern: string): RegExp {
  const anchored = pattern.slice(0, -1).includes("/");
  const folder = pattern.endsWith("/");
  const body = pattern.replace(/^\//, "").replace(/\/$/, "");
  const source = body
    .split("/")
    .map((part) =>
      part === "**" ? "**" : escaped(part).replaceAll("\\*", "[^/]*").replaceAll("\\?", "[^/]"),
    )
    .join("/")
    .replaceAll("**/", "(?:.*/)?")
    .replaceAll("/**", "/.*")
    .replaceAll("**", ".*");
  // `docs/*` owns the files of the folder and none below it; any other name owns what is below it as well.
  const below = folder ? "/.*" : /(^|\/)\*$/.test(body) ? "" : "(?:/.*)?";
  return new RegExp(`^${anchored ? "" : "(?:.*/)?"}${source}${below}$`, "s");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
