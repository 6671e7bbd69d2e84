interface Sign {
  /** Names of the file that tells, at the repository's top. */
  readonly files: readonly string[];
  readonly hasTests: (text: string) => boolean;
  readonly command: string;
}

/** Where several are there, the first one with tests decides. */
const SIGNS: readonly Sign[] = [
  { files: ["package.json"], hasTests: hasTestScript, command: "npm test" },
  { files: ["GNUmakefile", "makefile", "Makefile"], hasTests: hasTestTarget, command: "make test" },
  { files: ["Cargo.toml"], hasTests: () => true, command: "cargo test" },
  { files: ["go.mod"], hasTests: () => true, command: "go test ./..." },
  { files: ["pyproject.toml"], hasTests: (text) => text.includes("pytest"), command: "python3 -m pytest" },
];

export const GATE_SIGNS: readonly string[] = SIGNS.flatMap(({ files }) => files);

/** The command that runs a repository's tests, by the files at its top; null when none of them tells. */
export function guessGate(found: ReadonlyMap<string, string>): string | null {
  const tells = ({ files, hasTests }: Sign) =>
    files.some((file) => {
      const text = found.get(file);
      return text !== undefined && hasTests(text);
    });
  return SIGNS.find(tells)?.command ?? null;
}

/** The one that `npm init` writes fails by design. */
function hasTestScript(text: string): boolean {
  try {
    const script: unknown = JSON.parse(text)?.scripts?.test;
    return typeof script === "string" && !script.includes("no test specified");
  } catch {
    return false;
  }
}

/** A rule of make begins at the line's start; `test :=` is a variable. */
function hasTestTarget(text: string): boolean {
  return text.split("\n").some((line) => {
    const [, targets = ""] = /^([^\t#:=][^#:=]*)::?(?![:=])/.exec(line) ?? [];
    return targets.trim().split(/\s+/).includes("test");
  });
}
