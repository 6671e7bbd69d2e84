import { PROJECT_FILE } from "../../core/config/project-file.js";
import { starterProject } from "../../core/config/starter-project.js";
import { APP_PERMISSIONS } from "../../core/model/app-permissions.js";
import { workflowText } from "./guard-repository.js";

const NAME = "playground";
const GATE = "node --check src/api/greet.js";
const CI = {
  file: "ci.yml",
  job: "test",
  command: [process.execPath, "--check", "src/api/greet.js"],
} as const;
const GREET = `export function greet(name) {
  return "Hello " + name;
}
`;

/** What there is to try the App on. */
export const SAMPLE = {
  owner: "you",
  name: NAME,
  /** One person for each kind of right, so that every answer can be tried. */
  people: [
    ["you", "admin"],
    ["marge", "maintain"],
    ["alice", "write"],
    ["bob", "triage"],
    ["mallory", "read"],
  ],
  /** Who clones it and pushes. */
  developer: "alice",
  files: {
    "README.md": "# playground\n\nA repository to try koryph on.\n",
    "docs/index.md": "# Greeting\n\n`greet(name)` says hello.\n",
    "src/api/greet.js": GREET,
    [PROJECT_FILE]: project(),
    [`.github/workflows/${CI.file}`]: workflowText(CI, GATE),
  },
  /** It judges the head of every pull request, and has to be green on what lands. */
  ci: CI,
  issues: [
    {
      author: "alice",
      title: "Greet people who gave no name",
      body: "`greet()` says **Hello undefined**. It should say *Hello, you*.\n\n1. a default name\n2. a test for it",
      labels: ["area:api"],
    },
    {
      author: "bob",
      title: "Say in the docs what greet returns",
      body: "The page only tells what it does.",
      labels: ["area:docs"],
    },
    { author: "mallory", title: "Greet in other languages", body: "*Bonjour* would be nice.", labels: [] },
  ],
  /** As the engine leaves it: the work of an agent on a branch of its own, waiting for people. */
  pull: {
    branch: "agent/comma",
    files: { "src/api/greet.js": GREET.replace('"Hello "', '"Hello, "') },
    title: "fix(api): put a comma after hello",
    body: "Bead `comma`: a greeting needs a comma before the name.",
  },
  /** As app.yml asks for them. */
  permissions: APP_PERMISSIONS,
} as const;

/** The required check is the gate: the App of a sandbox has no runner to ask. */
function project(): string {
  const starter = JSON.parse(starterProject(NAME, [GATE])) as object;
  return `${JSON.stringify({ ...starter, land: { gate: "checks" } }, null, 2)}\n`;
}
