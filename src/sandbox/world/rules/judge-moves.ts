import { gitBytes } from "../../git/world-git.js";
import { fullName } from "../../render/repository.js";
import { brokenRule } from "./broken-rule.js";
import { bypassOf } from "./bypass.js";
import { type Judging, type Move, newCommits } from "./move.js";
import { protectionOf, protectionRules } from "./protection.js";
import { rulesetsOn } from "./ruleset.js";

export interface MoveRefusal {
  readonly ref: string;
  /** What git shows beside the ref, in brackets. */
  readonly reason: string;
  /** What git shows before that, a line each. */
  readonly lines: readonly string[];
  /** The same for a client of the API. */
  readonly answer: string;
}

export interface Judgement {
  /** Empty when GitHub would take all of it. */
  readonly refusals: readonly MoveRefusal[];
  /** What a push is told although it is taken. */
  readonly notes: readonly string[];
}

/** What GitHub would say to these moves. */
export async function judgeMoves(judging: Judging, moves: readonly Move[]): Promise<Judgement> {
  const refusals: MoveRefusal[] = [];
  const notes: string[] = [];
  for (const move of moves) {
    if (move.ref.startsWith("refs/pull/")) refusals.push(plainRefusal(move, "deny updating a hidden ref"));
    for (const { broken, bypassed, code } of await holdAgainst(judging, move)) {
      if (bypassed === "always") notes.push(`Bypassed rule violations for ${move.ref}:`, ...listed(broken));
      if (bypassed === "never") refusals.push(code(broken));
    }
    refusals.push(...(await workflowRefusal(judging, move)));
  }
  return { refusals, notes };
}

interface Violation {
  readonly broken: readonly string[];
  readonly bypassed: "always" | "exempt" | "never";
  readonly code: (broken: readonly string[]) => MoveRefusal;
}

/** What the branch's rulesets and its protection have against a move, whether or not they let the mover past. */
async function holdAgainst(judging: Judging, move: Move): Promise<Violation[]> {
  if (!move.ref.startsWith("refs/heads/")) return [];
  const { world, repository, mover } = judging;
  const branch = move.ref.slice("refs/heads/".length);
  const violations: Violation[] = [];
  const refused: string[] = [];
  for (const ruleset of rulesetsOn(repository, branch)) {
    const broken = await allBroken(judging, move, ruleset.rules);
    const bypass = bypassOf(world, repository, ruleset, mover);
    if (broken.length === 0) continue;
    // Who is let past by a pull request only is not let past by a push.
    if (bypass === "never" || bypass === "pull_request") refused.push(...broken);
    else violations.push({ broken, bypassed: bypass, code: () => ruleRefusal(judging, move, broken) });
  }
  if (refused.length > 0)
    violations.push({ broken: refused, bypassed: "never", code: () => ruleRefusal(judging, move, refused) });
  const protection = protectionOf(repository, branch);
  if (protection === null) return violations;
  const broken = await allBroken(judging, move, protectionRules(protection));
  if (broken.length === 0) return violations;
  const admin = !protection.enforceAdmins && world.role(repository, mover.login) === "admin";
  const bypassed = admin ? "always" : "never";
  return [...violations, { broken, bypassed, code: () => protectedRefusal(move, broken) }];
}

async function allBroken(
  judging: Judging,
  move: Move,
  rules: readonly Parameters<typeof brokenRule>[0][],
): Promise<string[]> {
  const broken: string[] = [];
  for (const rule of rules) {
    const complaint = await brokenRule(rule, judging, move);
    if (complaint !== null) broken.push(complaint);
  }
  return broken;
}

function listed(broken: readonly string[]): string[] {
  return ["", ...broken.flatMap((complaint) => [`- ${complaint}`, ""])];
}

function ruleRefusal({ world, repository }: Judging, { ref }: Move, broken: readonly string[]): MoveRefusal {
  const page = `${world.url}/${fullName(repository)}/rules?ref=${encodeURIComponent(ref)}`;
  return {
    ref,
    reason: "push declined due to repository rule violations",
    lines: [
      `error: GH013: Repository rule violations found for ${ref}.`,
      `Review all repository rules at ${page}`,
      ...listed(broken),
    ],
    answer: `Repository rule violations found\n\n${broken.join("\n\n")}\n\n`,
  };
}

function protectedRefusal({ ref }: Move, broken: readonly string[]): MoveRefusal {
  return {
    ref,
    reason: "protected branch hook declined",
    lines: [`error: GH006: Protected branch update failed for ${ref}.`, ...listed(broken)],
    answer: broken.join("\n"),
  };
}

function plainRefusal({ ref }: Move, reason: string): MoveRefusal {
  return { ref, reason, lines: [], answer: `${ref}: ${reason}` };
}

async function workflowRefusal(judging: Judging, move: Move): Promise<MoveRefusal[]> {
  if (judging.mover.workflows) return [];
  const shas = await newCommits(judging, move);
  if (shas.length === 0) return [];
  const changed = await gitBytes(
    judging.repository,
    [
      ...["diff-tree", "--stdin", "-r", "--root", "-m", "--no-commit-id", "--name-only"],
      ...["--", ".github/workflows/"],
    ],
    { input: `${shas.join("\n")}\n`, env: judging.env },
  );
  const [first] = changed.toString().split("\n");
  if (first === undefined || first === "") return [];
  const reason = `refusing to allow a GitHub App to create or update workflow \`${first}\` without \`workflows\` permission`;
  return [plainRefusal(move, reason)];
}
