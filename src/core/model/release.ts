/** A person let agents work on exactly this text. */
export interface Release {
  readonly by: string;
  /** When the label was set. */
  readonly at: string;
  /** SHA-256 of title, body and criteria, in hexadecimal digits. */
  readonly text: string;
}

/** Why agents may not work on an issue. Codes are stable, for tools. */
export type Withheld =
  /** It does not carry the label. */
  | { readonly code: "no_release_label"; readonly label: string }
  /** It carries the label, and GitHub does not show who set it. */
  | { readonly code: "release_unproven"; readonly label: string }
  /** Whoever set the label may not triage issues here, or no longer. */
  | { readonly code: "releaser_may_not"; readonly label: string; readonly by: string }
  /** Somebody who may not triage changed the text afterwards; `by` is null where GitHub names nobody. */
  | { readonly code: "edited_since"; readonly label: string; readonly by: string | null; readonly at: string }
  /** There were more changes than can be looked at. */
  | { readonly code: "too_many_edits"; readonly label: string };

export type ReleaseVerdict =
  | ({ readonly kind: "released" } & Release)
  | { readonly kind: "withheld"; readonly why: Withheld };
