import type { ProjectConfig } from "../core/config/project-schema.js";
import type { LandProgress } from "../core/land/land-progress.js";
import { standingOf } from "../core/land/landing-queue.js";
import { ruleDemands } from "../core/land/pull/base-rules.js";
import { CODE_OWNER_FILES } from "../core/land/pull/code-owners.js";
import type { ApprovalFacts, Person } from "../core/land/pull/count-approvals.js";
import type { PullLandFacts } from "../core/land/pull/pull-land-facts.js";
import type { GateRunner } from "../core/land/pull/pull-refusal.js";
import { isToSquash } from "../core/land/pull/unmet-for-landing.js";
import { beadOfBranch, pullSubject } from "../core/model/pull.js";
import { ALLOWED_SIGNERS } from "../core/replies/sign/signing.js";
import type { Evidence } from "../core/run/ledger/evidence.js";
import type { Landing, LedgerState } from "../core/run/ledger/ledger-state.js";
import { allowedSigners, linesNaming } from "../core/sign/allowed-signers.js";
import { landRules, type RuledConfig } from "../landing/land-rules.js";
import type { BaseConditions } from "../ports/base-conditions.js";
import type { Ledger } from "../ports/ledger.js";
import type { PeopledCommit, PullRecord } from "../ports/pull-record.js";
import type { PullRange, PullRefs, PullRepo } from "../ports/pull-repo.js";
import type { PullFacts, Pulls } from "../ports/pulls.js";
import type { Receipts } from "../ports/receipts.js";
import { askRolesOnce } from "./approvals/ask-roles-once.js";
import type { EvidenceParts } from "./approvals/check-evidence.js";
import { readPeople } from "./approvals/contributors.js";
import { readApprovals } from "./approvals/read-approvals.js";
import type { PullGate } from "./gate-pull.js";
import type { RunnerJobs } from "./jobs/runner-jobs.js";
import type { PullReceiptFacts } from "./pull-receipt.js";
import { rangeUnseen } from "./range-unseen.js";
import { arrivedMove, isOurs } from "./recognise-landing.js";

/** What is needed to know how a landing stands. */
export interface LandFactsParts extends EvidenceParts {
  readonly pulls: Pulls;
  readonly record: PullRecord;
  readonly conditions: BaseConditions;
  readonly repo: PullRepo;
  /** Absent where the project's commands do not run. */
  readonly gate?: Pick<PullGate, "by"> | undefined;
  /** Absent where no runner can be asked. */
  readonly runner?: RunnerJobs | undefined;
  readonly now: () => number;
}

export interface LandPullParts extends LandFactsParts {
  readonly ledger: Ledger;
  readonly receipts: Receipts;
  readonly gate?: PullGate | undefined;
  /** Tells a step to whoever watches. */
  readonly progress?: ((landing: Landing, step: LandProgress) => void) | undefined;
}

export interface LandPullSettings {
  /** `owner/name`. */
  readonly repository: string;
  readonly config: RuledConfig & Pick<ProjectConfig, "land">;
  readonly mayPushWorkflows: boolean;
  /** The token that pushes starts no checks by it, and cannot stand above rules: a workflow run's own. */
  readonly pushesSilently: boolean;
  /** Of the key that replayed commits are signed with; null when there is none. */
  readonly publicKey: string | null;
  /** Whoever asked for the landing; null when nobody has yet. */
  readonly requester: Person | null;
  /** What they wrote on GitHub; null for whoever asked at a terminal. */
  readonly evidence: Evidence | null;
}

export interface GatheredFacts extends PullLandFacts {
  /** As it is taken from here on: commits that are nowhere to be had, or stand on what is gone, are made again. */
  readonly queued: Landing;
  /** Of the landing's head. */
  readonly tree: string;
  /** The commits that GitHub lists, with their people. */
  readonly authors: readonly PeopledCommit[];
  /** What the receipt of the landing tells besides. */
  readonly told: PullReceiptFacts;
}

/** A landing, and the head of it that the gate was green on just now; null while there is none. */
export interface LookedAt {
  readonly request: Landing;
  readonly gated: string | null;
}

