import { expect, test } from "vitest";
import { dataText, shownData } from "../../../../src/core/replies/run/log.js";
import { dispatching } from "../../../support/core/ledgers.js";

test.each<{ name: string; data: object; says: string }>([
  { name: "nothing", data: {}, says: "" },
  { name: "plain values", data: { attempt: 1, force: false }, says: "attempt=1 force=false" },
  { name: "what is empty is left out", data: { note: "", code: null, passed: [], more: {} }, says: "" },
  { name: "a text of several words", data: { detail: 'say "no"' }, says: 'detail="say \\"no\\""' },
  {
    name: "objects by their path",
    data: { process: { pid: 4, boot: "a-b" } },
    says: "process.pid=4 process.boot=a-b",
  },
  {
    name: "lists",
    data: { footprint: { writes: ["src/a", "b c"], reads: [] } },
    says: 'footprint.writes=src/a,"b c"',
  },
  { name: "lists of objects", data: { commits: [{ sha: "1" }, { sha: "2" }] }, says: "commits=[2]" },
  { name: "a commit in full", data: { head: "c".repeat(40) }, says: `head=${"c".repeat(40)}` },
  {
    name: "a long text up to an ellipsis",
    data: { text: `${"word ".repeat(40)}`, attempt: 2 },
    says: `text="${"word ".repeat(15)}word…" attempt=2`,
  },
  {
    name: "many values up to an ellipsis between two",
    data: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key${index}`, "v".repeat(20)])),
    says: `${Array.from({ length: 15 }, (_, index) => `key${index}=${"v".repeat(20)}`).join(" ")} …`,
  },
  {
    name: "what would drive a terminal does not",
    data: { "k\u001b": "a\u001b[2J\nb" },
    says: 'k�="a�[2J b"',
  },
])("$name", ({ data, says }) => expect(dataText(data)).toBe(says));

test("the line about a reviewer names the reviewer's model", () => {
  const stage = {
    task: "review",
    model: "opus",
    model_why: "w",
    timeout_seconds: 9,
    estimate_usd: 1,
    optional: false,
  };
  const base = { id: "x", at: "t", actor: "a", type: "slot.dispatching" } as const;
  const shown = (task: string) =>
    shownData({ ...base, data: { ...dispatching, model: "haiku", task, asides: [stage] } });
  expect(shown("review")).toMatchObject({ task: "review", model: "opus", timeout_seconds: 9 });
  expect(shown("implement")).toMatchObject({ task: "implement", model: "haiku" });
});
