import { guessUnittest } from "./guess-unittest.js";
import { inVenv } from "./python-venv.js";

interface Sign {
  /** What tells, as people name it. */
  readonly what: string;
  /** Names of the file that tells, at the repository's top. */
  readonly files: readonly string[];
  readonly hasTests: (text: string) => boolean;
  readonly command: string;
  /** The commands where one of these lock files is beside it: a clean checkout has nothing installed. */
  readonly locked?: Readonly<Record<string, readonly [install: string, test: string]>>;
  /** The commands where there are packages to install and no lock file; null when there are none. */
  readonly unlocked?: (found: ReadonlyMap<string, string>) => readonly string[] | null;
}

export interface GuessedGate {
  readonly commands: readonly string[];
  /** They install packages whose versions nothing pins. */
  readonly unpinned: boolean;
}

/** Where several are there, the first one with tests decides. */
const SIGNS: readonly Sign[] = [
  {
    what: "a test script in package.json",
    files: ["package.json"],
    hasTests: hasTestScript,
    command: "npm test",
    locked: {
      "package-lock.json": ["npm ci", "npm test"],
      "npm-shrinkwrap.json": ["npm ci", "npm test"],
      "pnpm-lock.yaml": ["pnpm install --frozen-lockfile", "pnpm test"],
      // Yarn 1 knows no --immutable, and later ones still take this.
      "yarn.lock": ["yarn install --frozen-lockfile", "yarn test"],
    },
    unlocked: (found) =>
      hasDependencies(found.get("package.json") ?? "") ? ["npm install --no-package-lock", "npm test"] : null,
  },
  {
    what: "a test target in a Makefile",
    files: ["GNUmakefile", "makefile", "Makefile"],
    hasTests: hasTestTarget,
    command: "make test",
  },
  {
    what: "Cargo.toml",
    files: ["Cargo.toml"],
    hasTests: () => true,
    command: "cargo test",
    locked: { "Cargo.lock": ["cargo fetch --locked", "cargo test --locked"] },
  },
  {
    what: "go.mod",
    files: ["go.mod"],
    hasTests: () => true,
    command: "go test ./...",
    locked: { "go.sum": ["go mod download", "go test ./..."] },
  },
  {
    what: "pytest in pyproject.toml",
    files: ["pyproject.toml"],
    hasTests: (text) => text.includes("pytest"),
    command: "python3 -m pytest",
    locked: {
      "uv.lock": ["uv sync --frozen", "uv run pytest"],
      "poetry.lock": ["poetry install", "poetry run pytest"],
    },
    unlocked: (found) => inVenv(found, "-m pytest"),
  },
  {
    what: "pytest in requirements.txt or requirements-dev.txt",
    files: ["requirements.txt", "requirements-dev.txt"],
    hasTests: (text) => text.includes("pytest"),
    command: "python3 -m pytest",
    unlocked: (found) => inVenv(found, "-m pytest"),
  },
  {
    what: "rspec in a Gemfile",
    files: ["Gemfile"],
    hasTests: (text) => text.includes("rspec"),
    command: "rspec",
    locked: { "Gemfile.lock": ["bundle install", "bundle exec rspec"] },
  },
];

/** What `koryph init` recognises, as people name it. */
export const KNOWN_TESTS: readonly string[] = [
  ...SIGNS.map(({ what }) => what),
  "unittest in test*.py at the top, in test/ or in tests/",
];

export const GATE_SIGNS: readonly string[] = SIGNS.flatMap(({ files }) => files);
/** Only whether they are there counts. */
export const LOCK_FILES: readonly string[] = SIGNS.flatMap(({ locked = {} }) => Object.keys(locked));

/** The commands that run a repository's tests, by the files found in it; null when none of them tells. */
export function guessGate(found: ReadonlyMap<string, string>): GuessedGate | null {
  const tells = ({ files, hasTests }: Sign) =>
    files.some((file) => {
      const text = found.get(file);
      return text !== undefined && hasTests(text);
    });
  const sign = SIGNS.find(tells);
  if (sign === undefined) return guessUnittest(found);
  const lock = Object.entries(sign.locked ?? {}).find(([file]) => found.has(file));
  if (lock !== undefined) return { commands: lock[1], unpinned: false };
  const unlocked = sign.unlocked?.(found) ?? null;
  return { commands: unlocked ?? [sign.command], unpinned: unlocked !== null };
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

function hasDependencies(text: string): boolean {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(text);
  return Object.keys({ ...dependencies, ...devDependencies }).length > 0;
}

/** A rule of make begins at the line's start; `test :=` is a variable. */
function hasTestTarget(text: string): boolean {
  return text.split("\n").some((line) => {
    const [, targets = ""] = /^([^\t#:=][^#:=]*)::?(?![:=])/.exec(line) ?? [];
    return targets.trim().split(/\s+/).includes("test");
  });
}
