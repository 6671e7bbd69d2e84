import { chmodSync, existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { RunningCommand } from "../../../src/core/land/land-progress.js";
import { BEAD, type GateWorld, GREEN, gateWorld, livingCommands } from "../../support/landing/gate-world.js";

const { PATH = "" } = process.env;

afterEach(() => expect.poll(livingCommands).toEqual([]));

describe("answers", () => {
  test("all commands end with 0: green, in one clean checkout that is gone afterwards", async () => {
    const w = gateWorld();
    const commands = ["test -f a.txt && touch made; pwd >>$T", "test -f made; pwd >>$T"];
    expect(await w.run({ commands })).toEqual(GREEN);
    expect(w.checkouts()).toBe(1);
    expect(new Set(w.traces())).toEqual(new Set([join(w.root, "checks", `${BEAD}-gate`)]));
    expect(readdirSync(join(w.root, "checks"))).toEqual([]);
  });

  test("a command that fails twice: red, with what it printed on both streams and where", async () => {
    const w = gateWorld({ "add.c": "int x\n" });
    const failing = `echo ran >>$T; echo building; echo "$PWD/add.c:1:6: error: expected ;" >&2
      printf '\\033[31mdone\\033[0m\\n'; exit 3`;
    expect(await w.run({ commands: [failing, "echo never >>$T"] })).toMatchObject({
      kind: "red",
      command: expect.stringContaining(failing),
      code: 3,
      output: expect.stringMatching(/^building\n\S+add\.c:1:6: error: expected ;\ndone$/),
      places: [{ file: "add.c", line: 1, message: "error: expected ;" }],
    });
    expect(w.traces()).toEqual(["ran", "ran"]);
    expect(w.checkouts()).toBe(2);
  });

  test("red at first and green from a clean tree and home: green, and all commands ran again", async () => {
    const w = gateWorld();
    const clean = 'echo first >>$T; test ! -e leftover && test ! -e "$HOME/x" && touch "$HOME/x"';
    const flaky = "echo second >>$T; touch leftover; [ $(grep -c second $T) = 2 ]";
    const tries: boolean[] = [];
    const onCommand = ({ isSecondTry = false }: RunningCommand) => void tries.push(isSecondTry);
    expect(await w.run({ commands: [clean, flaky], onCommand })).toEqual(GREEN);
    expect(w.traces()).toEqual(["first", "second", "first", "second"]);
    expect(tries).toEqual([false, false, true, true]);
  });

  test("each command is told of as it starts", async () => {
    const told: string[] = [];
    const onCommand = ({ command, number, of, since }: RunningCommand) => {
      expect(Date.now() - since).toBeLessThan(60_000);
      told.push(`${number} of ${of} ${command.endsWith("true")}`);
    };
    expect(await gateWorld().run({ commands: ["true", "true"], onCommand })).toEqual(GREEN);
    expect(told).toEqual(["1 of 2 true", "2 of 2 true"]);
  });

  test("a command that takes too long is ended: red without a code, whatever it says in the end", async () => {
    const commands = ["trap 'exit 0' INT TERM; echo slow; sleep 600 & wait"];
    expect(await gateWorld().run({ wallSeconds: 1, commands })).toMatchObject({
      kind: "red",
      code: null,
      output: "slow\n[koryph ended it after 1 s: gate_timeout_seconds]",
    });
  });

  test("a command that no shell understands is red with the shell's words", async () =>
    expect(await gateWorld().run({ commands: ["if"] })).toMatchObject({
      kind: "red",
      output: expect.stringMatching(/syntax/i),
    }));

  test("a command that removes what it runs in is red, and its checkout is no obstacle", async () => {
    const w = gateWorld();
    expect(await w.run({ commands: ['rm -rf "$PWD" "$HOME"; exit 1'] })).toMatchObject({
      kind: "red",
      code: 1,
    });
  });

  test("of a long output the last 16,000 characters are kept, and no secret in them", async () => {
    const commands = [
      "seq -f 'line %g' 3000; echo GITHUB_TOKEN=ghp_0123456789abcdefghij0123456789abcdef; false",
    ];
    const answer = await gateWorld().run({ commands });
    if (answer.kind !== "red") throw new Error(answer.kind);
    expect(answer.output.length).toBeLessThanOrEqual(16_000);
    expect(answer.output.length).toBeGreaterThan(15_900);
    expect(answer.output).toMatch(/^line \d+\n[\s\S]*line 3000\nGITHUB_TOKEN=\[redacted\]$/);
  });

  test("read-only folders that a command leaves in its home do not stay", async () => {
    const w = gateWorld();
    const commands = ['cd "$HOME" && mkdir -p go/pkg && touch go/pkg/x && chmod -R a-w go'];
    expect(await w.run({ commands })).toEqual(GREEN);
    expect(existsSync(join(w.request.folder, "1", "1"))).toBe(true);
    expect(existsSync(join(w.request.folder, "1", "home"))).toBe(false);
  });
});

describe("containment", () => {
  test("a command sees no secret of the engine's, no terminal and no home but its own", async () => {
    const w = gateWorld();
    const secrets = {
      GITHUB_TOKEN: "leak-1",
      SSH_AUTH_SOCK: "/leak-2",
      HOME: "/leak-3",
      DATABASE_URL: "leak-4",
    };
    const commands = ["env; test -t 0 && echo a terminal; cat; false"];
    const answer = await w.run({ commands, environment: { PATH, ...secrets } });
    if (answer.kind !== "red") throw new Error(answer.kind);
    expect(answer.output).not.toMatch(/leak-|a terminal/);
    expect(answer.output).toContain(`HOME=${join(w.request.folder, "2", "home")}`);
    expect(answer.output).toContain("CI=true");
  });

  test("what a command leaves running lives neither into the next one nor past the end", async () => {
    const w = gateWorld();
    const marked =
      "setsid sh -c 'echo $$ >>\"$0\"; exec sleep 600' $T & while ! test -s $T; do sleep 0.01; done";
    const isGone = "! grep -q ') [^ZX]' /proc/$(head -n1 $T)/stat";
    const unmarked = 'cd "$HOME"; env -i setsid sleep 600 >/dev/null 2>&1 &';
    expect(await w.run({ commands: [marked, isGone, unmarked] })).toEqual(GREEN);
    expect(readdirSync("/proc").filter((pid) => folderOf(pid).startsWith(w.root))).toEqual([]);
  });
});

function folderOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

describe("direnv", () => {
  /** Loads `.envrc` only where it was allowed in this very HOME. */
  const DIRENV = `#!/bin/sh
case $1 in
  allow) touch "$HOME/allowed" ;;
  exec) test -e "$HOME/allowed" || exit 9; shift 2; set -a; . ./.envrc; exec "$@" ;;
esac
`;
  function withDirenv({ root }: GateWorld): NodeJS.ProcessEnv {
    const folder = join(root, "bin");
    mkdirSync(folder);
    writeFileSync(join(folder, "direnv"), DIRENV);
    chmodSync(join(folder, "direnv"), 0o755);
    return { PATH: `${folder}:${PATH}` };
  }

  test("loads the repository's .envrc for each command", async () => {
    const w = gateWorld({ ".envrc": "GREETING='it is loaded'\n" });
    const commands = ['test "$GREETING" = "it is loaded"', 'echo "$GREETING" | grep -q is'];
    expect(await w.run({ commands, environment: withDirenv(w) })).toEqual(GREEN);
  });

  test.each([
    { name: "there is no .envrc", files: {}, has: true },
    { name: "the machine has none", files: { ".envrc": "exit 1\n" }, has: false },
  ])("is left out where $name", async ({ files, has }) => {
    const w = gateWorld(files);
    const environment = has ? withDirenv(w) : { PATH: "/usr/bin:/bin" };
    expect(await w.run({ commands: ['test ! -e "$HOME/allowed"'], environment })).toEqual(GREEN);
  });
});

describe("abort", () => {
  test.each([
    { name: "heeds SIGTERM", command: "echo up >>$T; sleep 600", traces: ["up"] },
    {
      name: "cleans up",
      command: "trap 'echo bye >>$T; exit 0' TERM; echo up >>$T; sleep 600 & wait",
      traces: ["up", "bye"],
    },
    {
      name: "heeds nothing but SIGKILL",
      command: "trap '' TERM INT; echo up >>$T; sleep 600",
      traces: ["up"],
    },
  ])("ends a command that $name, and the checkout goes", async ({ command, traces }) => {
    const w = gateWorld();
    const answer = w.run({ commands: [command] });
    await w.says("up");
    w.abort.abort();
    expect(await answer).toEqual({ kind: "stopped" });
    expect(w.traces()).toEqual(traces);
    expect(readdirSync(join(w.root, "checks"))).toEqual([]);
  });

  test("that came before the start starts nothing", async () => {
    const w = gateWorld();
    w.abort.abort();
    expect(await w.run({ commands: ["echo ran >>$T"] })).toEqual({ kind: "stopped" });
    expect([w.traces(), w.checkouts()]).toEqual([[], 0]);
  });

  test("leaves no result behind: who asks again has it all run again", async () => {
    const w = gateWorld();
    const commands = ["echo one >>$T", "echo two >>$T; [ -e $T.go ] || sleep 600"];
    const first = w.run({ commands });
    await w.says("two");
    w.abort.abort();
    expect(await first).toEqual({ kind: "stopped" });
    await w.release();
    expect(await w.run({ commands, abort: new AbortController().signal })).toEqual(GREEN);
    expect(w.traces()).toEqual(["one", "two", "one", "two"]);
    expect(existsSync(join(w.request.folder, "2"))).toBe(false);
  });
});
