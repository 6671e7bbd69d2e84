import { expect, test } from "vitest";
import { guessGate } from "../../../src/core/config/guess-gate.js";
import { gateLine } from "../../../src/core/replies/config/init.js";

const npm = (scripts: object) => JSON.stringify({ name: "x", scripts });

test.each<{ name: string; files: Record<string, string>; gate: string | null }>([
  { name: "nothing", files: {}, gate: null },
  { name: "a test script", files: { "package.json": npm({ test: "vitest run" }) }, gate: "npm test" },
  { name: "no test script", files: { "package.json": npm({ build: "tsc" }) }, gate: null },
  {
    name: "the test script that npm init writes",
    files: { "package.json": npm({ test: 'echo "Error: no test specified" && exit 1' }) },
    gate: null,
  },
  { name: "a package.json that is no JSON", files: { "package.json": "{" }, gate: null },
  { name: "a package.json that is no object", files: { "package.json": "null" }, gate: null },
  { name: "scripts that are none", files: { "package.json": '{"scripts":[1]}' }, gate: null },
  { name: "a test target", files: { Makefile: "all:\n\ttrue\n\ntest: all\n\ttrue\n" }, gate: "make test" },
  { name: "a test target among others", files: { Makefile: "lint test:\n\ttrue\n" }, gate: "make test" },
  { name: "a makefile by its other name", files: { makefile: "test:\n" }, gate: "make test" },
  { name: "a target named alike", files: { Makefile: "test-all:\n\nunit/test:\n" }, gate: null },
  { name: "a variable of the name", files: { Makefile: "test := yes\ntest ::= no\n" }, gate: null },
  { name: "a recipe that speaks of test:", files: { Makefile: "all:\n\techo test: no\n" }, gate: null },
  { name: "a crate", files: { "Cargo.toml": "" }, gate: "cargo test" },
  { name: "a Go module", files: { "go.mod": "" }, gate: "go test ./..." },
  {
    name: "a Python project with pytest",
    files: { "pyproject.toml": "[tool.pytest]" },
    gate: "python3 -m pytest",
  },
  { name: "a Python project without", files: { "pyproject.toml": "[project]" }, gate: null },
  {
    name: "a package of Python's own unittest",
    files: { "tests/__init__.py": "", "tests/test_a.py": "import unittest" },
    gate: "python3 -m unittest",
  },
  {
    name: "unittest at the top",
    files: { "test_a.py": "from unittest import *" },
    gate: "python3 -m unittest",
  },
  {
    name: "unittest in a folder that is no package, which Python does not find by itself",
    files: { "test/test_a.py": "import unittest" },
    gate: "python3 -m unittest discover -s test",
  },
  {
    name: "unittest with packages to install",
    files: { "test_a.py": "import unittest", "pyproject.toml": "[project]", "uv.lock": "" },
    gate: "uv sync --frozen && uv run python -m unittest",
  },
  { name: "Python's tests for another runner", files: { "test_a.py": "def test_a(): pass" }, gate: null },
  ...["pytest.ini", "conftest.py", "tests/conftest.py"].map((sign) => ({
    name: `unittest beside ${sign}`,
    files: { "tests/test_a.py": "import unittest", [sign]: "" },
    gate: null,
  })),
  {
    name: "npm before make",
    files: { "package.json": npm({ test: "x" }), Makefile: "test:\n" },
    gate: "npm test",
  },
  {
    name: "make where npm has no tests",
    files: { "package.json": npm({}), Makefile: "test:\n" },
    gate: "make test",
  },
  ...Object.entries({
    "package-lock.json": "npm ci && npm test",
    "pnpm-lock.yaml": "pnpm install --frozen-lockfile && pnpm test",
    "yarn.lock": "yarn install --frozen-lockfile && yarn test",
  }).map(([lock, gate]) => ({ name: lock, files: { "package.json": npm({ test: "x" }), [lock]: "" }, gate })),
  ...Object.entries({
    "uv.lock": "uv sync --frozen && uv run pytest",
    "poetry.lock": "poetry install && poetry run pytest",
  }).map(([lock, gate]) => ({ name: lock, files: { "pyproject.toml": "pytest", [lock]: "" }, gate })),
  {
    name: "Gemfile.lock",
    files: { Gemfile: 'gem "rspec"', "Gemfile.lock": "" },
    gate: "bundle install && bundle exec rspec",
  },
  {
    name: "Cargo.lock",
    files: { "Cargo.toml": "", "Cargo.lock": "" },
    gate: "cargo fetch --locked && cargo test --locked",
  },
  { name: "go.sum", files: { "go.mod": "", "go.sum": "" }, gate: "go mod download && go test ./..." },
  { name: "a lock file of something else", files: { "go.mod": "", "yarn.lock": "" }, gate: "go test ./..." },
])("$name: $gate", ({ files, gate }) =>
  expect(guessGate(new Map(Object.entries(files)))?.commands.join(" && ") ?? null).toBe(gate),
);

const venv = (file: string, run: string) =>
  `python3 -m venv .venv && .venv/bin/python -m pip install ${file} && .venv/bin/python ${run}`;

test.each<{ name: string; files: Record<string, string>; gate: string }>([
  ...["dependencies", "devDependencies"].map((kind) => ({
    name: `npm with ${kind}`,
    files: { "package.json": JSON.stringify({ scripts: { test: "x" }, [kind]: { vitest: "^4" } }) },
    gate: "npm install --no-package-lock && npm test",
  })),
  {
    name: "pytest in the requirements",
    files: { "requirements.txt": "flask\npytest" },
    gate: venv("-r requirements.txt", "-m pytest"),
  },
  {
    name: "pytest in the requirements of developers",
    files: { "requirements.txt": "flask", "requirements-dev.txt": "pytest" },
    gate: venv("-r requirements.txt -r requirements-dev.txt", "-m pytest"),
  },
  {
    name: "pytest in pyproject.toml beside requirements",
    files: { "pyproject.toml": "[tool.pytest]", "requirements.txt": "flask" },
    gate: venv("-r requirements.txt", "-m pytest"),
  },
  {
    name: "unittest beside requirements",
    files: { "test_a.py": "import unittest", "requirements.txt": "flask" },
    gate: venv("-r requirements.txt", "-m unittest"),
  },
])("without a lock file a clean checkout installs first, and init says so: $name", ({ files, gate }) => {
  const guessed = guessGate(new Map(Object.entries(files)));
  expect(guessed?.commands.join(" && ")).toBe(gate);
  expect(gateLine(guessed)).toContain("no lock file pins the packages");
});

test("what needs no packages, or has a lock file, is not called unpinned", () => {
  const packages = JSON.stringify({ scripts: { test: "x" }, dependencies: { a: "1" } });
  for (const files of [
    { "package.json": JSON.stringify({ scripts: { test: "x" }, dependencies: {} }) },
    { "package.json": packages, "package-lock.json": "" },
    { "test_a.py": "import unittest" },
    { "test_a.py": "import unittest", "requirements.txt": "flask", "uv.lock": "" },
  ])
    expect(gateLine(guessGate(new Map(Object.entries(files))))).not.toContain("no lock file");
});
