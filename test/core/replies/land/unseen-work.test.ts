import { expect, test } from "vitest";
import type { UnseenWork } from "../../../../src/core/land/unseen-work.js";
import { pullLine, unseenLines } from "../../../../src/core/replies/land/unseen-work.js";

const nothing: UnseenWork = { branch: "main", remote: "origin", ahead: 0, uncommitted: [] };

test.each<{ name: string; given: Partial<UnseenWork>; says: readonly string[] }>([
  {
    name: "a commit that was not pushed",
    given: { ahead: 1 },
    says: [
      "your main is 1 commit ahead of origin's: agents and the gate do not see it until you push (git push origin main)",
    ],
  },
  {
    name: "several",
    given: { ahead: 2, branch: "trunk", remote: "upstream" },
    says: [
      "your trunk is 2 commits ahead of upstream's: agents and the gate do not see them until you push (git push upstream trunk)",
    ],
  },
  {
    name: "changes, where agents start from a remote",
    given: { uncommitted: ["a", "b", "c", "d"] },
    says: [
      "your checkout has uncommitted changes (a, b, c and 1 more): agents and the gate see only what is committed and pushed",
    ],
  },
  {
    name: "changes, where they start from the checkout's own repository",
    given: { remote: null, uncommitted: ["calc.py"] },
    says: ["your checkout has uncommitted changes (calc.py): agents and the gate see only what is committed"],
  },
])("what agents do not get is named: $name", ({ given, says }) =>
  expect(unseenLines({ ...nothing, ...given })).toEqual(says),
);

test.each<{ name: string; unseen: UnseenWork | null; command: string }>([
  { name: "nothing stands in its way", unseen: null, command: "git pull --ff-only origin main" },
  {
    name: "git decides whether changes do",
    unseen: { ...nothing, uncommitted: ["a"] },
    command: "git pull --ff-only origin main",
  },
  {
    name: "commits of one's own",
    unseen: { ...nothing, ahead: 1 },
    command: "git pull --rebase origin main",
  },
  {
    name: "commits and changes",
    unseen: { ...nothing, ahead: 1, uncommitted: ["a"] },
    command: "git pull --rebase --autostash origin main",
  },
])("the pull to type works: $name", ({ unseen, command }) =>
  expect(pullLine("origin", "main", unseen)).toBe(`to have it in your checkout: ${command}`),
);
