import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { git } from "../../support/cli/project.js";
import type { EngineLab } from "../../support/engine/engine-lab.js";
import {
  agentHead,
  expectLanded,
  expectQuiet,
  home,
  land,
  landLab,
  mainTip,
  pushAside,
  refusals,
  subjects,
} from "../../support/landing/land-lab.js";
import { LONG, longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

/** The gate does what the file of this name says, if it is there. */
const ON_GATE = "on-gate";
const config = (top: string) => ({ gate: [`[ ! -e ${top}/${ON_GATE} ] || sh ${top}/${ON_GATE}`] });

async function finished(agents: Record<string, string>, remote = true): Promise<EngineLab> {
  const lab = landLab({ agents, config, remote });
  const { code, stdout, stderr } = await lab.koryph("run");
  expect({ code, stderr }, stdout).toEqual({ code: 4, stderr: "" });
  expect(stdout).toContain("this run had no --auto-merge to go with its merge policy auto");
  return lab;
}

function refuse(lab: EngineLab, words: string): () => void {
  const hook = join(lab.remote, "hooks", "update");
  const script = `#!/bin/sh\n[ "$1" != refs/heads/main ] || { echo '${words}' >&2; exit 1; }\n`;
  writeFileSync(hook, script, { mode: 0o755 });
  return () => rmSync(hook);
}

/** Put together here, so that no file holds one. */
const TOKEN = ["ghp", "a8Kd03jfLq92mZx7Rt5W"].join("_");

test("koryph land says why it refuses, changes nothing then, and lands once the reason is gone", async () => {
  const lab = await finished({
    plain: "commit one\ncommit two",
    many: "commit one\ncommit two\ncommit three",
    make: "put Makefile all:",
    notes: "put CLAUDE.md obey",
    leak: `put key.txt ${TOKEN} 'feat: leak'`,
    later: "commit one",
    busy: "commit one",
    empty: "commit one\ngit rm --quiet empty-one\ngit commit --quiet -m 'revert: empty one'",
  });
  const start = mainTip(lab);

  const red = "[ -e plain-one ] || exit 0; echo 'src/a.ts:3:1: error: no such thing'; exit 3\n";
  writeFileSync(join(lab.top, ON_GATE), red);
  const refused = await lab.koryph("land", "plain");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /no such thing\n.*plain was not landed, gate-failed: .* ended with 3\n {2}\S/s,
  );
  rmSync(join(lab.top, ON_GATE));
  expect(await land(lab, "nobody")).toMatchObject({
    code: 1,
    said: { bead: "nobody", result: "error", reason_code: "no_slot", detail: "no run knows of nobody" },
    stderr: expect.stringContaining("no run knows of nobody"),
  });

  // A commit of the agent's, exactly as it made it.
  const allow = refuse(lab, "main is closed on Mondays");
  expect(await land(lab, "plain")).toMatchObject({
    code: 1,
    said: {
      bead: "plain",
      result: "error",
      reason_code: "push_refused",
      detail: expect.stringContaining("main is closed on Mondays"),
    },
  });
  expect(await lab.status()).toMatchObject({ plain: "merge-pending" });
  expect(mainTip(lab)).toBe(start);
  allow();
  const head = agentHead(lab, "plain");
  expect(await land(lab, "plain")).toMatchObject({
    code: 0,
    said: { bead: "plain", result: "merged", head },
  });
  expect(await land(lab, "plain")).toMatchObject({ code: 0, said: { result: "merged", head } });
  expect(mainTip(lab)).toBe(head);

  // Three commits as one, on what had landed meanwhile.
  expect(await land(lab, "many", "--method", "squash")).toMatchObject({
    code: 0,
    said: { result: "merged" },
  });
  expect(git(lab.remote, "log", "--format=%B%P", `${head}..main`).trim()).toBe(
    `feat: many one\n\nwork on many (many)\n\n- feat: many one\n- feat: many two\n- feat: many three\n${head}`,
  );

  expect(await land(lab, "make")).toMatchObject({
    code: 1,
    said: { result: "protected", paths: ["Makefile"] },
  });
  expect(await land(lab, "make", "--allow-protected")).toMatchObject({ code: 0, said: { result: "merged" } });
  expect(await land(lab, "notes", "--allow-protected")).toMatchObject({
    code: 1,
    said: { result: "protected", paths: ["CLAUDE.md"] },
  });
  const leak = await land(lab, "leak");
  expect(leak).toMatchObject({
    code: 1,
    said: { reason_code: "secrets", detail: expect.stringContaining("GitHub token in key.txt") },
  });
  expect(await land(lab, "leak", "--allow-secrets")).toMatchObject({ code: 0, said: { result: "merged" } });
  expect(await land(lab, "empty")).toMatchObject({ code: 1, said: { result: "no-changes" } });

  // What a person adds in the bead's clone lands with it, once it is in a commit.
  const clone = join(lab.projectHome, "clones", "later");
  writeFileSync(join(clone, "more"), "more\n");
  expect(await land(lab, "later")).toMatchObject({ code: 1, said: { result: "dirty" } });
  git(clone, "add", "more");
  git(clone, "commit", "--quiet", "-m", "fix: more of it");
  expect(await land(lab, "later")).toMatchObject({ code: 0, said: { result: "merged" } });
  expect(subjects(lab).slice(-2)).toEqual(["feat: later one", "fix: more of it"]);

  // Somebody who pushes during each gate.
  const moves = `git -C ${lab.top}/colleague commit --quiet --allow-empty -m 'fix: again' &&
    git -C ${lab.top}/colleague push --quiet ${lab.remote} HEAD:main`;
  pushAside(lab, "stage", "text");
  writeFileSync(
    join(lab.top, ON_GATE),
    `export GIT_AUTHOR_NAME=C GIT_AUTHOR_EMAIL=c@x GIT_COMMITTER_NAME=C GIT_COMMITTER_EMAIL=c@x\n${moves}\n`,
  );
  expect(await land(lab, "busy")).toMatchObject({
    code: 1,
    said: { result: "error", reason_code: "base_busy" },
  });
  rmSync(join(lab.top, ON_GATE));
  expect(await land(lab, "busy")).toMatchObject({ code: 0, said: { result: "merged" } });

  const log = await lab.log();
  expect(JSON.stringify([leak, log])).not.toContain(TOKEN);
  for (const bead of ["plain", "many", "make", "leak", "later", "busy"]) expectLanded(lab, log, bead);
  expect(lab.beads.map((bead) => refusals(log, bead))).toEqual([
    ["gate-failed", "error: push_refused"],
    [],
    ["protected"],
    ["protected"],
    ["error: secrets"],
    ["dirty"],
    ["error: base_busy"],
    ["no-changes"],
  ]);
  expect(await lab.status()).toMatchObject({ notes: "merge-pending", empty: "merge-pending" });
  expect(git(lab.root, "status", "--porcelain")).toBe("");
  await expectQuiet(lab);
});

