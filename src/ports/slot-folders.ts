import type { AgentStatus } from "../core/config/agent-status.js";
import type { Leftover } from "../core/model/leftover.js";
import type { ReportKind } from "../core/model/report-kind.js";
import type { LaunchSpec } from "../core/runtimes/launch-spec.js";
import type { RuntimeProbe } from "./agent-runtime.js";

/** Which attempt at which bead; `run` is the run that dispatched it. */
export interface SlotPlace {
  readonly run: string;
  readonly bead: string;
  readonly attempt: number;
}

/** What an attempt was started with: enough to read its stream after the engine has come back. */
export interface LaunchRecord {
  readonly runtime: string;
  readonly probe: RuntimeProbe;
  readonly spec: LaunchSpec;
}

/** What an attempt finds in its clone. */
export interface PreparedClone {
  /** Bringing the commits onto the default branch failed. */
  readonly conflict: boolean;
  /** Of earlier attempts. */
  readonly commits: number;
  readonly leftover: Leftover;
}

/** The files of one attempt. The agent sees `agent/` below the folder and nothing else of it. */
export interface SlotFolders {
  folder(place: SlotPlace): string;
  agentFolder(place: SlotPlace): string;
  /** A worker's is one for all attempts at the bead; a reviewer gets a new one, in which no worker left anything. */
  home(place: SlotPlace, role?: LaunchSpec["role"]): string;
  /** Of agents that are billed to a key: what they spend is not to be found among what a plan's agents spend. */
  keyHome(place: SlotPlace): string;
  /** What this very attempt's clone was made ready with; null when it was not made ready. */
  readPrepared(place: SlotPlace): Promise<PreparedClone | null>;
  markPrepared(place: SlotPlace, prepared: PreparedClone): Promise<void>;
  /** Returns the path of the prompt. `files` are what the runtime wants to find in its home: path → text. */
  writeLaunch(
    place: SlotPlace,
    prompt: string,
    record: LaunchRecord,
    files?: Readonly<Record<string, string>>,
  ): Promise<string>;
  /** Null when nothing was launched, or what is there cannot be read. */
  readLaunch(place: SlotPlace): Promise<LaunchRecord | null>;
  /** Lines of the agent's output from a byte offset on, and where to go on; an unfinished last one only when `ended`. */
  readOutput(
    place: SlotPlace,
    from: number,
    ended?: boolean,
  ): Promise<{ readonly lines: readonly string[]; readonly next: number }>;
  readErrors(place: SlotPlace): Promise<string>;
  /** The agent's own word on how it is doing; null when there is no status.json. */
  readStatus(place: SlotPlace): Promise<AgentStatus | null>;
  /** What an attempt is reproached with, for the next agent to read. */
  writeReport(place: SlotPlace, kind: ReportKind, text: string): Promise<void>;
  /** Null when it is not on this machine. */
  readReport(place: SlotPlace, kind: ReportKind): Promise<string | null>;
  /** The reviewer's verdict as it was understood, for people and tools; the engine never reads it. */
  writeReview(place: SlotPlace, review: object): Promise<void>;
  /** Where the gate of one landing keeps its files; what the bead's earlier landings left there goes. */
  openGate(bead: string, landing: string): Promise<string>;
  dropGates(bead: string): Promise<void>;
  /** Removes the private homes of all attempts at the bead, reviewers' too. */
  dropHomes(bead: string): Promise<void>;
  /** The slot at a glance, for people and tools; the engine never reads it. */
  writeManifest(place: SlotPlace, manifest: object): Promise<void>;
  /** Adds a message to the agent's inbox, once per key. */
  deliver(place: SlotPlace, key: string, text: string): Promise<void>;
}
