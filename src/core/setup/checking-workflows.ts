/** A workflow of the repository. */
export interface FoundWorkflow {
  /** Below `.github/workflows`. */
  readonly file: string;
  readonly text: string;
}

const NAME = /^name:[ \t]*(.+)$/m;
const STARTED_BY_CHANGES =
  /^["']?on["']?:.*\b(?:push|pull_request)\b|^ {1,4}(?:- *)?(?:push|pull_request(?:_target)?):?[ \t]*(?:#.*)?$/m;

/**
 * The names of workflows that commits start, and so may report what a landing waits for. GitHub calls one that gives
 * itself no name by its path. Read as lines; koryph's own are left out, or they would start each other.
 */
export function checkingWorkflows(files: readonly FoundWorkflow[]): readonly string[] {
  return files
    .filter(
      ({ text }) => STARTED_BY_CHANGES.test(text) && !/^\s*mode:\s*["']?(?:run|job|events)\b/m.test(text),
    )
    .map(({ file, text }) => nameIn(text) ?? `.github/workflows/${file}`)
    .toSorted();
}

function nameIn(text: string): string | null {
  const [, written = ""] = NAME.exec(text) ?? [];
  const name = written
    .replace(/\s+#.*$/, "")
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2");
  return name === "" ? null : name;
}
