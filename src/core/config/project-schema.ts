import { z } from "zod";
import type { Verb } from "../commands/command.js";
import { VERB_NAMES } from "../commands/verbs.js";
import { CONTAINMENT_LEVELS } from "../contain/containment.js";
import { isHostPattern } from "../contain/network-access.js";
import { GUARD_MODES } from "../govern/guard-mode.js";
import { QUOTA_LADDER } from "../govern/quota-level.js";
import { canProtect } from "../land/protected-entry.js";
import { JOB_KINDS } from "../model/job-kind.js";
import { isOrdinaryCredential, SPENDING_RUNTIMES } from "../route/api-spend.js";
import { MERGE_POLICIES } from "../route/merge-policy.js";
import { DEFAULT_ALLOWED_MODELS, DEFAULT_MODEL_MAP } from "../route/resolve-model.js";
import { isReadableRequirement } from "./engine-version.js";
import { amount, block, flag, listOf, mapOf, oneOf, text, wholeNumber } from "./fields.js";

/** The newest schema_version this koryph reads. */
export const SCHEMA_VERSION = 1;

const command = text("a shell command, not an empty one");
const model = text("a model name, such as sonnet");
const resourceKind = text("a kind of lower-case letters, digits and hyphens", /^[a-z0-9-]+$/);
const PROTECTED = "a path inside the repository with forward slashes and without * or ?, such as deploy/";
const protectedPath = text(PROTECTED).refine(canProtect, { error: PROTECTED });
const runtimeName = text("a runtime name of lower-case letters, digits and hyphens", /^[a-z][a-z0-9-]*$/);

const personaName = text("a name of lower-case letters, digits and hyphens", /^[a-z][a-z0-9-]*$/);

const Resource = block({
  capacity: wholeNumber(1).default(1).describe("How many beads may hold it at once."),
  mem_mb: wholeNumber(0).optional().describe("Memory a bead holding it is expected to need, in MiB."),
});

const Prices = block({
  input_usd: amount().describe("Per million input tokens."),
  output_usd: amount().describe("Per million output tokens."),
  cache_read_usd: amount().optional().describe("Per million tokens read from cache."),
  cache_write_usd: amount().optional().describe("Per million tokens written to cache."),
});

const Runtime = block({
  enabled: flag().default(true).describe("Whether beads may run on it."),
  command: listOf(command, "a list of words, program first")
    .min(1, { error: "a list of words, program first" })
    .optional()
    .describe("Program and arguments, where the built-in ones do not fit."),
  prices: mapOf(model, Prices, "an object of model → prices")
    .default({})
    .describe("Model → prices, for a runtime that reports no cost of its own."),
});

const RESERVED_STAGES = ["implement", "review"];
const Stage = block({
  name: text(
    "a stage name of lower-case letters, digits and hyphens, other than implement and review",
    /^[a-z][a-z0-9-]*$/,
  )
    .refine((name) => !RESERVED_STAGES.includes(name), {
      error: "a stage name other than implement and review",
    })
    .describe("Name of the stage, unique in the pipeline."),
  prompt: text("what the agent is asked to do").describe("What the agent is asked to do."),
  persona: personaName
    .optional()
    .describe(
      "Who the agent is to be: `agents/<persona>.md` of the default branch, else a built-in one; absent means its name.",
    ),
  model: model.optional().describe("Model of this stage, where its default does not fit."),
  timeout_seconds: wholeNumber(1).optional().describe("Wall-clock limit."),
  optional: flag().default(false).describe("Whether the bead goes on when the stage fails."),
});

const Signing = block({
  required: flag().default(false).describe("Whether every landed commit must carry a good signature."),
  provider: oneOf(["file", "ssh-agent", "command"]).optional().describe("Where the signing key comes from."),
  key_ref: text("a path, a key fingerprint or a command, as the provider takes it")
    .optional()
    .describe("Path of the key file, fingerprint of the key in the agent, or command that prints the key."),
  email: text("an email address", /^[^\s<>@]+@[^\s<>@]+$/)
    .optional()
    .describe("Who koryph commits as: an address of the GitHub account that has the key as a signing key."),
});

const Review = block({
  auto: flag().default(false).describe("Whether finished branches are reviewed without being asked."),
  pulls: oneOf(["off", "own", "all"])
    .default("off")
    .describe(
      "Which pull requests the App has analysed without being asked: none, koryph's own, or all; drafts never.",
    ),
  on_degraded: oneOf(["proceed", "block"])
    .default("proceed")
    .describe("What an unreadable review does: it is shown as degraded and work goes on, or it blocks."),
  persona: personaName.optional().describe("Who the reviewer is to be; absent means `reviewer`."),
  timeout_seconds: wholeNumber(1).optional().describe("Wall-clock limit of a review; absent means 1200."),
});

