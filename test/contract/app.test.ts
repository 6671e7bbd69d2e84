import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { registerReactions } from "../../src/app/app.js";
import { DELIVERY_ANSWERS } from "../../src/app/http/intake.js";
import { Metrics } from "../../src/app/http/metrics.js";
import { SERVER_VARIABLES } from "../../src/app/serve/read-settings.js";
import { HANDLED_EVENTS, WEBHOOK_PATH } from "../../src/core/model/delivery.js";
import { appManifest } from "../../src/core/setup/app-manifest.js";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const manifest = appManifest({
  name: "koryph",
  homepage: "https://koryph.example.com",
  webhookUrl: `https://koryph.example.com${WEBHOOK_PATH}`,
});
const page = read("docs/app.md");
const operations = read("docs/operations.md");

/** The first cells of the table that begins with these headings. */
function table(text: string, heading: string): string[][] {
  const rows = text.split("\n");
  const start = rows.findIndex((row) => row.startsWith(`| ${heading} |`));
  const end = rows.findIndex((row, at) => at > start && !row.startsWith("|"));
  return rows.slice(start + 2, end).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}

test("app.yml says what the set-up page sends", () => {
  expect(parse(read("app.yml"))).toEqual(manifest);
});

test("the page names the events that the App asks for", () => {
  expect(table(page, "event").map(([event]) => event)).toEqual([...HANDLED_EVENTS]);
});

test("there is a reaction to each of them, and to no other", () => {
  const heard: string[] = [];
  const app = { on: (name: string) => heard.push(name.split(".")[0] ?? "") };
  const on = {
    comment: async () => {},
    review: async () => {},
    landable: async () => {},
    checked: async () => {},
    pressed: async () => {},
    pullChanged: async () => {},
    pullEnded: async () => {},
    headChanged: async () => {},
    runEnded: async () => {},
  };
  registerReactions(app as unknown as Parameters<typeof registerReactions>[0], on);
  expect([...new Set(heard)]).toEqual([...HANDLED_EVENTS]);
});

test("each permission stands in docs/app.md with a reason", () => {
  const rows = table(page, "permission");
  expect(Object.fromEntries(rows.map(([name, access]) => [name, access]))).toEqual(
    manifest.default_permissions,
  );
  for (const [, , why = ""] of rows) expect(why.length).toBeGreaterThan(20);
});

test("the App can change neither workflows, settings nor secrets", () => {
  const permissions: Readonly<Record<string, string>> = manifest.default_permissions;
  const { workflows, administration, secrets, members } = permissions;
  expect([workflows, administration, secrets, members]).toEqual([undefined, undefined, undefined, undefined]);
});

test("the link in docs/app.md asks for what the manifest asks for", () => {
  const link = new URL(/^https:\/\/github\.com\/settings\/apps\/new\?.*$/m.exec(page)?.[0] ?? "");
  const { "events[]": _, ...rest } = Object.fromEntries(link.searchParams);
  expect(link.searchParams.getAll("events[]")).toEqual(manifest.default_events);
  expect(rest).toEqual({
    name: manifest.name,
    url: manifest.url,
    public: `${manifest.public}`,
    webhook_active: `${manifest.hook_attributes.active}`,
    webhook_url: manifest.hook_attributes.url,
    ...manifest.default_permissions,
  });
});

test("docs/app.md has a row for every variable", () => {
  expect(table(page, "variable").map(([name]) => name)).toEqual([...SERVER_VARIABLES]);
});

test("docs/operations.md has a row for every metric with its labels", async () => {
  const metrics = new Metrics({
    version: "1",
    depth: async () => [{ lane: "work", state: "dead", count: 1 }],
  });
  metrics.delivery("ping", "pong", 1);
  metrics.job("work", "done", 1);
  metrics.overdue("work");
  metrics.request({ route: "/graphql", status: 200, installation: 1, remaining: 1 });
  metrics.ledgerAppends(1);
  const { text } = await metrics.read();
  const names = [...text.matchAll(/^# TYPE (koryph_\w+)/gm)].map(([, name = ""]) => name);
  const labels = (name: string) => {
    const [, found = ""] = new RegExp(`^${name}(?:_sum)?\\{([^}]*)\\}`, "m").exec(text) ?? [];
    return [...found.matchAll(/(\w+)=/g)].map(([, label]) => label).join(", ");
  };
  const rows = table(operations, "metric").map(([name, found]) => [name, found]);
  expect(rows.sort()).toEqual(names.map((name) => [name, labels(name)]).sort());
});

test("docs/operations.md names every status a delivery may get", () => {
  const source = `${read("src/app/http/intake.ts")}${read("src/app/http/server.ts")}`;
  const statuses = [...source.matchAll(/refuseDelivery\(\s*(\d{3}),\s*"([a-z-]+)"/g)];
  const answers = new Set(statuses.map(([, , answer]) => answer));
  expect(DELIVERY_ANSWERS.filter((answer) => !answers.has(answer))).toEqual([
    "accepted",
    "known",
    "ignored",
    "pong",
  ]);
  const documented = table(operations, "answer").map(([status]) => status);
  expect([...new Set([...statuses.map(([, status]) => status), "200", "202"])].sort()).toEqual(
    documented.sort(),
  );
});
