import { appendFileSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AuditLog } from "../../../src/adapters/home/audit-log.js";
import { startScript } from "../../support/cli/node-script.js";
import { longTest } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

const act = { kind: "register", projectId: "shop", actor: "me", detail: { root: "/r" } };

function entries(path: string): Record<string, unknown>[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("an act is one line with who, what and when, for the owner's eyes only", async () => {
  const path = join(tempFolder(), "audit.jsonl");
  await new AuditLog(path).record(act);
  await new AuditLog(path).record({ ...act, kind: "remove", projectId: null });
  expect(entries(path)).toEqual([
    { at: expect.any(String), kind: "register", project_id: "shop", actor: "me", detail: { root: "/r" } },
    { at: expect.any(String), kind: "remove", project_id: null, actor: "me", detail: { root: "/r" } },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("secrets do not get in", async () => {
  const path = join(tempFolder(), "audit.jsonl");
  const detail = { remote: "https://me:hunter2@host/x.git", token: "hunter2", head: "a".repeat(40) };
  await new AuditLog(path).record({ ...act, actor: "bot ghp_0123456789abcdefghij", detail });
  const text = readFileSync(path, "utf8");
  expect(text).not.toMatch(/hunter2|ghp_/);
  expect(text).toContain("a".repeat(40));
});

test("half a line that a full disk left does not spoil the next", async () => {
  const path = join(tempFolder(), "audit.jsonl");
  await new AuditLog(path).record(act);
  appendFileSync(path, '{"at":"20');
  await new AuditLog(path).record({ ...act, kind: "remove" });
  const lines = readFileSync(path, "utf8").split("\n");
  expect(lines).toHaveLength(4);
  expect(JSON.parse(lines[2] ?? "")).toMatchObject({ kind: "remove" });
});

test("a log that has grown large is set aside, and no act is lost", async () => {
  const folder = tempFolder();
  const log = new AuditLog(join(folder, "audit.jsonl"), 500);
  for (let count = 0; count < 20; count += 1) await log.record({ ...act, detail: count });
  const files = readdirSync(folder).sort();
  expect(files).toContain("audit.jsonl");
  expect(files.length).toBeGreaterThan(3);
  expect(files.every((name) => /^audit(-\d+)?\.jsonl$/.test(name))).toBe(true);
  const all = files.flatMap((name) => entries(join(folder, name)).map(({ detail }) => detail as number));
  expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

longTest("two processes that write and rotate at once lose and mix nothing", async () => {
  const folder = tempFolder();
  const script = `
    const { AuditLog } = await built("adapters/home/audit-log.js");
    const log = new AuditLog(args[0], 4000);
    for (let count = 0; count < 150; count += 1)
      await log.record({ kind: "x", projectId: null, actor: args[1], detail: count });`;
  const writers = ["one", "two"].map((name) => startScript(script, join(folder, "audit.jsonl"), name));
  await Promise.all(writers.map((each) => each.rest()));
  const all = readdirSync(folder).flatMap((name) => entries(join(folder, name)));
  expect(new Set(all.map(({ actor, detail }) => `${actor} ${detail}`)).size).toBe(300);
  expect(all).toHaveLength(300);
});