/** Everything that is known of a landing, asked anew. Null when the pull request or its branch is gone. */
export async function gatherLandFacts(
  parts: LandPullParts,
  settings: LandPullSettings,
  { request, gated }: LookedAt,
): Promise<GatheredFacts | null> {
  const { ledger, pulls } = parts;
  const { state } = await ledger.refresh();
  const pull = request.pull === null ? null : await pulls.read(request.pull);
  return pull && gatherFactsOf(parts, settings, { state, pull, request, gated });
}

/** The same for a pull request that was read just now, and a landing that may be in no queue. */
export async function gatherFactsOf(
  parts: LandFactsParts,
  settings: LandPullSettings,
  { state, pull, request, gated }: Pick<Known, "state" | "pull"> & LookedAt,
): Promise<GatheredFacts> {
  const { repo } = parts;
  const { number, head: own } = pull;
  const refs = await repo.fetch(request.branch, { number, branch: own.branch, fork: own.fork });
  const tip = refs.head ?? "";
  // What was replayed and recorded may have been made on a machine that is gone.
  const lost = !(await repo.has(request.head)) && tip === request.asked;
  const anew = lost || !(await standsOn(repo, request, refs.base));
  const landing = anew ? { ...request, head: request.asked } : request;
  const here = await repo.has(landing.head);
  const arrived = await arrivedMove(repo, landing, refs);
  const known = { state, pull, landing, refs, here, below: arrived?.from ?? refs.base };
  const look = { ...parts, threads: askRolesOnce(parts.threads) };
  const { authors, ...work } = await gatherWork(look, settings, known);
  return {
    standing: standingNow(state, landing, pull),
    arrived,
    settings: landSettings(settings, landing, parts.gate?.by ?? null),
    pull: {
      ...{ open: pull.state === "open", merged: pull.merged !== null, draft: pull.draft },
      ...{ head: own.sha, branch: own.branch, into: pull.base.branch, fork: own.fork, own: isOwn(pull) },
    },
    landing: { asked: landing.asked, head: landing.head, moves: landing.moves, method: landing.method },
    tip,
    tipIsOurs: await isOurs(repo, request, refs),
    ...work,
    gated: gated === landing.head,
    queued: landing,
    authors,
    told: {
      ...{ title: pull.title, url: pull.url, slot: state.slots[landing.bead], known: state.pulls[number] },
      tip: refs.receipts,
    },
  };
}

/** Whether what it was replayed on is still on the base branch. Landed, it would bring back what was taken off. */
async function standsOn(repo: PullRepo, { asked, head, base }: Landing, tip: string): Promise<boolean> {
  return head === asked || !(await repo.has(base)) || repo.isAncestor(base, tip);
}

interface Known {
  readonly state: LedgerState;
  readonly pull: PullFacts;
  readonly landing: Landing;
  readonly refs: PullRefs;
  /** Its commits are here. */
  readonly here: boolean;
  /** The base branch without the landing's own commits. */
  readonly below: string;
}

async function gatherWork(parts: LandFactsParts, settings: LandPullSettings, known: Known) {
  const { repo, record, conditions } = parts;
  const { pull, landing, refs, here } = known;
  const candidate = { base: refs.base, head: landing.head };
  const range = here ? await repo.range(candidate) : rangeUnseen(refs);
  const contained = here && (await repo.isAncestor(refs.base, landing.head));
  const rules = await conditions.rules(landing.branch);
  const demands = ruleDemands(rules.kind === "read" ? rules.rules : []);
  const allowed = (await record.fileAt(ALLOWED_SIGNERS, refs.base)) ?? "";
  // A replay loses signatures, so whether there are any is asked before one, too.
  const rewritten = !contained || isToSquash({ landing, total: range.total });
  const looked = here && (demands.signatures || settings.config.signing.required || rewritten);
  const people = await approvalsOf(parts, settings, {
    ...known,
    number: pull.number,
    head: landing.head,
    pull,
  });
  const listed = new Set(people.listed.map(({ sha }) => sha));
  const told = pull.head.sha !== landing.head || range.commits.every(({ sha }) => listed.has(sha));
  // GitHub does not know a head yet that is to be pushed.
  const names = demands.checks.map(({ name }) => name);
  const reports = async () => (refs.head === landing.head ? conditions.checks(landing.head, names) : []);
  const pushedAt = people.activity?.[0]?.after === landing.head ? people.activity[0].at : landing.at;
  return {
    authors: people.listed,
    base: {
      branch: landing.branch,
      tip: refs.base,
      contained,
      repository: pull.url.replace(/\/pull\/\d+$/, ""),
    },
    rules,
    approval: people.approval,
    ancestors: await ancestorsOf(parts, settings, known, range),
    ...range,
    commits: people.known && told ? range.commits : [],
    checks: await reports(),
    signatures: looked ? await repo.signatures(allowed, candidate) : [],
    codeOwners: demands.codeOwners ? await codeOwnersAt(record, refs.base) : "",
    openThreads: demands.resolvedThreads ? await record.openThreads(pull.number) : 0,
    signer: signerOf(settings.publicKey, allowed, parts.runner),
    waitedMs: parts.now() - Math.max(Date.parse(landing.at), Date.parse(pushedAt)),
  };
}

