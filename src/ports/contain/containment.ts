import type { ContainmentReached } from "../../core/contain/containment.js";
import type { NetworkAccess } from "../../core/contain/network-access.js";

/** What a process may touch besides the machine's programs; everything else is not there for it. */
export interface Room {
  /** Folders of its own. */
  readonly writable: readonly string[];
  /** Folders of the operator's that it writes, too. */
  readonly shared: readonly string[];
  /** Folders and files that it reads; one that is missing is passed over. */
  readonly readable: readonly string[];
  readonly network: NetworkAccess;
  /** A private folder of the process, which it does not see. */
  readonly folder: string;
}

export interface ContainedCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Shuts processes in. */
export interface Containment {
  /** What is to be had on this machine, with why there is nothing. Asked once, and kept. */
  probe(): Promise<ContainmentProbe>;
  /** The same command inside the walls. Only where `probe` found some. */
  contain(command: ContainedCommand & { readonly cwd: string }, room: Room): Promise<ContainedCommand>;
}

export type ContainmentProbe =
  | { readonly reached: Exclude<ContainmentReached, "none">; readonly version: string }
  | { readonly reached: "none"; readonly why: string };
