import { expect, test } from "vitest";
import { guessGate } from "../../../src/core/config/guess-gate.js";

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
    name: "unittest beside pytest in the requirements",
    files: { "test_a.py": "import unittest", "requirements.txt": "pytest==8" },
    gate: null,
  },
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
  expect(guessGate(new Map(Object.entries(files)))?.join(" && ") ?? null).toBe(gate),
);
