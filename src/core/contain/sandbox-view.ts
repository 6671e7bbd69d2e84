/** What of the machine itself everybody inside may see: links as they are, folders and files read-only. */
export interface MachineView {
  readonly links: readonly (readonly [path: string, target: string])[];
  readonly readable: readonly string[];
}

/** What one process may see besides. All paths are absolute, and there. */
export interface RoomView {
  readonly writable: readonly string[];
  readonly readable: readonly string[];
}

export type Mount =
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  | { readonly kind: "scratch"; readonly path: string }
  | { readonly kind: "folder" | "hidden"; readonly path: string }
  | { readonly kind: "read" | "write"; readonly path: string };

/** Empty at the start, gone at the end, and the same path for everybody. */
const SCRATCH = ["/tmp", "/var/tmp", "/dev/shm"];

/**
 * The whole file system as a contained process sees it, in the order in which it is put together. What is not named here
 * is not there: neither the homes of people nor koryph's own, neither sockets nor other beads. `hidden` folders are not
 * there either where a readable folder holds them; what a process works with below them is.
 */
export function sandboxView(machine: MachineView, room: RoomView, hidden: readonly string[] = []): Mount[] {
  const writable = outermost(room.writable, hidden);
  const named = [...machine.readable, ...room.readable].filter((path) => !hidden.includes(path));
  const shown = outermost(named, hidden);
  const readable = shown.filter((path) => !writable.some((folder) => isBelow(path, folder)));
  const covers = hidden.filter((path) => readable.some((folder) => isBelow(path, folder)));
  const mounts = [
    ...readable.map((path) => ({ kind: "read", path }) as const),
    ...writable.map((path) => ({ kind: "write", path }) as const),
  ];
  // Made by name, so that whoever is inside may pass through them.
  const folders = parents(
    mounts.map(({ path }) => path),
    (path) => isMade(path, readable, covers),
  ).map((path) => ({ kind: "folder", path }) as const);
  const isCovered = ({ path }: { readonly path: string }) => covers.some((cover) => isBelow(path, cover));
  const late = [
    ...covers.map((path) => ({ kind: "hidden", path }) as const),
    ...folders.filter(isCovered),
    ...mounts,
  ];
  return [
    ...machine.links.map(([path, target]) => ({ kind: "link", path, target }) as const),
    ...SCRATCH.map((path) => ({ kind: "scratch", path }) as const),
    ...folders.filter((folder) => !isCovered(folder)),
    ...late.sort((x, y) => depth(x.path) - depth(y.path)),
  ];
}

/** Without those that lie in another one of them, unless something hidden lies between. */
function outermost(paths: readonly string[], hidden: readonly string[]): string[] {
  const all = [...new Set(paths)];
  const shows = (folder: string, path: string) =>
    isBelow(path, folder) && !hidden.some((cover) => isBelow(path, cover) && isBelow(cover, folder));
  return all.filter((path) => !all.some((other) => shows(other, path)));
}

/** Whether a folder has to be made: none that is shown holds it, or what hides a part of that does. */
function isMade(path: string, readable: readonly string[], covers: readonly string[]): boolean {
  const holders = readable.filter((folder) => path === folder || isBelow(path, folder));
  return holders.every((folder) => covers.some((cover) => isBelow(path, cover) && isBelow(cover, folder)));
}

function parents(paths: readonly string[], isWanted: (path: string) => boolean): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    const parts = path.split("/").slice(1, -1);
    for (const at of parts.keys()) found.add(`/${parts.slice(0, at + 1).join("/")}`);
  }
  return [...found]
    .filter((path) => isWanted(path) && !SCRATCH.includes(path))
    .sort((x, y) => depth(x) - depth(y));
}

function depth(path: string): number {
  return path.split("/").length;
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}
