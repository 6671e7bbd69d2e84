import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { runGit } from "../../../src/adapters/git/exec/run-git.js";
import { runStarted } from "../../support/app/app-events.js";
import { AppWorld, REPOSITORY } from "../../support/app/app-world.js";
import { git } from "../../support/cli/project.js";
import { commitOnce } from "../../support/engine/engine-agents.js";
import { EngineLab, type LedgerLine, WAIT } from "../../support/engine/engine-lab.js";
import { longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

const NO_CONFIG = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

interface AskedLine extends LedgerLine {
  readonly actor: string;
  readonly evidence?: { readonly url: string };
}

/** Each look at the ledger starts git. */
const SELDOM = { ...WAIT, interval: 300 };

/** Says that it is there, and goes on when the test allows it. */
const gated = (name: string) => `mark ${name}\nawait ${name}\n${commitOnce}`;

/** An engine's checkout whose remote is the loopback GitHub, with the App beside it. */
async function engineBesideApp(agents: Readonly<Record<string, string>>) {
  const world = await AppWorld.open();
  onTestFinished(() => world.close());
  const lab = new EngineLab({ config: { max_concurrent_slots: 2 }, agents });
  const token = Buffer.from(`maria:${world.sandbox.tokenFor("maria")}`).toString("base64");
  git(lab.root, "remote", "add", "origin", `${world.sandbox.url}/${REPOSITORY}.git`);
  git(lab.root, "config", `http.${world.sandbox.url}/.extraheader`, `AUTHORIZATION: basic ${token}`);
  // The server is in this process, which must not stand still meanwhile.
  const pushed = await runGit(lab.root, ["push", "--quiet", "--force", "origin", "main"], { env: NO_CONFIG });
  expect(pushed).toMatchObject({ code: 0 });
  await world.start();
  return { world, lab };
}

/** What was left for the agent of a bead. */
function inboxOf(lab: EngineLab, bead: string): string {
  const [run = ""] = lab.names("runs");
  const file = join(lab.projectHome, "runs", run, bead, "agent", "INBOX.md");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

longTest(
  "comments steer an engine that runs elsewhere, and the ledger has who asked for what, and where",
  async () => {
    const { world, lab } = await engineBesideApp({
      "a.1": `commit half\necho more >more\n${gated("a")}`,
      // All that the first one had, what it had not committed included.
      a: "rm more || exit 7\ncommit rest\nsay done ''\n",
      "b.1": `trap '' INT TERM\n${gated("b")}`,
      b: commitOnce,
      "c.1": "say blocked 'no licence'\n",
      c: commitOnce,
      d: gated("d"),
      e: gated("e"),
      f: commitOnce,
    });
    const engine = lab.begin("run");
    await Promise.all([lab.marked("a"), lab.marked("b")]);
    const issue = await world.as("maria").opens("Sell shoes");
    const asked: { actor: string; id: number }[] = [];
    /** Asks by comment; the reply to it. */
    const says = async (login: string, text: string) => {
      const id = await world.as(login).says(issue, text);
      asked.push(...text.split("\n").map(() => ({ actor: `@${login}`, id })));
      return world.replies(issue).at(-1) ?? "";
    };
    /** An engine shares at once what it was asked for, with all that went before; everything else within a minute. */
    const nudges = async (bead: string, text: string) => {
      const reply = await says("maria", `/koryph nudge ${bead} "${text}"`);
      await expect.poll(() => inboxOf(lab, bead), WAIT).toContain(`The operator @maria says:\n> ${text}\n`);
      return reply;
    };
    const statusOf = async (bead: string) => (await world.state()).slots[bead]?.status;

    await lab.koryph("nudge", "a", "hello");
    await expect.poll(() => statusOf("b"), SELDOM).toBe("running");
    expect(await nudges("a", "use the interface")).toMatch(
      /🚀.*left for the agent of `a`: “use the interface”/u,
    );

    // The width is taken up by one agent, so that what is stopped is not started again.
    expect(await says("walter", "/koryph hold bead=d not before the release")).toContain("`d` is held");
    const stopped = await says("maria", "/koryph resize 1\n/koryph stop b --force");
    expect(stopped).toMatch(/🚀.*at most 1 agent works at once/u);
    expect(stopped).toMatch(
      /🚀.*the agent of `b` is killed; what it has not committed is kept for the next attempt/u,
    );
    await engine.says("b  queued again in 0 s: stopped");
    await nudges("a", "still there");
    await expect.poll(() => statusOf("b"), SELDOM).toBe("queued");
    expect(lab.starts("b")).toHaveLength(1);

    // With its width back it goes on: b again, then c, which is blocked, then e, as d is held.
    expect(await says("maria", "/koryph resize clear")).toContain("the one the run was started with");
    await lab.marked("e");
    expect(lab.starts("b")).toHaveLength(2);
    expect(lab.starts("d")).toEqual([]);
    await nudges("a", "nearly done");
    await expect.poll(() => statusOf("c"), SELDOM).toBe("blocked");
    expect(await says("tina", "/koryph retry c")).toMatch(/🚀.*`c` goes back to an agent/u);
    expect(await says("walter", "/koryph unhold d")).toContain("`d` is not held any more");
    const kept = await says("maria", "/koryph stop a");
    expect(kept).toMatch(/🚀.*the agent of `a` is asked to stop; what it has committed is kept/u);
    await engine.says("a  queued again in 0 s: stopped");
    await lab.marked("d");

    expect(await says("maria", "/koryph drain")).toMatch(/🚀.*no new ones start, then the run ends/u);
    // What was asked for later has arrived, so this has.
    await nudges("e", "come to an end");
    lab.allow("d");
    lab.allow("e");
    const { code, stdout } = await engine.ended;
    expect(code, stdout).toBe(4);
    expect(stdout).toContain("\nrun ended (operator-drain)");
    expect(await lab.status()).toEqual(
      Object.fromEntries(["a", "b", "c", "d", "e"].map((bead) => [bead, "merge-pending"])),
    );
    expect(lab.commits("a")).toEqual(["a half", "a rest"]);
    expect([lab.starts("a"), lab.starts("c")].map(({ length }) => length)).toEqual([2, 2]);
    expect(lab.starts("f")).toEqual([]);

    const lines = (await lab.log()) as AskedLine[];
    const written = lines.filter(
      ({ type, actor }) => /^(control|hold)\./.test(type) && actor.startsWith("@"),
    );
    expect(written.map(({ type, bead, actor }) => [type, bead ?? "", actor].join(" "))).toEqual([
      "control.nudge a @maria",
      "hold.placed d @walter",
      "control.resize  @maria",
      "control.stop b @maria",
      "control.nudge a @maria",
      "control.resize  @maria",
      "control.nudge a @maria",
      "control.retry c @tina",
      "hold.lifted d @walter",
      "control.stop a @maria",
      "control.drain  @maria",
      "control.nudge e @maria",
    ]);
    expect(written.map(({ actor, evidence }) => ({ actor, url: evidence?.url }))).toEqual(
      asked.map(({ actor, id }) => ({
        actor,
        url: expect.stringContaining(`/team/shop/issues/${issue}#issuecomment-${id}`),
      })),
    );
    const { stdout: log } = await lab.koryph("log");
    expect(log).toMatch(new RegExp(`@maria  control\\.drain  http\\S+#issuecomment-${asked.at(-2)?.id}\\n`));

    expect(world.unread()).toEqual([]);
    expect(world.sandbox.problems).toEqual([]);
  },
);

longTest("a comment and the terminal come to the same, and say it in the same words", async () => {
  const { world, lab } = await engineBesideApp({ a: commitOnce });
  const issue = await world.as("maria").opens("Sell shoes");
  /** Asks the same on both, one after the other. */
  const bothSay = async (line: string, words: string) => {
    await world.as("maria").says(issue, `/koryph ${line.replace("hold a", "hold bead=a")}`);
    expect((world.replies(issue).at(-1) ?? "").replaceAll("`", "")).toContain(words);
    const { stdout, stderr } = await lab.koryph(...line.split(" "));
    expect(stdout + stderr).toContain(words);
  };

  await bothSay("drain", "no run is under way, so there is nothing to drain");
  await bothSay("retry a", "no run knows of a");
  await bothSay("unhold a", "a is not held");
  await world.as("walter").says(issue, "/koryph hold bead=a later");
  await bothSay("hold a later", "a is held already, by @walter: later");
  await bothSay("hold a", "a is held already, by @walter: later");

  await world.record(runStarted());
  await world.as("maria").says(issue, "/koryph drain");
  const before = await lab.log();
  await bothSay("drain", "drain is asked for already, by @maria at 20");
  await bothSay("stop a", "no run knows of a");
  expect(await lab.log()).toEqual(before);
  expect(world.unread()).toEqual([]);
});
