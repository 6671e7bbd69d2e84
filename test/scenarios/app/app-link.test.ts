import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, vi } from "vitest";
import { KoryphHome } from "../../../src/adapters/home/koryph-home.js";
import { AppMemory } from "../../../src/adapters/store/app-memory.js";
import { openStore } from "../../../src/adapters/store/open-store.js";
import { unseal } from "../../../src/adapters/store/seal.js";
import { approveDevice, denyDevice } from "../../../src/sandbox/auth/device-login.js";
import { type AppWorld, scenario } from "../../support/app/app-world.js";

vi.setConfig({ testTimeout: 60_000 });

const KEY = Buffer.alloc(32, 7);
const OTHER_KEY = Buffer.alloc(32, 8);
const LINKING = { env: { KORYPH_TOKEN_KEY: KEY.toString("base64") } };
const WAIT = { timeout: 60_000, interval: 50 } as const;

/** Somebody asks to be linked; their thread, and the code they are told to enter. */
async function asks(world: AppWorld, login: string) {
  const issue = await world.as(login).opens("Sell shoes");
  await world.as(login).writes(issue, "/koryph link");
  await replied(world, issue, /enter `[A-Z]{4}-[A-Z]{4}` within 15 minutes/);
  const [code = ""] = /[A-Z]{4}-[A-Z]{4}/.exec(world.reply(issue)) ?? [];
  return { issue, code };
}

async function replied(world: AppWorld, issue: number, text: RegExp): Promise<void> {
  await expect.poll(() => world.reply(issue), WAIT).toMatch(text);
}

/** The App has asked GitHub about a code, and was told to wait. */
async function wasPending(world: AppWorld): Promise<void> {
  await expect.poll(() => world.log.join(""), WAIT).toContain("the code was not entered yet");
}

function idOf(world: AppWorld, login: string): number {
  return world.sandbox.world.user(login)?.id ?? 0;
}

/** What the App has kept of somebody, once it is stopped. */
async function keptOf(world: AppWorld, login: string) {
  await world.stop();
  const store = await openStore(new KoryphHome(world.home).appStore);
  try {
    return await new AppMemory(store).account(world.sandbox.url, idOf(world, login));
  } finally {
    await store.close();
  }
}

/** All the bytes the App has on disk, and all it has said to anybody. */
function everything(world: AppWorld): Buffer {
  const files = readdirSync(world.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  const comments = world.repository.issues.flatMap((issue) => issue.comments.map(({ body }) => body));
  return Buffer.concat([...files, Buffer.from([...world.log, ...comments].join("\n"))]);
}

/** In every form it could be written down in. */
function expectHidden(bytes: Buffer, ...secrets: readonly string[]): void {
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(16);
    for (const form of [secret, Buffer.from(secret).toString("base64"), Buffer.from(secret).toString("hex")])
      expect(bytes.includes(form)).toBe(false);
  }
}

describe("linking", () => {
  scenario(
    "the code is entered by whoever asked, and the same reply says that the account is linked",
    async (world) => {
      const { issue, code } = await asks(world, "maria");
      const [waiting] = world.sandbox.state.deviceLogins;
      expect(world.reply(issue)).toMatch(/open http\S+\/login as `@maria`/);
      expectHidden(everything(world), waiting?.deviceCode ?? "");

      expect(approveDevice(world.sandbox.world, code, "maria")).toBe(true);
      world.clock.pass(5);
      await replied(world, issue, /✅.*your account `@maria` is linked/u);
      expect(world.reply(issue)).not.toContain(code);
      await world.settled();
      expect(await world.events()).toEqual([]);

      const running = everything(world);
      const kept = await keptOf(world, "maria");
      const about = `${world.sandbox.url} ${idOf(world, "maria")}`;
      const sealed = kept?.sealed ?? new Uint8Array();
      const opened = JSON.parse(unseal(KEY, sealed, about) ?? "null");
      expect(opened).toEqual({
        token: expect.stringMatching(/^ghu_/),
        refresh_token: expect.stringMatching(/^ghr_/),
        expires_at: expect.any(Number),
      });
      expect(unseal(OTHER_KEY, sealed, about)).toBeNull();
      expect(unseal(KEY, sealed, `${world.sandbox.url} ${idOf(world, "walter")}`)).toBeNull();
      expect(unseal(KEY, sealed, `https://github.com ${idOf(world, "maria")}`)).toBeNull();
      for (const bytes of [running, everything(world)]) {
        expectHidden(bytes, waiting?.deviceCode ?? "", opened.token, opened.refresh_token);
        expectHidden(bytes, KEY.toString("latin1"), KEY.toString("base64"), KEY.toString("hex"));
      }
    },
    LINKING,
  );

  scenario(
    "the code is entered by somebody else: nothing is kept of either",
    async (world) => {
      const { issue, code } = await asks(world, "maria");
      approveDevice(world.sandbox.world, code, "walter");
      world.clock.pass(5);
      await replied(
        world,
        issue,
        /❌.*`@walter`, another account than `@maria`, entered the code.*`link_mismatch`.*`@walter` gave on GitHub stays until it is revoked at/su,
      );
      await world.settled();
      expect(await keptOf(world, "walter")).toBeNull();
      expect(await keptOf(world, "maria")).toBeNull();
    },
    { ...LINKING, long: true },
  );

  scenario(
    "whoever says no on GitHub is not linked",
    async (world) => {
      const { issue, code } = await asks(world, "maria");
      denyDevice(world.sandbox.world, code);
      world.clock.pass(5);
      await replied(world, issue, /❌.*denied on GitHub \(`link_denied`\)/u);
      expect(await keptOf(world, "maria")).toBeNull();
    },
    { ...LINKING, long: true },
  );

  scenario(
    "a code that nobody enters is over after its time",
    async (world) => {
      const { issue } = await asks(world, "maria");
      world.clock.pass(901);
      await replied(world, issue, /❌.*not good any more.*\(`link_expired`\).*\/koryph link/u);
      await world.settled();
    },
    LINKING,
  );

  scenario(
    "whoever asks twice gets two codes, and the account is linked once",
    async (world) => {
      const first = await asks(world, "maria");
      const second = await asks(world, "maria");
      expect(second.code).not.toBe(first.code);
      for (const { issue, code } of [first, second]) {
        approveDevice(world.sandbox.world, code, "maria");
        world.clock.pass(10);
        await replied(world, issue, /is linked/);
      }
      await world.settled();
      expect(await keptOf(world, "maria")).toMatchObject({ login: "maria" });
    },
    { ...LINKING, long: true },
  );

  scenario(
    "GitHub fails when it is asked whose token it is: the token is not lost",
    async (world) => {
      const { issue, code } = await asks(world, "maria");
      approveDevice(world.sandbox.world, code, "maria");
      world.sandbox.faults.add({ operation: "users/get-authenticated", times: 1, kind: { status: 500 } });
      world.clock.pass(5);
      await expect.poll(() => world.log.join(""), WAIT).toContain("did not tell whose token it is: 500");
      world.clock.pass(10);
      await replied(world, issue, /is linked/);
    },
    { ...LINKING, long: true },
  );

  scenario("without a key the server links nobody, and says who can change that", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    await world.as("maria").says(issue, "/koryph link");
    expect(world.reply(issue)).toMatch(/❌.*\(`linking_off`\).*`KORYPH_TOKEN_KEY`/u);
    expect(world.sandbox.state.deviceLogins).toEqual([]);
  });
});