const APPROVALS = '"rules" or a whole number of at least 0';
const Land = block({
  approvals: z
    .union([z.literal("rules"), z.int({ error: APPROVALS }).min(0, { error: APPROVALS })], {
      error: APPROVALS,
    })
    .default("rules")
    .describe("Approvals a landing needs: what the base branch's rules ask for, or a number."),
  requester_counts: flag()
    .default(false)
    .describe("Whether the one who asks for the landing may be an approver."),
  gate: oneOf(["run", "checks"])
    .default("run")
    .describe("What proves a head: koryph runs the gate on it, or its required checks on GitHub suffice."),
  undeclared: oneOf(["flag", "block"])
    .default("flag")
    .describe(
      "What a bead's changes outside its footprint do: they are shown, or they keep it from landing.",
    ),
  max_file_mb: wholeNumber(1).default(20).describe("The largest file that lands, in millions of bytes."),
  max_files: wholeNumber(1)
    .default(3_000)
    .describe("How many files a bead may change before it is shown as something to look at."),
});

const Jobs = block({
  workflow: text("the file name of a workflow, such as koryph.yml", /^[\w.-]+\.ya?ml$/)
    .optional()
    .describe("The workflow in .github/workflows that runners do jobs in; absent means that there is none."),
  kinds: listOf(oneOf(JOB_KINDS), "a list of review, rebase and gate")
    .default(["review"])
    .describe("What that workflow has a job for: reviews, replaying and signing commits, the gate."),
  app: text("the name of a GitHub App as it stands in its address", /^[a-z0-9][a-z0-9-]*$/i)
    .default("koryph")
    .describe("The GitHub App that may ask for jobs, by the name in its address."),
  minutes: wholeNumber(1, 1_440)
    .default(60)
    .describe("How long a runner may take before it is asked once more, and then given up."),
});

const RUNG = "a number above 0 and at most 1";
const rung = (value: number) =>
  z.number({ error: RUNG }).gt(0, { error: RUNG }).max(1, { error: RUNG }).default(value);
const Quota = block({
  warn: rung(QUOTA_LADDER.warn).describe("Part of a window from which fewer and fewer agents work at once."),
  drain: rung(QUOTA_LADDER.drain).describe("Part of a window from which no new bead is started."),
  stop: rung(QUOTA_LADDER.stop).describe("Part of a window from which no agent is started at all."),
  guard: oneOf(GUARD_MODES)
    .optional()
    .describe(
      "Whether the quota keeps agents back, only says that it would, or does nothing; absent means as `koryph quota guard` says.",
    ),
}).check(({ value, issues }) => {
  const ascends = (below: "warn" | "drain", above: "drain" | "stop") => {
    if (value[below] < value[above]) return;
    // The one that somebody wrote is the one to change.
    const [key, need] =
      value[above] === QUOTA_LADDER[above]
        ? [below, `a number below quota.${above}, which is ${value[above]}`]
        : [above, `a number above quota.${below}, which is ${value[below]}`];
    issues.push({ code: "custom", input: value, path: [key], message: need });
  };
  ascends("warn", "drain");
  ascends("drain", "stop");
});

const KEY_VARIABLE =
  "the name of a variable of its own, such as SPEND_KEY, and none that agents get without being asked for";
const ApiSpend = block({
  key: text(KEY_VARIABLE, /^[A-Z][A-Z0-9_]{0,99}$/)
    .refine((name) => !isOrdinaryCredential(name), { error: KEY_VARIABLE })
    .describe("The variable in koryph's environment that holds the key; no other is looked at."),
});

const BOT_VERBS = "a list of the verbs it may use, such as status";
const Commands = block({
  bots: mapOf(
    text("the id of a GitHub App", /^[1-9]\d{0,14}$/),
    listOf(oneOf(VERB_NAMES as readonly [Verb, ...Verb[]]), BOT_VERBS),
    "an object of app id → list of verbs",
  )
    .default({})
    .describe("GitHub Apps whose comments count, by id, and the verbs each may use; all others are ignored."),
});

const HOST = "a host, such as registry.npmjs.org, *.example.com or localhost:8080";
const HOSTS = 'a list of hosts, such as "registry.npmjs.org", "*.example.com" or "localhost:8080"';
const hosts = () => listOf(text(HOST).refine(isHostPattern, { error: HOST }), HOSTS);
const AGENTS_NETWORK = `"provider", "off", "on", or ${HOSTS}`;
const OWN_NETWORK = `"off", "on", or ${HOSTS}`;
const agentsNetwork = z.union([oneOf(["provider", "off", "on"]), hosts()], { error: AGENTS_NETWORK });
const ownNetwork = z.union([oneOf(["off", "on"]), hosts()], { error: OWN_NETWORK });
const READABLE =
  "an absolute path, or one that begins with ~/, without .., and not /, /etc, /proc, /sys, /dev or /run";
