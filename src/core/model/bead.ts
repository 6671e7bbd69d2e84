import type { ReleaseVerdict } from "./release.js";

/** A bead's name. It becomes a branch and a folder, so it is checked once, where it enters. */
export type BeadId = string & { readonly __brand: "BeadId" };

export interface Bead {
  readonly id: BeadId;
  readonly title: string;
  readonly description: string;
  readonly acceptance: string;
  /** As the tracker says it: open, in_progress, blocked, deferred, closed and whatever else it knows. */
  readonly status: string;
  /** 0 is the most urgent. */
  readonly priority: number;
  readonly type: string;
  readonly labels: readonly string[];
  /** Who works on it according to the tracker; empty when nobody does. */
  readonly assignee: string;
  readonly parent: BeadId | null;
  /** The beads that must be closed before this one may run. */
  readonly blockers: readonly BeadId[];
  /** Whether agents may work on it; absent in a tracker that only the project's own people write to. */
  readonly release?: ReleaseVerdict;
}

/** Deleted beads stay in an export as tombstones; nobody can finish one, so nothing waits for it. */
const CLOSED_STATUSES: ReadonlySet<string> = new Set(["closed", "done", "tombstone"]);

export function isClosed(bead: Pick<Bead, "status">): boolean {
  return CLOSED_STATUSES.has(bead.status);
}

/** Null when the text cannot name a branch `agent/<id>` and a folder on every machine. */
export function parseBeadId(text: string): BeadId | null {
  const valid = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(text) && !/\.\.|\.$|\.lock$/i.test(text);
  return valid ? (text as BeadId) : null;
}

/** An issue's bead goes by its number. */
export function beadOfIssue(issue: number): BeadId {
  return `gh-${issue}` as BeadId;
}

/** Null for a bead that is no issue of the repository. */
export function issueOfBead(bead: string): number | null {
  const [, digits] = /^gh-([1-9]\d{0,14})$/.exec(bead) ?? [];
  return digits === undefined ? null : Number(digits);
}
