import type { ProjectConfig } from "../core/config/project-schema.js";
import type { ContainedMark } from "../core/contain/containment.js";
import type { AccountMarks } from "../core/govern/account-pin.js";
import type { AdmissionDenial } from "../core/govern/admission-denial.js";
import type { AccountMark } from "../core/govern/verify-identity.js";
import type { RunningCommand } from "../core/land/land-progress.js";
import type { Persona } from "../core/prompt/persona.js";
import type { SteeredWord } from "../core/replies/control/steering.js";
import type { RuntimePause } from "../core/run/ledger/runtime-pause.js";
import type { SpendingKey } from "../core/run/plan/paying-accounts.js";
import type { QuotaReport } from "../core/run/plan/quota-facts.js";
import type { RunOptions } from "../core/run/tick/tick-facts.js";
import type { LaunchGuard } from "../core/runtimes/launch-spec.js";
import type { LandingNews } from "../landing/landing-news.js";
import type { AgentProcesses } from "../ports/agent-processes.js";
import type { AgentRuntime } from "../ports/agent-runtime.js";
import type { Gate } from "../ports/gate.js";
import type { AccountQuotas } from "../ports/govern/account-quotas.js";
import type { Governor } from "../ports/govern/governor.js";
import type { LandTurn } from "../ports/land-turn.js";
import type { Ledger } from "../ports/ledger.js";
import type { PullsAccess } from "../ports/pulls.js";
import type { Receipts } from "../ports/receipts.js";
import type { Repo } from "../ports/repo.js";
import type { SlotFolders } from "../ports/slot-folders.js";
import type { WorkSource } from "../ports/work-source.js";
import type { Worktrees } from "../ports/worktrees.js";

/** What the engine works with. Everything that touches the world comes in here. */
export interface EngineParts {
  readonly ledger: Ledger;
  readonly source: WorkSource;
  readonly worktrees: Worktrees;
  readonly processes: AgentProcesses;
  readonly governor: Governor;
  readonly folders: SlotFolders;
  readonly repo: Repo;
  readonly gate: Gate;
  readonly receipts: Receipts;
  readonly landTurn: () => Promise<LandTurn>;
  /** The way to pull requests, asked for when one is to be opened. */
  readonly pulls: () => Promise<PullsAccess>;
  /** Without an account, or with one that is paid for as ever, the runtime as the project sets it up. */
  readonly runtime: (name: string, account?: AccountMark) => AgentRuntime;
  /**
   * The accounts that the project pins, looked at now; absent where nobody pins any. Throws a `UserError` when one is not
   * what is expected: that ends the run as a lost lease does.
   */
  readonly accounts?: () => Promise<AccountMarks>;
  /** What the agents' guards must know of this machine and project; without it agents are not guarded. */
  readonly guard?: Omit<LaunchGuard, "folder">;
  /** How the accounts stand that agents work on. */
  readonly quotas: AccountQuotas;
  readonly now: () => number;
  /** Milliseconds that only ever pass: nobody sets this clock, and it stands still while the machine sleeps. */
  readonly steady: () => number;
  /** A new name for an agent's session. */
  readonly newSession: () => string;
  /** The file whose age tells agents that their engine has lost its lease. It is as old as the last renewal. */
  readonly liveness: { readonly file: string; touch(at: number): Promise<void> };
  /** Whether the disk takes what is written below koryph's home. */
  readonly canWrite: () => Promise<boolean>;
  readonly report: (news: EngineNews) => void;
}

export interface EngineSettings {
  readonly config: ProjectConfig;
  readonly options: RunOptions;
  readonly parent?: string | undefined;
  readonly only?: string | undefined;
  readonly engineVersion: string;
  /** Names this engine in the lease: unique per process. */
  readonly holder: string;
  readonly host: string;
  readonly leaseSeconds: number;
  /** What agents of another engine get beyond its lease to be gone; 30 unless told. */
  readonly graceSeconds?: number | undefined;
  readonly resume: boolean;
  /** A new run takes over what earlier ones left, instead of keeping it for whoever resumes them. */
  readonly adopt?: boolean | undefined;
  /** How long each signal to an agent gets in an interrupted run; as always unless told. */
  readonly interruptGraceMs?: number | undefined;
  /** A new run's id. */
  readonly runId: string;
  /** Text the repository keeps for agents, such as AGENTS.md. */
  readonly agentNotes: string;
  /** Who the agents of stages and reviews are to be, by task. */
  readonly personas?: ReadonlyMap<string, Persona> | undefined;
  /** What shuts agents in on this machine. */
  readonly contained?: ContainedMark | undefined;
}