describe("restarts while a code waits", () => {
  scenario(
    "the App goes on asking where it was",
    async (world) => {
      const { issue, code } = await asks(world, "maria");
      world.clock.pass(5);
      await wasPending(world);
      await world.stop();
      approveDevice(world.sandbox.world, code, "maria");
      await world.start();
      world.clock.pass(5);
      await replied(world, issue, /is linked/);
    },
    { ...LINKING, long: true },
  );

  scenario(
    "with another key the code cannot be used, and the reply says why",
    async (world) => {
      const { issue, code } = await asks(world, "maria");
      approveDevice(world.sandbox.world, code, "maria");
      await world.stop();
      await world.start({ KORYPH_TOKEN_KEY: OTHER_KEY.toString("hex") });
      world.clock.pass(5);
      await replied(world, issue, /❌.*another `KORYPH_TOKEN_KEY`.*\(`link_key_changed`\)/u);
      await world.settled();
      expect(await keptOf(world, "maria")).toBeNull();
    },
    { ...LINKING, long: true },
  );

  scenario(
    "without the key linking is off",
    async (world) => {
      const { issue } = await asks(world, "maria");
      await world.stop();
      await world.start({ KORYPH_TOKEN_KEY: "" });
      world.clock.pass(5);
      await replied(world, issue, /❌.*\(`linking_off`\)/u);
    },
    { ...LINKING, long: true },
  );
});

describe("unlinking", () => {
  scenario(
    "forgets the account, tells where the permission is taken back, and does it once",
    async (world) => {
      const { issue, code } = await asks(world, "maria");
      approveDevice(world.sandbox.world, code, "maria");
      world.clock.pass(5);
      await replied(world, issue, /is linked/);
      await world.as("walter").says(issue, "/koryph unlink");
      expect(world.replies(issue)[1]).toMatch(/❌.*no account of `@walter` is linked \(`not_linked`\)/u);
      await world.as("maria").says(issue, "/koryph unlink");
      expect(world.replies(issue)[2]).toMatch(
        /✅.*`@maria` is not linked any more; you can revoke the permission itself at http\S+\/settings\/apps/u,
      );
      await world.as("maria").says(issue, "/koryph unlink");
      expect(world.replies(issue)[3]).toMatch(/`not_linked`/);
      expect(await keptOf(world, "maria")).toBeNull();
    },
    LINKING,
  );

  scenario(
    "also ends a code that was not entered yet, and no later one",
    async (world) => {
      const { issue, code } = await asks(world, "maria");
      const other = await world.as("maria").opens("Sell shirts");
      await world.as("maria").writes(other, "/koryph unlink");
      await replied(world, other, /`not_linked`/);
      approveDevice(world.sandbox.world, code, "maria");
      world.clock.pass(5);
      await replied(world, issue, /❌.*unlinked before the code was entered.*`link_taken_back`/u);

      const again = await asks(world, "maria");
      approveDevice(world.sandbox.world, again.code, "maria");
      world.clock.pass(5);
      await replied(world, again.issue, /is linked/);
      await world.settled();
      expect(await keptOf(world, "maria")).not.toBeNull();
    },
    { ...LINKING, long: true },
  );
});
