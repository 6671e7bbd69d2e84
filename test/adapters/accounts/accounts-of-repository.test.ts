import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { accountDigest } from "../../../src/adapters/accounts/account-digest.js";
import { accountsOfRepository } from "../../../src/adapters/accounts/accounts-of-repository.js";
import { KoryphHome } from "../../../src/adapters/home/koryph-home.js";
import { LocalAgents } from "../../../src/app/analysis/local-agents.js";
import { AccountRefused } from "../../../src/ports/agent-runtime.js";
import { tempFolder } from "../../support/temp-folder.js";

const pin = (key: string) => ({
  ...{ profile: null, variable: "ANTHROPIC_API_KEY" },
  expect: { mode: "api-key", fingerprint: accountDigest(key) },
});

/** A machine with these projects: id → remote, and whose key is pinned. */
function machine(projects: Record<string, { remote?: string; key?: string }>) {
  const home = new KoryphHome(join(tempFolder(), "home"));
  mkdirSync(home.registryFolder, { recursive: true });
  for (const [id, { remote = null, key }] of Object.entries(projects)) {
    const accounts = key === undefined ? {} : { accounts: { claude: pin(key) } };
    const entry = { id, root: "/srv", remote, registered_at: "2026-01-31T12:00:00Z", last_run: null };
    writeFileSync(join(home.registryFolder, `${id}.json`), JSON.stringify({ ...entry, ...accounts }));
  }
  const pins = async (project: string, repository = "Ann/Shop") =>
    (await accountsOfRepository(home, { project, repository }, {})).pins.claude?.expect;
  return { home, pins };
}

const SHOP = "https://github.com/ann/shop.git";

test("pins are those of the project whose remote is the repository, whatever id its file has", async () => {
  const { pins } = machine({
    shop: { remote: SHOP, key: "k" },
    other: { remote: "git@github.com:bob/x.git" },
  });
  expect(await pins("shop")).toEqual(pin("k").expect);
  expect(await pins("renamed")).toEqual(pin("k").expect);
  expect(await pins("other", "bob/x")).toBeUndefined();
});

test("an id that another repository has is no way to its account", async () => {
  const { pins } = machine({ shop: { remote: SHOP, key: "k" } });
  await expect(pins("shop", "mallory/shop")).rejects.toThrow(AccountRefused);
  expect(await pins("mine", "mallory/shop")).toBeUndefined();
});

test("a project without a remote is known by its id; of two for one repository the id decides", async () => {
  expect(await machine({ shop: { key: "k" } }).pins("shop")).toEqual(pin("k").expect);
  const two = machine({ one: { remote: SHOP, key: "k1" }, two: { remote: SHOP, key: "k2" } });
  expect(await two.pins("two")).toEqual(pin("k2").expect);
  await expect(two.pins("three")).rejects.toThrow("not clearly those of Ann/Shop");
});

test("an entry that cannot be read may be the one that pins, so nobody goes on without it", async () => {
  const { home, pins } = machine({ shop: { remote: SHOP, key: "k" } });
  writeFileSync(join(home.registryFolder, "broken.json"), "{");
  await expect(pins("shop")).rejects.toThrow("broken.json");
});

test("the App's reviewer looks at the pinned account before it starts", async () => {
  const { home } = machine({ shop: { remote: SHOP, key: "k" } });
  const agents = await LocalAgents.open({ home, localAgents: [] });
  const accounts = await accountsOfRepository(home, { project: "shop", repository: "ann/shop" }, {});
  const reviewer = agents.runtime({ default_runtime: "claude" }, accounts);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("ANTHROPIC_API_KEY", "another");
  await expect(reviewer.account?.()).rejects.toThrow(AccountRefused);
  vi.stubEnv("ANTHROPIC_API_KEY", "k");
  await expect(reviewer.account?.()).resolves.toEqual(pin("k").expect);
});
