import { includesRole, type Role } from "../commands/roles.js";
import type { ReleaseVerdict } from "../model/release.js";

/** Who did something to the issue, and when, by GitHub's clock. The login is null where GitHub names no person. */
export interface IssueAct {
  readonly by: string | null;
  readonly at: string;
}

/** What GitHub has on record of an issue's release, read at one moment together with its text. */
export interface ReleaseFacts {
  readonly label: string;
  readonly hasLabel: boolean;
  /** The latest time it was set; null when GitHub shows none. */
  readonly labelled: IssueAct | null;
  /** Changes of title and text, in any order. */
  readonly edits: readonly IssueAct[];
  /** False when there are edits besides that were not read. */
  readonly editsComplete: boolean;
  /** SHA-256 of title, body and criteria as they were read. */
  readonly text: string;
}

/** Whoever has it may sort issues, and so may say which are for agents. */
const NEEDED: Role = "triage";

/** The people whose rights the decision asks for. */
export function peopleToAsk({ hasLabel, labelled, edits }: ReleaseFacts): string[] {
  if (!hasLabel || labelled === null) return [];
  const acts = [labelled, ...editsSince(edits, labelled.at)];
  return [...new Set(acts.flatMap(({ by }) => (by === null ? [] : [by])))];
}

/**
 * Whether agents may work on the text. The label proves nothing: templates set it for anybody. What counts is who set it
 * last, what they may do now, and that nobody who may do less has changed the text since.
 */
export function decideRelease(facts: ReleaseFacts, roles: ReadonlyMap<string, Role>): ReleaseVerdict {
  const { label, hasLabel, labelled, edits, editsComplete, text } = facts;
  const mayTriage = (login: string) => includesRole(roles.get(login) ?? "none", NEEDED);
  if (!hasLabel) return withheld({ code: "no_release_label", label });
  if (labelled === null || labelled.by === null) return withheld({ code: "release_unproven", label });
  if (!mayTriage(labelled.by)) return withheld({ code: "releaser_may_not", label, by: labelled.by });
  const strange = editsSince(edits, labelled.at).filter(({ by }) => by === null || !mayTriage(by));
  const [first] = strange.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  if (first !== undefined) return withheld({ code: "edited_since", label, by: first.by, at: first.at });
  if (!editsComplete) return withheld({ code: "too_many_edits", label });
  return { kind: "released", by: labelled.by, at: labelled.at, text };
}

/** GitHub counts in seconds: an edit of the same second may have come after. */
function editsSince(edits: readonly IssueAct[], at: string): IssueAct[] {
  return edits.filter((edit) => !(Date.parse(edit.at) < Date.parse(at)));
}

function withheld(why: Extract<ReleaseVerdict, { kind: "withheld" }>["why"]): ReleaseVerdict {
  return { kind: "withheld", why };
}
