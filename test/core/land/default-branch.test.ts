import { expect, test } from "vitest";
import { type DefaultBranchFacts, findDefaultBranch } from "../../../src/core/land/default-branch.js";

const usual: DefaultBranchFacts = {
  configured: null,
  branches: ["feature", "main", "master", "trunk"],
  onlyOne: true,
};

test.each<{ name: string; given: Partial<DefaultBranchFacts>; branch: string | null }>([
  { name: "main comes before master", given: {}, branch: "main" },
  { name: "master is it without a main", given: { branches: ["feature", "master"] }, branch: "master" },
  { name: "init.defaultBranch comes first", given: { configured: "trunk" }, branch: "trunk" },
  { name: "unless there is no such branch", given: { configured: "develop" }, branch: "main" },
  { name: "the only branch there is must be it", given: { branches: ["feature"] }, branch: "feature" },
  {
    name: "but not on a remote, which has lost its own",
    given: { branches: ["dev"], onlyOne: false },
    branch: null,
  },
  { name: "of several unusual ones nobody can tell", given: { branches: ["a", "b"] }, branch: null },
  { name: "without any there is none", given: { branches: [] }, branch: null },
])("$name", ({ given, branch }) => expect(findDefaultBranch({ ...usual, ...given })).toBe(branch));
