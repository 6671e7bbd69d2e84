import type { GuessedGate } from "./guess-gate.js";
import { inVenv } from "./python-venv.js";

/** Where `python3 -m unittest` is looked for: the repository's top, and these folders of it. */
export const PYTHON_TEST_FOLDERS = ["", "tests/", "test/"] as const;
export const PYTHON_TEST_FILE = /^test[^/]*\.py$/;
/** Files beside the tests that tell something by being there, or by what they say. */
export const PYTHON_SIGNS = ["__init__.py", "conftest.py"] as const;
export const PYTEST_SIGNS: readonly string[] = [
  "pytest.ini",
  "pyproject.toml",
  "setup.cfg",
  "tox.ini",
  "requirements.txt",
  "requirements-dev.txt",
];

/**
 * The commands for tests that Python runs without any package; null where there are none, or where something speaks of
 * pytest. Files that do not name unittest are no proof: an old Python calls a run of no tests a success.
 */
export function guessUnittest(found: ReadonlyMap<string, string>): GuessedGate | null {
  const names = [...found.keys()];
  const isTest = (folder: string, name: string) =>
    name.startsWith(folder) && PYTHON_TEST_FILE.test(name.slice(folder.length));
  const tests = names.filter((name) => PYTHON_TEST_FOLDERS.some((folder) => isTest(folder, name)));
  const speaksOf = (name: string, word: string) => found.get(name)?.includes(word) ?? false;
  if ([...PYTEST_SIGNS, ...tests].some((name) => speaksOf(name, "pytest"))) return null;
  if (names.some((name) => /(^|\/)(conftest\.py|pytest\.ini)$/.test(name))) return null;
  const folder = PYTHON_TEST_FOLDERS.find((each) =>
    tests.some((name) => isTest(each, name) && speaksOf(name, "unittest")),
  );
  if (folder === undefined) return null;
  // From the top Python looks into packages only.
  const isFound = folder === "" || found.has(`${folder}__init__.py`);
  const run = `-m unittest${isFound ? "" : ` discover -s ${folder.slice(0, -1)}`}`;
  if (found.has("uv.lock")) return pinned("uv sync --frozen", `uv run python ${run}`);
  if (found.has("poetry.lock")) return pinned("poetry install", `poetry run python ${run}`);
  const installed = inVenv(found, run);
  return installed === null ? pinned(`python3 ${run}`) : { commands: installed, unpinned: true };
}

function pinned(...commands: readonly string[]): GuessedGate {
  return { commands, unpinned: false };
}
