/** A clone on the server's disk. */
export interface KeptClone {
  readonly name: string;
  readonly bytes: number;
  readonly usedAt: number;
  readonly inUse: boolean;
}

/** The clones to remove so that the rest fits into the quota: least recently used first, never one in use. */
export function chooseEvicted(clones: readonly KeptClone[], quotaBytes: number): string[] {
  let total = clones.reduce((sum, { bytes }) => sum + bytes, 0);
  const evicted: string[] = [];
  for (const { name, bytes } of clones.filter(({ inUse }) => !inUse).sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= quotaBytes) break;
    total -= bytes;
    evicted.push(name);
  }
  return evicted;
}
