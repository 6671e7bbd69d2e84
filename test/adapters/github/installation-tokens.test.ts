import { expect, test } from "vitest";
import { InstallationTokens } from "../../../src/adapters/github/apps/installation-tokens.js";
import { startSandbox } from "../../../src/sandbox/sandbox.js";
import { APP_KEY } from "../../support/app/sandbox-lab.js";
import { onFileEnd } from "../../support/file-end.js";

const HOUR_MS = 60 * 60_000;

/** An App that may write, installed on a repository, and a clock that GitHub and the runner share. */
async function appOnRunner(permissions: Readonly<Record<string, "read" | "write">>) {
  let at = Date.now();
  const sandbox = await startSandbox({ now: () => at });
  onFileEnd(() => sandbox.close());
  sandbox.addUser("team", "Organization");
  await sandbox.addRepository({ owner: "team", name: "shop", files: { "README.md": "# shop\n" } });
  const app = await sandbox.addApp({ slug: "waves", privateKey: APP_KEY, permissions, events: [] });
  sandbox.install(app, ["team/shop"]);
  const told: string[] = [];
  const tokens = new InstallationTokens({
    ...{ apiUrl: sandbox.url, appId: `${app.id}`, privateKey: app.privateKey, repository: "team/shop" },
    ...{
      permissions: { contents: "write", checks: "write" },
      now: () => at,
      told: (token) => told.push(token),
    },
  });
  const pass = (ms: number) => {
    at += ms;
  };
  return { sandbox, tokens, told, pass };
}

test("a token lasts until ten minutes before it expires, then another follows", async () => {
  const { tokens, told, pass } = await appOnRunner({ contents: "write", checks: "write", issues: "write" });
  const [first, same] = await Promise.all([tokens.token(), tokens.token()]);
  expect(same).toBe(first);
  pass(HOUR_MS - 11 * 60_000);
  expect(await tokens.token()).toBe(first);
  pass(2 * 60_000);
  const second = await tokens.token();
  expect(second).not.toBe(first);
  expect(told).toEqual([first, second]);
});

test("it may what was asked for, as far as the App may, on that repository", async () => {
  const { sandbox, tokens } = await appOnRunner({ contents: "write", issues: "write" });
  await tokens.token();
  expect(sandbox.state.tokens.at(-1)).toMatchObject({
    permissions: { contents: "write" },
    repositories: ["team/shop"],
  });
});

test("while GitHub is away the last one serves until it expires", async () => {
  const { sandbox, tokens, pass } = await appOnRunner({ contents: "write" });
  const first = await tokens.token();
  sandbox.faults.add({
    ...{ operation: "apps/create-installation-access-token", times: 100, kind: { status: 503 } },
  });
  pass(HOUR_MS - 5 * 60_000);
  expect(await tokens.token()).toBe(first);
  pass(6 * 60_000);
  await expect(tokens.token()).rejects.toThrow(/503/);
  sandbox.faults.clear();
  expect(await tokens.token()).not.toBe(first);
});
