import { expect, test } from "vitest";
import { unfitForRunner } from "../../../src/core/doctor/runner-app.js";

const writes = { contents: "write", pull_requests: "write" };

test.each<{
  name: string;
  permissions?: Readonly<Record<string, string>>;
  rulesets?: readonly { name: string; asApp: string | null }[];
  unfit: readonly object[];
}>([
  { name: "an App that every ruleset holds is fit", rulesets: [{ name: "main", asApp: "never" }], unfit: [] },
  { name: "and so is one where there is no ruleset", unfit: [] },
  ...["always", "exempt", "pull_requests_only"].map((asApp) => ({
    name: `one that may bypass a ruleset (${asApp}) is not`,
    rulesets: [
      { name: "guards", asApp: "never" },
      { name: "process", asApp },
    ],
    unfit: [{ kind: "bypasses", ruleset: "process" }],
  })),
  {
    name: "nor is one of which GitHub does not say it",
    rulesets: [{ name: "process", asApp: null }],
    unfit: [{ kind: "unknown", ruleset: "process" }],
  },
  ...[
    ["administration", "write"],
    ["organization_administration", "write"],
    ["repository_custom_properties", "write"],
    ["organization_custom_properties", "admin"],
  ].map(([permission = "", level = ""]) => ({
    name: `nor is one that may change the rules, or what they are for (${permission})`,
    permissions: { ...writes, [permission]: level },
    unfit: [{ kind: "administers" }],
  })),
  {
    name: "to look at them is harmless",
    permissions: { ...writes, administration: "read" },
    unfit: [],
  },
])("$name", ({ permissions = writes, rulesets = [], unfit }) => {
  expect(unfitForRunner(permissions, rulesets)).toEqual(unfit);
});
