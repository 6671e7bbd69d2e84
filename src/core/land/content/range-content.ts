/** What the commits of a range do beside changing text, each path once; what a later commit takes back counts. */
export interface RangeContent {
  /** Names that come into being, or come back. */
  readonly added: readonly string[];
  /** Added names that one machine or another cannot tell from a name beside them, with that name. */
  readonly colliding: readonly { readonly path: string; readonly other: string }[];
  /** Files that can be run, and could not before. */
  readonly executable: readonly string[];
  /** Null for a target that is too long to be one. */
  readonly links: readonly { readonly path: string; readonly target: string | null }[];
  /** Changed `.gitattributes`; `drivers` when a line is new that names a program's place in somebody's settings. */
  readonly attributes: readonly { readonly path: string; readonly drivers: boolean }[];
  /** Files above a megabyte. */
  readonly large: readonly { readonly path: string; readonly bytes: number }[];
  /** Files with added text that is shown in another order than it is read. */
  readonly bidi: readonly string[];
  /** How many paths there are. */
  readonly files: number;
}

/** There is nothing to say about it. */
export const ORDINARY: RangeContent = {
  added: [],
  colliding: [],
  executable: [],
  links: [],
  attributes: [],
  large: [],
  bidi: [],
  files: 0,
};
