import type { RunnerRun } from "../core/jobs/runner-run.js";
import type { Annotation } from "../core/review/pull/analysis.js";

export interface CheckRunReport {
  readonly name: string;
  readonly head: string;
  /** Tells this very report from others of the name: a report that is there already is not made again. */
  readonly externalId: string;
  readonly conclusion: "success" | "failure" | "neutral";
  readonly title: string;
  readonly summary: string;
  readonly text: string;
  readonly annotations: readonly Annotation[];
}

export type Published =
  | { readonly kind: "published"; readonly url: string }
  /** Check runs belong to Apps, and the token is a person's; or it may not write any. */
  | { readonly kind: "not-allowed" };

/** A check run that is changed as things change. */
export interface KeptCheck {
  readonly name: string;
  readonly head: string;
  /** Tells it from others of the name on the same head. */
  readonly externalId: string;
  readonly conclusion: "success" | "neutral" | "action_required";
  readonly detailsUrl: string;
  readonly title: string;
  readonly summary: string;
  readonly text: string;
}

/** Check runs that show how something stands. */
export interface KeptChecks {
  /**
   * There is one that says this afterwards; its id. `known` is the id of one that is there already, if that is known.
   * Null where none may be written.
   */
  keep(check: KeptCheck, known: number | null): Promise<number | null>;
}

/** A check run that shows a run of koryph's while it goes on. */
export interface WaveCheck
  extends Pick<KeptCheck, "name" | "head" | "externalId" | "detailsUrl" | "title" | "summary"> {
  /** Null while it goes on. */
  readonly conclusion: "success" | "neutral" | null;
  /** Those that were not sent before. */
  readonly annotations: readonly Annotation[];
  readonly buttons: readonly CheckButton[];
}

export interface CheckButton {
  readonly identifier: string;
  readonly label: string;
  readonly description: string;
}

export interface ShownCheck {
  readonly id: number;
  /** It belongs to an App that hears of buttons and comments: one may put buttons on it. */
  readonly heard: boolean;
}

export interface WaveChecks {
  /** It says this afterwards; its id is `known` where it is there already. Null where none may be written. */
  show(check: WaveCheck, known: number | null): Promise<ShownCheck | null>;
  /** Check runs on a commit that are in progress, and that the same token made. */
  open(head: string): Promise<readonly { readonly id: number; readonly externalId: string }[]>;
  /** Ends one that nobody else ends any more, as neutral; one that has ended, or is gone, stays as it is. */
  close(id: number, words: Pick<WaveCheck, "title" | "summary">): Promise<void>;
}

/** A check run on which somebody pressed a button. */
export interface PressedCheck {
  /** The App that made it; null where GitHub does not tell. */
  readonly app: number | null;
  readonly externalId: string;
  readonly url: string;
  readonly startedAt: number;
  readonly ended: boolean;
}

export interface PressedChecks {
  /** Null when it is gone. */
  read(id: number): Promise<PressedCheck | null>;
  /** One that has ended says this line too, above the rest, and has these buttons. May be repeated. */
  answer(id: number, line: string, buttons: readonly CheckButton[]): Promise<void>;
}

/** Check runs of one repository. */
export interface CheckRuns {
  /** The report is there afterwards, whole and ended. May be repeated. */
  publish(report: CheckRunReport): Promise<Published>;
}

export type DispatchedRun =
  | { readonly kind: "dispatched"; readonly run: number; readonly url: string }
  /** GitHub has no such workflow, or the App may not start it. */
  | { readonly kind: "refused"; readonly status: number };

/** Workflows of one repository. */
export interface Workflows {
  defaultBranch(): Promise<string>;
  /** `workflow` is a file name. Each call starts another run. */
  dispatch(
    workflow: string,
    branch: string,
    inputs: Readonly<Record<string, string>>,
  ): Promise<DispatchedRun>;
  /** Null when GitHub shows none of this number. */
  run(id: number): Promise<RunnerRun | null>;
  /** How the job of this name in a run ended; null while it has not, and where there is none or more than one. */
  jobEnd(run: number, name: string): Promise<string | null>;
  /** Whether a branch has the commit. */
  isOn(branch: string, commit: string): Promise<boolean>;
}