/** Also while its bead is held, which a pull request without a slot does not go by. */
function standingNow(state: LedgerState, landing: Landing, pull: PullFacts): PullLandFacts["standing"] {
  const standing = standingOf(state, landing);
  const names = [beadOfBranch(pull.head) ?? "", pullSubject(pull.number)];
  const held = names.some((name) => state.holds[name] !== undefined);
  return standing.kind === "open" && held ? { kind: "held" } : standing;
}

function isOwn({ head }: PullFacts): boolean {
  return beadOfBranch(head) !== null;
}

function landSettings(
  { config, mayPushWorkflows, pushesSilently }: LandPullSettings,
  { allowProtected }: Landing,
  gateBy: GateRunner | null,
): PullLandFacts["settings"] {
  const { approvals, gate } = config.land;
  return {
    ...landRules(config),
    ...{ approvals, gate, allowProtected, mayPushWorkflows, pushesSilently, gateBy },
  };
}

interface ApprovedPull {
  readonly state: LedgerState;
  readonly pull: PullFacts;
  readonly number: number;
  readonly head: string;
  readonly landing: Landing;
  readonly below: string;
}

async function approvalsOf(parts: LandFactsParts, settings: LandPullSettings, facts: ApprovedPull) {
  const { state, pull, number, head, landing, below } = facts;
  const people = await readPeople(parts.record, pull);
  const given = state.pulls[number]?.approvals ?? [];
  // What was approved in another form is read again only where it may carry over.
  const heads = number === landing.pull ? [...new Set([head, landing.asked])] : [head];
  const place = { repository: settings.repository, pull: number, activity: people.activity, heads };
  const { approvals, objections } = await readApprovals(parts, place, given);
  const replayed = number === landing.pull && head !== landing.asked && approvals.length > 0;
  const carries = replayed && (await parts.repo.isReplay(number, landing.asked, head, below));
  const approval: ApprovalFacts = {
    ...{ approvals, objections, head, contributors: people.contributors },
    carried: new Set(carries ? [landing.asked] : []),
    requester: settings.config.land.requester_counts ? null : settings.requester,
  };
  return { ...people, approval };
}

/** Open pull requests whose head this one contains: GitHub counts them as merged with it. */
async function ancestorsOf(
  parts: LandFactsParts,
  settings: LandPullSettings,
  known: Known,
  { commits }: PullRange,
): Promise<PullLandFacts["ancestors"]> {
  const shas = new Set(commits.map(({ sha }) => sha));
  const open = await parts.pulls.listOpen();
  const found = open.filter(
    ({ number, head, base }) =>
      number !== known.pull.number && base.branch === known.landing.branch && shas.has(head.sha),
  );
  return Promise.all(
    found.map(async (pull) => {
      const { number, head } = pull;
      const { approval } = await approvalsOf(parts, settings, { ...known, pull, number, head: head.sha });
      return { number, own: isOwn(pull), approval };
    }),
  );
}

async function codeOwnersAt(record: PullRecord, ref: string): Promise<string> {
  for (const path of CODE_OWNER_FILES) {
    const text = await record.fileAt(path, ref);
    if (text !== null) return text;
  }
  return "";
}

function signerOf(
  publicKey: string | null,
  allowed: string,
  runner: RunnerJobs | undefined,
): PullLandFacts["signer"] {
  if (publicKey !== null && linesNaming(publicKey, allowedSigners(allowed)).length > 0) return "allowed";
  if (runner?.kinds.has("rebase")) return "runner";
  return publicKey === null ? "none" : "not-allowed";
}