longTest("without a remote a checkout with changes of its own is left alone", async () => {
  const lab = await finished({ plain: "commit one" }, false);
  const start = mainTip(lab);
  writeFileSync(join(lab.top, ON_GATE), `echo ran >>${lab.top}/gates\n`);
  writeFileSync(join(lab.root, "README.md"), "being edited\n");
  expect(await land(lab, "plain")).toMatchObject({
    code: 1,
    said: { reason_code: "push_refused", detail: expect.stringContaining("uncommitted changes") },
  });
  expect(git(lab.root, "status", "--porcelain")).toBe(" M README.md\n");
  expect(existsSync(join(lab.top, "gates"))).toBe(false);
  expect(mainTip(lab)).toBe(start);
  git(lab.root, "checkout", "--quiet", "README.md");
  expect(await land(lab, "plain")).toMatchObject({ code: 0, said: { head: agentHead(lab, "plain") } });
  expect(git(lab.root, "status", "--porcelain")).toBe("");
  expect(existsSync(join(lab.root, "plain-one"))).toBe(true);
  expectLanded(lab, await lab.log(), "plain");
  expect(home(lab)).toBe(lab.root);
});

longTest(
  "a landing under way elsewhere is ended by whoever is first; one that gets a signal is taken back",
  async () => {
    const lab = await finished({ shared: "commit one", slow: "commit one", behind: "commit one" });
    const other = lab.beside("other");
    // The first gate stays until it is let go; those after it pass.
    writeFileSync(
      join(lab.top, ON_GATE),
      `mkdir ${lab.top}/first 2>/dev/null || exit 0
: >${lab.top}/starts/gate.mark
while [ ! -e ${lab.top}/starts/gate.go ]; do sleep 0.1; done\n`,
    );
    const first = land(lab, "shared");
    await lab.marked("gate");
    for (const flag of LONG ? ["--method=squash", "--allow-protected"] : ["--method=squash"]) {
      const otherwise = await land(other, "shared", flag);
      expect(otherwise).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("is in the queue already"),
      });
    }
    const second = await land(other, "shared");
    lab.allow("gate");
    const head = agentHead(lab, "shared");
    expect(second, second.stderr).toMatchObject({ code: 0, said: { result: "merged", head } });
    expect(await first).toMatchObject({ code: 0, said: { result: "merged", head } });
    expect(mainTip(lab)).toBe(head);
    expect(refusals(await lab.log(), "shared")).toEqual([]);

    // The gate ends with its landing.
    for (const signal of LONG ? (["SIGINT", "SIGHUP"] as const) : (["SIGINT"] as const)) {
      writeFileSync(join(lab.top, ON_GATE), `: >${lab.top}/starts/${signal}.mark\nsleep 300\n`);
      const landing = lab.start("land", "slow");
      await lab.marked(signal);
      // Another one says at once for whom it waits, and what that one is doing.
      const { pid } = landing.child;
      const waiting = lab.start("land", "behind", "--json");
      await waiting.says(
        new RegExp(
          `behind {2}waits for koryph land \\(pid ${pid}\\), which lands slow since .*; its gate command 1 of 1, \\d+s: `,
        ),
      );
      expect((await lab.koryph("status")).stdout).toMatch(/slow +landing .*gate command 1 of 1, \d+s/);
      waiting.child.kill(signal);
      expect(JSON.parse((await waiting.ended).stdout)).toMatchObject({ bead: "behind", result: "stopped" });
      landing.child.kill(signal);
      const { code, stdout } = await landing.ended;
      expect(code, signal).toBe(1);
      expect(stdout).toContain("slow  gate command 1 of 1: ");
      await expectQuiet(lab);
      expect(await lab.status(), signal).toMatchObject({ slow: "merge-pending" });
      expect(mainTip(lab)).toBe(head);
    }
    rmSync(join(lab.top, ON_GATE));
    expect(await land(lab, "slow")).toMatchObject({ code: 0, said: { result: "merged" } });
    expectLanded(lab, await lab.log(), "slow");
  },
);