const CONTAINED = `${CONTAINMENT_LEVELS.join(", ")}, or an object of level, missing, network and readable`;
const Containment = block({
  level: oneOf(CONTAINMENT_LEVELS)
    .optional()
    .describe(
      "Whether agents must be shut in; absent means required in the Action and the App, and preferred elsewhere.",
    ),
  missing: oneOf(["refuse", "manual"])
    .optional()
    .describe(
      "What a run does where that is required and cannot be had: it starts no agent, or lands nothing by itself; absent means refuse where the level is written down, else manual.",
    ),
  network: block({
    agents: agentsNetwork
      .default("provider")
      .describe("Where agents may connect to: their model's provider, with further hosts beside it."),
    gates: ownNetwork.default("off").describe("Where the gate's commands may connect to."),
    bootstrap: ownNetwork.default("on").describe("Where bootstrap commands may connect to."),
  })
    .prefault({})
    .describe("Which hosts can be reached from inside."),
  readable: listOf(
    text(
      READABLE,
      /^(?!.*\/\.\.(?:\/|$))(?:~\/|\/(?!$|etc\/?$|proc(?:\/|$)|sys(?:\/|$)|dev(?:\/|$)|run(?:\/|$)))/,
    ),
    "a list of paths",
  )
    .default([])
    .describe("Further folders and files that are shown inside, read-only, such as a toolchain in a home."),
});

