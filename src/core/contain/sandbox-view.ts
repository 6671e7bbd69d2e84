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
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "read" | "write"; readonly path: string };

/** Empty at the start, gone at the end, and the same path for everybody. */
const SCRATCH = ["/tmp", "/var/tmp", "/dev/shm"];

/**
 * The whole file system as a contained process sees it, in the order in which it is put together. What is not named here
 * is not there: neither the homes of people nor koryph's own, neither sockets nor other beads.
 */
export function sandboxView(machine: MachineView, room: RoomView): Mount[] {
  const writable = outermost(room.writable);
  const shown = outermost([...machine.readable, ...room.readable]);
  const readable = shown.filter((path) => !writable.some((folder) => isBelow(path, folder)));
  const mounts = [
    ...readable.map((path) => ({ kind: "read", path }) as const),
    ...writable.map((path) => ({ kind: "write", path }) as const),
  ].sort((x, y) => depth(x.path) - depth(y.path));
  return [
    ...machine.links.map(([path, target]) => ({ kind: "link", path, target }) as const),
    ...SCRATCH.map((path) => ({ kind: "scratch", path }) as const),
    // Made by name, so that whoever is inside may pass through them.
    ...parents(
      mounts.map(({ path }) => path),
      readable,
    ).map((path) => ({ kind: "folder", path }) as const),
    ...mounts,
  ];
}

/** Without those that lie in another one of them. */
function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other !== path && isBelow(path, other)));
}

function parents(paths: readonly string[], readable: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    const parts = path.split("/").slice(1, -1);
    for (const at of parts.keys()) found.add(`/${parts.slice(0, at + 1).join("/")}`);
  }
  const isMade = (path: string) => !readable.some((folder) => path === folder || isBelow(path, folder));
  return [...found]
    .filter((path) => isMade(path) && !SCRATCH.includes(path))
    .sort((x, y) => depth(x) - depth(y));
}

function depth(path: string): number {
  return path.split("/").length;
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}
