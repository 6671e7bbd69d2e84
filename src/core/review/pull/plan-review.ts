import type { Finding } from "../verdict.js";
import type { ChangedLines } from "./changed-lines.js";
import { type Digest, type FindingIdentity, identifyFinding, placeIdentity } from "./finding-identity.js";
import type { KnownThread } from "./known-thread.js";
import { type LinePlace, placeFinding } from "./place-finding.js";

export interface PlannedFinding extends FindingIdentity {
  readonly finding: Finding;
  /** Null for one that no line of the change can carry. */
  readonly at: LinePlace | null;
}

export interface ReviewPlan {
  /** Comments on lines. */
  readonly post: readonly (PlannedFinding & { readonly at: LinePlace })[];
  /** For the review's own text. */
  readonly fold: readonly PlannedFinding[];
  /** Nothing is said of them again: they stand there already, or a person wants to hear no more of them. */
  readonly silent: readonly {
    readonly planned: PlannedFinding;
    readonly why: "live" | "dismissed" | "told";
  }[];
  /** Their findings are gone, and so is the code they were about. */
  readonly resolve: readonly KnownThread[];
  /** Not found again, and yet left open: people talk there, or the code is as it was. */
  readonly leave: readonly { readonly thread: KnownThread; readonly why: "answered" | "unchanged" }[];
}

export interface ReviewFacts {
  readonly findings: readonly Finding[];
  readonly changed: ChangedLines;
  /** Of all earlier analyses. */
  readonly threads: readonly KnownThread[];
  /** The `words` of findings that stand in the text of an earlier review. */
  readonly told: ReadonlySet<string>;
}

/**
 * What a review of this head says and settles, given all that earlier ones said. A finding is the same as one before by
 * its file, words and code; else by file and code, since reviewers change their words; else by file and words, since
 * authors change the code without mending it. Each thread stands for one finding.
 */
export function planReview(facts: ReviewFacts, digest: Digest): ReviewPlan {
  const { changed, told } = facts;
  const findings = withoutRepeats(facts.findings.map((finding) => planned(finding, changed, digest)));
  // A finding that comes back after it was mended is a new one.
  const matched = matchThreads(
    findings,
    facts.threads.filter(({ state }) => state !== "fixed"),
  );
  const post: (PlannedFinding & { at: LinePlace })[] = [];
  const fold: PlannedFinding[] = [];
  const silent: ReviewPlan["silent"][number][] = [];
  for (const each of findings) {
    const thread = matched.get(each);
    if (thread !== undefined)
      silent.push({ planned: each, why: thread.state === "dismissed" ? "dismissed" : "live" });
    else if (told.has(each.words)) silent.push({ planned: each, why: "told" });
    else if (each.at === null) fold.push(each);
    else post.push({ ...each, at: each.at });
  }
  const found = new Set(matched.values());
  const gone = facts.threads.filter((thread) => thread.state === "open" && !found.has(thread));
  const unsettled = gone.map((thread) => ({ thread, why: whyLeft(thread, changed, digest) }));
  return {
    ...{ post, fold, silent },
    resolve: unsettled.filter(({ why }) => why === null).map(({ thread }) => thread),
    leave: unsettled.flatMap(({ thread, why }) => (why === null ? [] : [{ thread, why }])),
  };
}

/** A finding with its place in the change and what it is known by. */
function planned(finding: Finding, changed: ChangedLines, digest: Digest): PlannedFinding {
  const at = placeFinding(finding, changed);
  return { finding, at, ...identifyFinding(finding, at?.code ?? null, digest) };
}

function withoutRepeats(findings: readonly PlannedFinding[]): PlannedFinding[] {
  return [...new Map(findings.toReversed().map((each) => [each.id, each])).values()].toReversed();
}

function matchThreads(
  findings: readonly PlannedFinding[],
  threads: readonly KnownThread[],
): Map<PlannedFinding, KnownThread> {
  const matched = new Map<PlannedFinding, KnownThread>();
  const free = new Set(threads);
  for (const by of ["id", "place", "words"] as const) {
    for (const finding of findings) {
      if (matched.has(finding) || finding[by] === null) continue;
      const thread = [...free].find(
        (each) => each.mark[by] === finding[by] && (by !== "place" || maySilence(each, finding)),
      );
      if (thread === undefined) continue;
      free.delete(thread);
      matched.set(finding, thread);
    }
  }
  return matched;
}

/** A person who dismissed something small about a line has said nothing of what blocks there. */
function maySilence({ state }: KnownThread, { finding }: PlannedFinding): boolean {
  return state !== "dismissed" || finding.severity !== "blocking";
}

/**
 * Null when the thread can be resolved. A reviewer who does not repeat a finding about code that nobody has touched has
 * mended nothing.
 */
function whyLeft(
  { answered, outdated, path, mark }: KnownThread,
  changed: ChangedLines,
  digest: Digest,
): "answered" | "unchanged" | null {
  if (answered) return "answered";
  if (outdated || mark.fixed !== null || mark.place === null) return null;
  const codes = [...(changed.get(path)?.values() ?? [])];
  return codes.some((code) => placeIdentity(path, code, digest) === mark.place) ? "unchanged" : null;
}
