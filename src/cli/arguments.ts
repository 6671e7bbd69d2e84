import { InvalidArgumentError } from "commander";
import { type LandTarget, readLandTarget } from "../core/land/pull/land-target.js";
import { parseBeadId } from "../core/model/bead.js";

export function positiveNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It takes a whole number of at least 1.");
  return Number(text);
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** In ms. */
export function timeSpan(text: string): number {
  const [, digits, unit] = /^([1-9]\d{0,3})([mhd])$/.exec(text) ?? [];
  if (digits === undefined)
    throw new InvalidArgumentError("It takes minutes, hours or days, such as 30m, 2h or 1d.");
  return Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

export function sumOfMoney(text: string): number {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(text)) throw new InvalidArgumentError("It takes a sum such as 12.50.");
  return Number(text);
}

export function beadId(text: string): string {
  const id = parseBeadId(text);
  if (id === null) throw new InvalidArgumentError("It is no bead id.");
  return id;
}

export function pullNumber(text: string): number {
  const digits = /^#?([1-9]\d{0,8})$/.exec(text)?.[1];
  if (digits === undefined) throw new InvalidArgumentError("not the number of a pull request.");
  return Number(digits);
}

/** Several beads and pull requests, each once, in the order they were given in. */
export function landTargets(text: string, before: readonly LandTarget[] = []): readonly LandTarget[] {
  const target = readLandTarget(text);
  if (target === null) throw new InvalidArgumentError("It is neither a bead id nor a pull request.");
  const isThere = before.some((each) => JSON.stringify(each) === JSON.stringify(target));
  return isThere ? before : [...before, target];
}
