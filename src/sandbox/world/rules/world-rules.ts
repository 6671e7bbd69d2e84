import { gitBytes, isAncestor } from "../../git/world-git.js";
import type { BranchRule, Repository } from "../state.js";
import type { Mover } from "../world.js";

export const NOTHING = "0".repeat(40);

/** A ref that is to move, with its value before. */
export interface Move {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
}

interface Judging {
  readonly repository: Repository;
  readonly mover: Mover;
  /** Where git finds objects that are not accepted yet. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** The rules that hold on a branch. */
export function rulesOn({ rules, defaultBranch }: Repository, branch: string): BranchRule[] {
  return rules.filter(({ branch: pattern }) => {
    if (pattern === "~ALL") return true;
    if (pattern === "~DEFAULT_BRANCH") return branch === defaultBranch;
    const source = pattern.split("**").map((part) => part.split("*").map(escapePattern).join("[^/]*"));
    return new RegExp(`^${source.join(".*")}$`).test(branch);
  });
}

/** What GitHub would say against these moves; empty when it would take them. */
export async function judgeMoves(judging: Judging, moves: readonly Move[]): Promise<string[]> {
  const lines: string[] = [];
  for (const move of moves) {
    if (move.ref.startsWith("refs/pull/")) lines.push(`${move.ref}: deny updating a hidden ref`);
    const broken = await brokenRules(judging, move);
    if (broken.length > 0)
      lines.push(
        `error: GH013: Repository rule violations found for ${move.ref}.`,
        ...broken.map((line) => `- ${line}`),
      );
    lines.push(...(await workflowComplaint(judging, move)));
  }
  return lines;
}

async function brokenRules(judging: Judging, move: Move): Promise<string[]> {
  if (!move.ref.startsWith("refs/heads/")) return [];
  const { repository, mover } = judging;
  const broken: string[] = [];
  for (const rule of rulesOn(repository, move.ref.slice("refs/heads/".length))) {
    const { apps, users } = rule.bypass;
    if ((mover.app !== null && apps.includes(mover.app)) || users.includes(mover.login)) continue;
    const complaint = await breaks(rule, judging, move);
    if (complaint !== null) broken.push(complaint);
  }
  return broken;
}

async function breaks(rule: BranchRule, judging: Judging, move: Move): Promise<string | null> {
  const { repository, env } = judging;
  const gone = move.after === NOTHING;
  const fresh = move.before === NOTHING;
  switch (rule.type) {
    case "creation":
      return fresh ? "Cannot create ref due to creations being restricted." : null;
    case "update":
      return fresh || gone ? null : "Cannot update this protected ref.";
    case "deletion":
      return gone ? "Cannot delete this protected ref." : null;
    case "non_fast_forward":
      if (gone || fresh || (await isAncestor(repository, [move.before, move.after], env))) return null;
      return "Cannot force-push to this branch";
    case "pull_request":
      return gone ? null : "Changes must be made through a pull request.";
    case "required_linear_history": {
      const merges = gone ? [] : await newCommits(judging, move, ["--merges"]);
      return merges.length === 0 ? null : "This branch must not contain merge commits.";
    }
    case "required_signatures": {
      const unsigned = gone ? [] : await unsignedCommits(judging, move);
      return unsigned.length === 0
        ? null
        : `Commits must have verified signatures. Found ${unsigned.length} violations: ${unsigned.join(", ")}`;
    }
    case "required_status_checks": {
      const missing = gone ? [] : wantedChecks(rule).filter((name) => !isGreen(repository, move.after, name));
      return missing.length === 0
        ? null
        : `${missing.length} of ${wantedChecks(rule).length} required status checks are expected: ${missing.join(", ")}`;
    }
    default:
      return null;
  }
}

/** Commits that would become reachable through this move, and were not before. */
async function newCommits({ repository, env }: Judging, { after }: Move, args: readonly string[] = []) {
  const list = await gitBytes(repository, ["rev-list", ...args, after, "--not", "--all"], { env });
  return list
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}

/** The whole pushed range is looked at, also what another branch has already. */
async function unsignedCommits({ repository, env }: Judging, { before, after }: Move): Promise<string[]> {
  const range = before === NOTHING ? [after] : [`${before}..${after}`];
  const list = (await gitBytes(repository, ["rev-list", "--header", ...range], { env })).toString();
  return list
    .split("\0")
    .filter((commit) => commit.trim() !== "" && !/^gpgsig /m.test(commit.split("\n\n")[0] ?? ""))
    .map((commit) => commit.trimStart().slice(0, 40));
}

function wantedChecks({ parameters }: BranchRule): string[] {
  const checks = parameters.required_status_checks;
  if (!Array.isArray(checks)) return [];
  return checks.map((check) => String((check as { context?: unknown }).context ?? ""));
}

function isGreen({ checkRuns, statuses }: Repository, sha: string, name: string): boolean {
  const run = checkRuns.filter((each) => each.headSha === sha && each.name === name).at(-1);
  if (run !== undefined) return ["success", "neutral", "skipped"].includes(run.conclusion ?? "");
  return statuses.filter((each) => each.sha === sha && each.context === name).at(-1)?.state === "success";
}

async function workflowComplaint(judging: Judging, move: Move): Promise<string[]> {
  if (judging.mover.workflows || move.after === NOTHING) return [];
  const shas = await newCommits(judging, move);
  if (shas.length === 0) return [];
  const changed = await gitBytes(
    judging.repository,
    [
      "diff-tree",
      "--stdin",
      "-r",
      "--root",
      "-m",
      "--no-commit-id",
      "--name-only",
      "--",
      ".github/workflows/",
    ],
    { input: `${shas.join("\n")}\n`, env: judging.env },
  );
  const [first] = changed.toString().split("\n");
  if (first === undefined || first === "") return [];
  return [
    `refusing to allow a GitHub App to create or update workflow \`${first}\` without \`workflows\` permission`,
  ];
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
