import { parseBeadId } from "../../model/bead.js";

/** What somebody wants to land, as they wrote it. */
export type LandTarget =
  | { readonly kind: "bead"; readonly bead: string }
  /** `place` is the repository that the address names. */
  | { readonly kind: "pull"; readonly pull: number; readonly place: PullPlaceName | null }
  /** Digits alone: a bead where a run has one of that name, else a pull request. */
  | { readonly kind: "either"; readonly bead: string; readonly pull: number };

export interface PullPlaceName {
  readonly host: string;
  /** `owner/name`. */
  readonly repository: string;
}

const NUMBER = /^(#?)([1-9]\d{0,8})$/;
const ADDRESS = /^https?:\/\/([^/?#\s]+)\/([\w-]+\/[\w.-]+)\/pull\/([1-9]\d{0,8})(?:[/?#].*)?$/i;

/** `gh-12`, `17`, `#17` or the address of a pull request; null for what is none of these. */
export function readLandTarget(text: string): LandTarget | null {
  const [, mark, digits] = NUMBER.exec(text) ?? [];
  if (digits !== undefined)
    return mark === "#"
      ? { kind: "pull", pull: Number(digits), place: null }
      : { kind: "either", bead: digits, pull: Number(digits) };
  const [, host, repository, number] = ADDRESS.exec(text) ?? [];
  if (host !== undefined && repository !== undefined)
    return { kind: "pull", pull: Number(number), place: { host: host.toLowerCase(), repository } };
  const bead = parseBeadId(text);
  return bead === null ? null : { kind: "bead", bead };
}

interface TargetSlot {
  readonly status: string;
  readonly settled: boolean;
  readonly pull: { readonly number: number } | null;
}

/** The number of the pull request that is to land; null where it is a bead's own branch. */
export function pullToLand(target: LandTarget, slots: Readonly<Record<string, TargetSlot>>): number | null {
  if (target.kind === "pull") return target.pull;
  const slot = slots[target.bead];
  if (slot === undefined) return target.kind === "either" ? target.pull : null;
  if (slot.pull === null) return null;
  // Merged, and not tidied up: an earlier command was cut off.
  const isPull = slot.status === "pr-opened" || slot.status === "landing";
  return isPull || (slot.status === "merged" && !slot.settled) ? slot.pull.number : null;
}