/** What the engine tells whoever watches. */
export type EngineNews =
  | {
      readonly kind: "run";
      readonly run: string;
      readonly resumed: boolean;
      readonly width: number;
      /** A `--max` above what the project allows; absent when it was followed. */
      readonly clipped?: number | undefined;
    }
  /** Agents start with this pause between them. */
  | { readonly kind: "stagger"; readonly seconds: number }
  /** The machine bears no further agent; `bead` is null where others wait for the same. */
  | { readonly kind: "not-admitted"; readonly bead: string | null; readonly why: AdmissionDenial }
  | {
      readonly kind: "waiting-for-lease";
      readonly holder: string;
      readonly host: string;
      readonly seconds: number;
    }
  | { readonly kind: "interrupted" }
  | { readonly kind: "cleared"; readonly what: string; readonly at: string; readonly actor: string }
  /** Somebody said how the run is to go on. */
  | { readonly kind: "steered"; readonly actor: string; readonly word: SteeredWord }
  | { readonly kind: "orphan"; readonly bead: string; readonly done: string }
  | {
      readonly kind: "dispatching";
      readonly bead: string;
      readonly title: string;
      /** Counts attempts at implementing. */
      readonly attempt: number;
      readonly runtime: string;
      readonly model: string;
      /** The model that could not do it, for a last attempt on a stronger one. */
      readonly insteadOf: string | null;
      readonly start: "fresh" | "resume";
      /** What the agent is for: implement, review or stage:<name>. */
      readonly task: string;
      /** The key it is billed to by use; absent where its usual account pays. */
      readonly billedTo?: string | undefined;
    }
  | { readonly kind: "started"; readonly bead: string; readonly pid: number }
  | { readonly kind: "stopping"; readonly bead: string; readonly why: string }
  | {
      readonly kind: "ended";
      readonly bead: string;
      readonly outcome: string;
      readonly detail: string;
      readonly costUsd: number;
    }
  | {
      readonly kind: "finished";
      readonly bead: string;
      readonly commits: number;
      readonly head: string;
      readonly note: string;
    }
  | { readonly kind: "reviewed"; readonly bead: string; readonly verdict: string; readonly note: string }
  | LandingNews
  | {
      readonly kind: "queued";
      readonly bead: string;
      readonly reason: string;
      /** The run is being ended, and takes it up no more. */
      readonly forNextRun?: boolean;
      /** A person holds it, so that its time alone starts nothing. */
      readonly held?: boolean;
      /** Null when it waits for its runtime. */
      readonly inSeconds: number | null;
    }
  /** Nothing is started on a runtime, until a time where one is known. */
  | {
      readonly kind: "runtime-paused";
      readonly pause: Pick<RuntimePause, "runtime" | "model" | "kind" | "until" | "detail">;
    }
  | { readonly kind: "runtime-resumed"; readonly runtime: string }
  | {
      readonly kind: "blocked";
      readonly bead: string;
      readonly reason: string;
      readonly status: "blocked" | "conflict";
    }
  | { readonly kind: "dropped"; readonly bead: string; readonly reason: string }
  /** An account has reached another level. */
  | ({ readonly kind: "quota" } & QuotaReport)
  /** Agents may be billed by use in this run. */
  | {
      readonly kind: "spending";
      readonly runtime: string;
      readonly key: SpendingKey;
      readonly budgetUsd: number;
    }
  | { readonly kind: "stuck"; readonly bead: string; readonly seconds: number }
  /** The gate is tried on the default branch, or was found red there: with the command that is. */
  | { readonly kind: "base-gate"; readonly head: string; readonly red: string | null }
  /** A command of that gate runs; null when none does any more. */
  | { readonly kind: "base-command"; readonly running: RunningCommand | null }
  | { readonly kind: "trouble"; readonly what: string };
