/**
 * A repository path as its segments, with `.`, `..` and doubled slashes resolved, or null when it
 * leaves the repository.
 */
export function cleanPath(path: string): string[] | null {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") {
      if (segments.pop() === undefined) return null;
      continue;
    }
    segments.push(segment);
  }
  return segments;
}
