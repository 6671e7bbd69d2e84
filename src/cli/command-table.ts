import { Argument, type Command } from "commander";
import { PROJECT_FILE } from "../core/config/project-file.js";
import { beadId, landTargets, positiveNumber, pullNumber } from "./arguments.js";
import type { Surface } from "./program.js";

/** A command as the first help page shows it. What it does is in a module that only those load who use it. */
export interface CommandRow {
  readonly name: string;
  readonly alias?: string;
  /** Whether it takes options. Which, its module says. */
  readonly options?: true;
  readonly args?: readonly Argument[];
  readonly description: string;
  /** What gives the command its options and subcommands, and what it does. */
  readonly load: () => Promise<(command: Command, surface: Surface) => void>;
}

const BEAD = new Argument("<bead>", "which bead").argParser(beadId);
const ANY_BEAD = new Argument("[bead]", "which bead").argParser(beadId);

/** In the order of the first help page. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: "init",
    options: true,
    description: `write a starter ${PROJECT_FILE}; never overwrites one`,
    load: async () => (await import("./commands/init.js")).addInit,
  },
  {
    name: "validate",
    options: true,
    description: `check ${PROJECT_FILE} and name everything that is wrong with it`,
    load: async () => (await import("./commands/validate.js")).addValidate,
  },
  {
    name: "doctor",
    options: true,
    description:
      "look at agents, signing, the remote and GitHub before anything runs unattended; exit 1 when unsafe",
    load: async () => (await import("./commands/doctor.js")).addDoctor,
  },
  {
    name: "gate",
    options: true,
    description:
      "run bootstrap and gate on a clean checkout, as a landing would; exit 0 when green, 1 when red",
    load: async () => (await import("./commands/gate.js")).addGate,
  },
  {
    name: "plan",
    description: "look at the backlog before anything runs",
    load: async () => (await import("./commands/plan.js")).addPlan,
  },
  {
    name: "run",
    options: true,
    description: "dispatch waves of agents until nothing is left",
    load: async () => (await import("./commands/run.js")).addRun,
  },
  {
    name: "list",
    options: true,
    description: "the open beads, how each stands, and what it waits for",
    load: async () => (await import("./commands/list.js")).addList,
  },
  {
    name: "status",
    options: true,
    description: "what the current run is doing, and what came of each bead",
    load: async () => (await import("./commands/status.js")).addStatus,
  },
  {
    name: "drain",
    options: true,
    description: "let running agents finish, start no new ones, then end the run (exit 4)",
    load: async () => (await import("./commands/control.js")).addDrain,
  },
  {
    name: "resize",
    options: true,
    args: [new Argument("[n]", "the new width").argParser(positiveNumber)],
    description: "change how many agents may work at once, in the run that is under way",
    load: async () => (await import("./commands/control.js")).addResize,
  },
  {
    name: "nudge",
    args: [BEAD, new Argument("<text...>", "what to tell it")],
    description: "put a message into the inbox of a bead's agent",
    load: async () => (await import("./commands/control.js")).addNudge,
  },
  {
    name: "stop",
    options: true,
    args: [ANY_BEAD],
    description:
      "stop a bead's agent; complete commits go on, else the bead is queued again after the attempt's backoff",
    load: async () => (await import("./commands/control.js")).addStop,
  },
  {
    name: "retry",
    options: true,
    args: [ANY_BEAD],
    description:
      "send a bead that is blocked, in conflict or finished back to an agent, with its counters at zero",
    load: async () => (await import("./commands/control.js")).addRetry,
  },
  {
    name: "hold",
    args: [BEAD, new Argument("[reason...]", "why, for whoever asks")],
    description: "start no new attempt at a bead and land nothing of it, until unhold",
    load: async () => (await import("./commands/control.js")).addHold,
  },
  {
    name: "unhold",
    args: [BEAD],
    description: "let a bead that is held go on",
    load: async () => (await import("./commands/control.js")).addUnhold,
  },
  {
    name: "inject",
    args: [BEAD],
    description: "let a run that is limited to a parent or a bead also take this ready bead",
    load: async () => (await import("./commands/control.js")).addInject,
  },
  {
    name: "land",
    alias: "merge",
    options: true,
    args: [
      new Argument(
        "[what...]",
        "beads, or pull requests as 17, #17 or their address; in this order",
      ).argParser(landTargets),
    ],
    description: "land finished beads and pull requests, one after another: checks, gate, fast-forward",
    load: async () => (await import("./commands/land.js")).addLand,
  },
  {
    name: "review-pr",
    options: true,
    args: [new Argument("[pull]", "its number").argParser(pullNumber)],
    description: "have a reviewer analyse a pull request; it approves nothing, and posts only when asked to",
    load: async () => (await import("./commands/pulls/review-pr.js")).addReviewPr,
  },
  {
    name: "pr-sync",
    options: true,
    description: "take in what became of pull requests on GitHub: merged, closed or open again",
    load: async () => (await import("./commands/pulls/pr-sync.js")).addPrSync,
  },
  {
    name: "show",
    options: true,
    args: [BEAD],
    description: "a bead's work: commits, changed files, review, gate, and what brings it on",
    load: async () => (await import("./commands/show.js")).addShow,
  },
  {
    name: "diff",
    options: true,
    args: [BEAD],
    description: "the change that a bead's commits make, as a patch",
    load: async () => (await import("./commands/show.js")).addDiff,
  },
  {
    name: "tail",
    options: true,
    args: [BEAD],
    description:
      "what was found wrong with a bead last, and what its agent did, as files on this machine tell",
    load: async () => (await import("./commands/tail.js")).addTail,
  },
  {
    name: "log",
    options: true,
    description: "what the ledger holds, oldest first",
    load: async () => (await import("./commands/record/log.js")).addLog,
  },
  {
    name: "verify",
    options: true,
    args: [new Argument("[commit]", "a commit, or a range such as v1.0..main")],
    description:
      "prove that commits came in by signed landings, each with a receipt; exit 1 when they did not",
    load: async () => (await import("./commands/record/verify.js")).addVerify,
  },
  {
    name: "report",
    options: true,
    description: "write a run as one HTML page: its timeline, waves, costs, and landings with their receipts",
    load: async () => (await import("./commands/record/report.js")).addReport,
  },
  {
    name: "metrics",
    options: true,
    description: "places, breakers and quota of this machine, and what agents cost by model, epic and bead",
    load: async () => (await import("./commands/record/metrics.js")).addMetrics,
  },
  {
    name: "ledger",
    description: "look after the ledger itself",
    load: async () => (await import("./commands/record/ledger.js")).addLedger,
  },
  {
    name: "gc",
    options: true,
    args: [new Argument("[beads...]", "only what is there of these, also when it waits for a person")],
    description: "show what old runs left behind on this machine and as saved work; --apply removes it",
    load: async () => (await import("./commands/gc.js")).addGc,
  },
  {
    name: "project",
    description: "the projects this machine knows",
    load: async () => (await import("./commands/project.js")).addProject,
  },
  {
    name: "governor",
    description: "how many agents this machine and its accounts bear, over all projects",
    load: async () => (await import("./commands/governor.js")).addGovernor,
  },
  {
    name: "quota",
    description: "how much of the provider's limits is spent, what they hold, and what koryph does about it",
    load: async () => (await import("./commands/quota.js")).addQuota,
  },
  {
    name: "batch",
    description: "ask many questions at once by Anthropic's Message Batches, with a key of its own",
    load: async () => (await import("./commands/accounts/batch.js")).addBatch,
  },
  {
    name: "signing",
    description: "the key that signs what koryph lands",
    load: async () => (await import("./commands/signing.js")).addSigning,
  },
  {
    name: "serve",
    options: true,
    description: "run the GitHub App: take webhooks, and answer commands in comments",
    load: async () => (await import("./commands/serve.js")).addServe,
  },
  {
    name: "inbox",
    description: "what the App has received and not finished yet; works beside a running server",
    load: async () => (await import("./commands/inbox.js")).addInbox,
  },
  {
    name: "sandbox",
    options: true,
    description: "run a GitHub of your own on this machine, to try the App without an account",
    load: async () => (await import("./commands/sandbox.js")).addSandbox,
  },
  {
    name: "demo",
    options: true,
    description:
      "show all of koryph on a GitHub of its own: issues, agents, pull requests, landings, receipts",
    load: async () => (await import("./commands/demo.js")).addDemo,
  },
  {
    name: "completion",
    args: [new Argument("<shell>", "which shell").choices(["bash", "zsh", "fish"])],
    description: "print a completion script, e.g. source <(koryph completion bash)",
    load: async () => (await import("./commands/completion.js")).addCompletion,
  },
  {
    name: "version",
    description: "print the version",
    load:
      async () =>
      (command, { terminal, version }) => {
        command.action(() => terminal.out(version));
      },
  },
];