/** Not where other things are kept: nobody may lose a branch or saved work to the ledger. A run asks what the default branch is. */
const LEDGER_REF =
  /^refs\/(?:koryph\/(?!(?:candidate|job|old|seen|slot|wip)(?:\/|$))|heads\/(?!agent(?:\/|$)|(?:main|master)$))(?!\.)((?!\.\.|@\{)[^\s/~^:?*[\\])+(?<!\.|\.lock)(\/(?!\.)((?!\.\.|@\{)[^\s/~^:?*[\\])+(?<!\.|\.lock))*$/;

/** Git's own rules for a branch, and nothing that it could take for an option. */
const BRANCH =
  /^(?![-.])((?!\.\.|@\{)[^\s/~^:?*[\\])+(?<!\.|\.lock)(\/(?!\.)((?!\.\.|@\{)[^\s/~^:?*[\\])+(?<!\.|\.lock))*$/;

const Ledger = block({
  ref: text(
    "a ref of its own below refs/koryph/ or refs/heads/, such as refs/koryph/ledger, and none that holds other things (main, master, agent, candidate, old, seen, slot, wip)",
    LEDGER_REF,
  )
    .default("refs/koryph/ledger")
    .describe("Where the ledger lives: a ref of its own, never the default branch."),
  remote: text("the name of a git remote", /^[A-Za-z0-9][A-Za-z0-9._/-]*$/)
    .default("origin")
    .describe("The remote that shares it."),
});

/** `koryph.project.json`, the file at a repository's root that makes it a koryph project. */
export const ProjectConfig = block({
  $schema: z.string({ error: "an address" }).optional().describe("For editors; koryph does not read it."),
  schema_version: z
    .literal(SCHEMA_VERSION, { error: `${SCHEMA_VERSION}` })
    .describe("Version of this file's format."),
  project_id: text(
    "a name of lower-case letters, digits, dots, hyphens and underscores, 64 at most",
    /^[a-z0-9][a-z0-9._-]{0,63}$/,
  ).describe("Names the project on this machine and in the ledger."),
  work_source: oneOf(["github", "bd", "file"]).describe(
    "Where beads come from: GitHub issues, the bd tracker, or .koryph/beads.jsonl.",
  ),
  area_map: mapOf(
    text("an area name"),
    listOf(text("a token"), "a list of tokens"),
    "an object of area → list of tokens",
  )
    .default({})
    .describe("Area → tokens that work labelled `area:<area>` writes."),
  resources: mapOf(resourceKind, Resource, "an object of kind → capacity and mem_mb")
    .default({})
    .describe("Kind → what beads labelled `res:<kind>` share. A kind not listed has capacity 1."),
  gate: listOf(command, "a list of shell commands")
    .min(1, { error: "at least one shell command" })
    .describe("Commands that must pass before anything lands, run in order."),
  gate_timeout_seconds: wholeNumber(1, 86_400)
    .default(3_600)
    .describe(
      "Wall-clock limit of each command of the gate; one that takes longer is ended and counts as red.",
    ),
  bootstrap: listOf(command, "a list of shell commands")
    .default([])
    .describe("Commands run once in each fresh worktree."),
  model_map: block({
    frontier: model.default(DEFAULT_MODEL_MAP.frontier).describe("For planning, design, scoring and review."),
    standard: model
      .default(DEFAULT_MODEL_MAP.standard)
      .describe("For implementing, docs, tests and own stages."),
    light: model.default(DEFAULT_MODEL_MAP.light).describe("For exploring and debugging."),
  })
    .prefault({})
    .describe("Which model each tier of work runs on."),
  allowed_models: listOf(model, "a list of model names")
    .min(1, { error: "at least one model name" })
    .default([...DEFAULT_ALLOWED_MODELS])
    .describe("Models that may be used at all."),
  pipeline: listOf(Stage, "a list of stages").default([]).describe("Stages between implementing and review."),
  protected_paths: listOf(protectedPath, "a list of paths")
    .default([])
    .describe("Paths agents may not land changes to, besides the built-in ones."),
  engine_version: z
    .string({ error: "a version floor, such as 0.2+, >=0.2.3 or v0.2" })
    .refine(isReadableRequirement, { error: "a version floor, such as 0.2+, >=0.2.3 or v0.2" })
    .default("")
    .describe("The oldest koryph that may work on this project; empty means any."),
  commit_style: oneOf(["conventional", "none"])
    .default("conventional")
    .describe("How commit subjects must look."),
  merge_policy: oneOf(MERGE_POLICIES)
    .default("manual")
    .describe("What happens to a finished branch: wait for a person, land, or become a pull request."),
  default_branch: text("the name of a branch, such as main", BRANCH)
    .optional()
    .describe(
      "The branch that work lands on; absent means the remote's, or the usual one where there is no remote.",
    ),
  merge_method: oneOf(["ff", "squash"]).default("ff").describe("Keep every commit, or make one of them."),
  risk_tier_default: wholeNumber(0, 3).default(2).describe("Risk tier of a bead without an `rt:` label."),
  signing: Signing.prefault({}).describe("Commit signatures."),
  max_concurrent_slots: wholeNumber(1).default(4).describe("How many agents may work at once."),
  dispatch_mode: oneOf(["rolling", "wave"])
    .default("rolling")
    .describe("Refill a freed slot at once, or wait until the whole wave has ended."),
  dispatch_stagger_seconds: wholeNumber(0)
    .optional()
    .describe(
      "Pause between two starts while several places are filled; absent means 2, and 0 for a `command` runtime.",
    ),
  poll_seconds: wholeNumber(1).default(10).describe("How often the engine looks when nothing wakes it."),
  stuck_seconds: wholeNumber(1).default(900).describe("Silence after which an agent is shown as stuck."),
  default_runtime: runtimeName.default("claude").describe("Runtime of a bead without a `runtime:` label."),
  runtimes: mapOf(runtimeName, Runtime, "an object of runtime name → settings")
    .default({})
    .describe("Runtime name → settings."),
  review: Review.prefault({}).describe("Reviews by agents."),
  land: Land.prefault({}).describe("What a landing needs."),
  quota: Quota.prefault({}).describe(
    "How far the windows of an account are used up, once they are calibrated.",
  ),
  api_spend: mapOf(
    text(`one of ${SPENDING_RUNTIMES.join(", ")}`).refine((name) => SPENDING_RUNTIMES.includes(name), {
      error: `one of ${SPENDING_RUNTIMES.join(", ")}`,
    }),
    ApiSpend,
    "an object of runtime name → key",
  )
    .default({})
    .describe(
      "Runtime name → the key that new agents may be billed to by use, once their plan is used up and a run is started with --allow-api-spend.",
    ),
  jobs: Jobs.prefault({}).describe("What runners do for the App."),
  commands: Commands.prefault({}).describe("Commands in comments."),
  ledger: Ledger.prefault({}).describe("Where the record of runs is kept."),
  release_label: text("a label")
    .default("koryph:release")
    .describe("Label that releases a GitHub issue to agents."),
  containment: z
    .union([oneOf(CONTAINMENT_LEVELS).transform((level) => Containment.parse({ level })), Containment], {
      error: CONTAINED,
    })
    .prefault({})
    .describe("What shuts agents, reviewers and gates in: a level, or an object."),
});
export type ProjectConfig = z.infer<typeof ProjectConfig>;

/** The JSON Schema (draft 2020-12) that editors use and `docs/schema` publishes. */
export function projectJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(ProjectConfig, { io: "input" });
  return { $schema, title: "koryph.project.json", ...schema };
}
