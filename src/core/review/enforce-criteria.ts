import { cutText } from "../../lib/cut-text.js";
import { plainText } from "../../lib/plain-text.js";
import type { Criterion } from "../prompt/acceptance-criteria.js";
import { redactText } from "../redact.js";
import { type CriterionFault, faultFinding, leftOutFinding } from "./own-findings.js";
import { criterionId, type ReviewerAnswer } from "./reviewer-answer.js";
import { type Finding, type JudgedCriterion, SEVERITIES, type Verdict } from "./verdict.js";

type Judgement = ReviewerAnswer["criteria"][number];

/** Of a branch that goes back to its agent: more it cannot act on at once. */
const MOST_FINDINGS = 100;
/** Criteria a reviewer thought of on its own. */
const MOST_OTHERS = 50;
const ID_CHARACTERS = 40;
const FILE_CHARACTERS = 300;
const TEXT_CHARACTERS = 1_500;

/**
 * Makes a verdict of an answer. Each criterion must be judged exactly once, in words we know and with evidence;
 * one that is not counts as unsatisfied and is a blocking finding. The reviewer's own `blocking` can only be
 * made stricter. Texts become single lines of bounded length without secrets.
 */
export function enforceCriteria(
  answer: ReviewerAnswer,
  criteria: readonly Criterion[],
  mostFindings: number = MOST_FINDINGS,
): Verdict {
  const judgements = new Map<string, Judgement[]>(criteria.map(({ id }) => [criterionId(id), []]));
  for (const judgement of answer.criteria) {
    const known = judgements.get(judgement.id);
    if (known !== undefined) known.push(judgement);
    else judgements.set(judgement.id, [judgement]);
  }
  const judged = [...judgements].map(([id, given]) => judge(line(id, ID_CHARACTERS), given));
  const faults = judged.flatMap(({ fault }) => (fault === null ? [] : [faultFinding(fault)]));
  const findings = [...faults, ...answer.findings];
  return {
    blocking:
      answer.blocking ||
      judged.some(({ criterion }) => criterion.status === "unsatisfied") ||
      findings.some(({ severity }) => severity === "blocking"),
    criteria: judged.slice(0, criteria.length + MOST_OTHERS).map(({ criterion }) => criterion),
    findings: worstFirst(findings, mostFindings),
  };
}

function judge(
  id: string,
  given: readonly Judgement[],
): { readonly criterion: JudgedCriterion; readonly fault: CriterionFault | null } {
  const last = given.at(-1);
  const evidence = line(last?.evidence ?? "", TEXT_CHARACTERS);
  const unproven = (fault: CriterionFault) =>
    ({ criterion: { id, status: "unsatisfied", evidence }, fault }) as const;
  if (last === undefined) return unproven({ code: "missing", id });
  if (given.length > 1) return unproven({ code: "doubled", id, times: given.length });
  if (last.status === null) return unproven({ code: "unknown-status", id });
  if (!/[\p{L}\p{N}]/u.test(evidence)) return unproven({ code: "unevidenced", id });
  return { criterion: { id, status: last.status, evidence }, fault: null };
}

function worstFirst(findings: readonly Finding[], most: number): Finding[] {
  const sorted = SEVERITIES.flatMap((severity) => findings.filter((each) => each.severity === severity));
  const kept = sorted.slice(0, most).map((finding) => ({
    ...finding,
    file: line(finding.file, FILE_CHARACTERS),
    summary: line(finding.summary, TEXT_CHARACTERS),
  }));
  const rest = sorted.length - kept.length;
  return rest === 0 ? kept : [...kept, leftOutFinding(rest)];
}

/** Secrets are looked for before the cut, which would leave the first half of one. */
function line(text: string, characters: number): string {
  return cutText(plainText(redactText(text.slice(0, 4 * characters))), characters);
}
