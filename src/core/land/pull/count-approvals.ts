/** An account on GitHub. Its number stays when its name changes. */
export interface Person {
  readonly id: number;
  readonly login: string;
}

/** What a new look at GitHub showed of an approval's evidence. */
export type EvidenceFinding =
  | "holds"
  /** Deleted, or taken back. */
  | "gone"
  /** Not the text that was acted on. */
  | "edited"
  /** Somebody else wrote it. */
  | "not-theirs"
  /** It says nothing of an approval, or approves another commit. */
  | "no-approval"
  /** Nothing shows that this head was there when it was written. */
  | "unproven";

export interface GivenApproval {
  readonly by: Person;
  /** The head it was given for. */
  readonly head: string;
  readonly via: "comment" | "review";
  readonly url: string;
  readonly evidence: EvidenceFinding;
  /** What GitHub says now. */
  readonly mayApprove: boolean;
}

/** How somebody has had a hand in the pull request's commits. */
export type Hand = "opened" | "authored" | "committed" | "pushed";

export interface Contributor extends Person {
  readonly hand: Hand;
}

export type Uncounted =
  | Hand
  | "requested"
  | "not-permitted"
  | "other-head"
  | Exclude<EvidenceFinding, "holds">;

export interface UncountedApproval {
  readonly by: Person;
  readonly why: Uncounted;
}

export interface ApprovalFacts {
  readonly approvals: readonly GivenApproval[];
  /** People who may push and whose last word is a request for changes; null where there are too many reviews to tell. */
  readonly objections: readonly Person[] | null;
  readonly head: string;
  /** Approved heads of which `head` was proven to be koryph's own replay. */
  readonly carried: ReadonlySet<string>;
  readonly contributors: readonly Contributor[];
  /** Whoever asked for the landing; null when their approval counts as well, or nobody has asked yet. */
  readonly requester: Person | null;
}

export interface ApprovalCount {
  /** One of each person. */
  readonly counted: readonly GivenApproval[];
  readonly left: readonly UncountedApproval[];
}

/** Which approvals hold for exactly this head. A person never approves what they had a hand in. */
export function countApprovals(facts: ApprovalFacts): ApprovalCount {
  const counted = new Map<number, GivenApproval>();
  const left: UncountedApproval[] = [];
  for (const approval of facts.approvals) {
    const why = whyUncounted(approval, facts);
    if (why === null) counted.set(approval.by.id, approval);
    else left.push({ by: approval.by, why });
  }
  return { counted: [...counted.values()], left: left.filter(({ by }) => !counted.has(by.id)) };
}

function whyUncounted(approval: GivenApproval, facts: ApprovalFacts): Uncounted | null {
  const { by, head, evidence, mayApprove } = approval;
  if (evidence !== "holds") return evidence;
  const hand = handOf(by, facts.contributors);
  if (hand !== null) return hand;
  if (facts.requester?.id === by.id) return "requested";
  if (!mayApprove) return "not-permitted";
  return head === facts.head || facts.carried.has(head) ? null : "other-head";
}

/** An older head that somebody approved whose approval counts all the same; null when there is none. */
export function carriedHead(facts: ApprovalFacts): string | null {
  return countApprovals(facts).counted.find(({ head }) => head !== facts.head)?.head ?? null;
}

/** How the person has had a hand in the commits; null for somebody who had none. */
export function handOf({ id }: Person, contributors: readonly Contributor[]): Hand | null {
  return contributors.find((each) => each.id === id)?.hand ?? null;
}

export interface ApprovalDemand {
  /** `land.approvals` of the project. */
  readonly setting: "rules" | number;
  /** What the rules of the base branch ask for. */
  readonly byRules: number;
  /** It carries an agent's work: nobody but a person answers for that. */
  readonly own: boolean;
}

/** How many people have to approve. The project can ask for more than its rules do, never for less. */
export function approvalsNeeded({ setting, byRules, own }: ApprovalDemand): number {
  return Math.max(byRules, setting === "rules" ? Number(own) : setting);
}

/**
 * Whether commits came after everything that people approved: the reviewer has not seen what would land, also where
 * nothing asks for a review.
 */
export function isOvertaken({ counted, left }: ApprovalCount): boolean {
  return counted.length === 0 && left.some(({ why }) => why === "other-head");
}
