import { type Commit, readStoredCommits } from "../../git/world-commits.js";
import { verificationOf } from "../../sign/verify-commit.js";
import { type Judging, type Move, pushedCommits } from "./move.js";
import type { Rule } from "./ruleset.js";

/** Rules that look at commits: all of a push, also those that another branch has already. */
export async function brokenCommitRule(rule: Rule, judging: Judging, move: Move): Promise<string | null> {
  switch (rule.type) {
    case "branch_name_pattern": {
      const name = move.ref.slice("refs/heads/".length);
      return fitsPattern(rule, name) ? null : `Branch name must ${patternWords(rule)}`;
    }
    case "required_linear_history": {
      const merges = await pushedCommits(judging, move, ["--merges"]);
      return merges.length === 0 ? null : "This branch must not contain merge commits.";
    }
    case "required_signatures":
      return found("Commits must have verified signatures.", await unverifiedCommits(judging, move));
    case "commit_message_pattern":
      return byPattern(rule, judging, { move, what: "Commit message", of: ({ message }) => message });
    case "commit_author_email_pattern":
      return byPattern(rule, judging, { move, what: "Author email", of: ({ author }) => author.email });
    case "committer_email_pattern":
      return byPattern(rule, judging, {
        move,
        what: "Committer email",
        of: ({ committer }) => committer.email,
      });
    default:
      throw new Error(`nobody judges by the rule ${rule.type}`);
  }
}

async function byPattern(
  rule: Rule,
  judging: Judging,
  { move, what, of }: { readonly move: Move; readonly what: string; readonly of: (commit: Commit) => string },
): Promise<string | null> {
  const commits = await readStoredCommits(
    judging.repository,
    await pushedCommits(judging, move),
    judging.env,
  );
  const wrong = commits.filter((commit) => !fitsPattern(rule, of(commit)));
  return found(
    `${what} must ${patternWords(rule)}`,
    wrong.map(({ sha }) => sha),
  );
}

function found(complaint: string, shas: readonly string[]): string | null {
  if (shas.length === 0) return null;
  const count = shas.length === 1 ? "1 violation" : `${shas.length} violations`;
  return `${complaint}\n  Found ${count}:\n\n${shas.map((sha) => `  ${sha}`).join("\n")}`;
}

const WORDS: Readonly<Record<string, string>> = {
  starts_with: "start with",
  ends_with: "end with",
  contains: "contain",
  regex: "match a given regex pattern:",
};

function patternWords({ parameters }: Rule): string {
  const words = WORDS[String(parameters.operator)] ?? "fit";
  return `${parameters.negate === true ? "not " : ""}${words} ${parameters.pattern}`;
}

function fitsPattern({ parameters }: Rule, text: string): boolean {
  const pattern = String(parameters.pattern);
  const holds = () => {
    switch (parameters.operator) {
      case "starts_with":
        return text.startsWith(pattern);
      case "ends_with":
        return text.endsWith(pattern);
      case "contains":
        return text.includes(pattern);
      default:
        return new RegExp(pattern, "m").test(text);
    }
  };
  return holds() !== (parameters.negate === true);
}

async function unverifiedCommits(judging: Judging, move: Move): Promise<string[]> {
  const commits = await readStoredCommits(
    judging.repository,
    await pushedCommits(judging, move),
    judging.env,
  );
  const { world, repository } = judging;
  return commits
    .filter((commit) => verificationOf(world, repository, commit).reason !== "valid")
    .map(({ sha }) => sha);
}
