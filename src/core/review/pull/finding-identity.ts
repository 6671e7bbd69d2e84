import { cleanPath } from "../../../lib/paths/clean-path.js";
import type { Finding } from "../verdict.js";

/** Of a text; the caller brings it, since core has no cryptography. Long enough that no two findings meet by chance. */
export type Digest = (text: string) => string;

/** What a finding is known by on its way through several analyses. None of it depends on the number of its line. */
export interface FindingIdentity {
  /** By file, words and code. */
  readonly id: string;
  /** By file and words: the same whatever became of the code. */
  readonly words: string;
  /** By file and code: the same for a reviewer who says it in other words. Null for a finding on no line. */
  readonly place: string | null;
}

export function identifyFinding(
  { file, summary }: Finding,
  code: string | null,
  digest: Digest,
): FindingIdentity {
  const path = cleanPath(file)?.join("/") ?? file;
  const said = wordsOf(summary);
  return {
    id: digest(JSON.stringify(["finding", path, said, code === null ? "" : codeOf(code)])),
    words: digest(JSON.stringify(["words", path, said])),
    place: code === null ? null : placeIdentity(path, code, digest),
  };
}

/** Null for an empty line: it is like every other. */
export function placeIdentity(path: string, code: string, digest: Digest): string | null {
  const said = codeOf(code);
  return /[\p{L}\p{N}]/u.test(said) ? digest(JSON.stringify(["place", path, said])) : null;
}

/** Letter case, punctuation and the numbers of lines may differ from one analysis to the next. */
function wordsOf(summary: string): string {
  return summary
    .normalize("NFKC")
    .toLowerCase()
    .replace(/:\d+(?:-\d+)?(?!\d)|\blines? \d+(?:\s*(?:-|–|to|and)\s*\d+)?/g, " ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function codeOf(code: string): string {
  return code.replace(/\s+/g, " ").trim();
}
