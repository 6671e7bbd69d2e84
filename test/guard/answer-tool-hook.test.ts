import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answerToolHook } from "../../src/guard/answer-tool-hook.js";
import { tempFolder } from "../support/temp-folder.js";

/** An agent's clone below an engine's folder, with another clone and a home beside it. */
function bench() {
  const engine = tempFolder();
  const at = (name: string) => join(engine, name);
  for (const name of ["clone/src", "other", "home", "run"]) mkdirSync(at(name), { recursive: true });
  const settings = {
    worktree: at("clone"),
    home: at("home"),
    writable: [],
    engine: [engine],
    secret: [],
    defaultBranch: "main",
    log: at("run/denials.jsonl"),
  };
  const ask = (tool: string, input: object, cwd = at("clone")) =>
    answerToolHook(
      JSON.stringify({
        hook_event_name: "PreToolUse",
        session_id: "s",
        cwd,
        tool_name: tool,
        tool_input: input,
      }),
      JSON.stringify(settings),
    );
  const write = (name: string, text: string) => {
    writeFileSync(at(name), text);
    chmodSync(at(name), 0o755);
  };
  return { at, ask, bash: (command: string) => ask("Bash", { command }), write, log: settings.log };
}

/** The code of a denial; "" where nothing was said. */
function codeIn(answer: string): string {
  if (answer === "") return "";
  const { hookSpecificOutput: output } = JSON.parse(answer);
  expect(output).toMatchObject({ hookEventName: "PreToolUse", permissionDecision: "deny" });
  return /\(([a-z-]+)\)\. /.exec(output.permissionDecisionReason)?.[1] ?? "?";
}

describe("a shell's line", () => {
  test("is denied with a sentence, or nothing is said", () => {
    const { bash } = bench();
    expect(codeIn(bash("sh -c 'git -C . push'"))).toBe("push");
    expect(bash("npm test")).toBe("");
    expect(bash('python3 -c "1"')).toBe("");
  });

  test.each<{ name: string; text: string; command: string; code: string }>([
    { name: "a script by name", text: "#!/bin/sh\ngit push\n", command: "./x.sh", code: "push" },
    { name: "a script for a shell", text: "git push\n", command: "bash -e x.sh", code: "push" },
    { name: "a script that is read in", text: "git push\n", command: ". ./x.sh", code: "push" },
    {
      name: "a script after a change of folder",
      text: "git push\n",
      command: "cd src && sh ../x.sh",
      code: "push",
    },
    {
      name: "a script behind env",
      text: "#!/usr/bin/env bash\ngit push\n",
      command: "env A=b ./x.sh",
      code: "push",
    },
    { name: "a harmless script", text: "#!/bin/sh\nnpm test\n", command: "./x.sh", code: "" },
    {
      name: "a script in another language",
      text: "#!/usr/bin/python3\ngit push\n",
      command: "./x.sh",
      code: "",
    },
    { name: "a program", text: "\u007fELF\0git push\n", command: "./x.sh", code: "" },
    { name: "a script that starts itself", text: "sh x.sh\n", command: "sh x.sh", code: "" },
  ])("$name: $code", ({ text, command, code }) => {
    const { bash, write } = bench();
    write("clone/x.sh", text);
    expect(codeIn(bash(command))).toBe(code);
  });

  test("scripts are followed through scripts, and not for ever", () => {
    const { bash, write } = bench();
    for (const n of [1, 2, 3, 4, 5, 6]) write(`clone/${n}.sh`, n === 6 ? "git push\n" : `sh ${n + 1}.sh\n`);
    expect(codeIn(bash("sh 4.sh"))).toBe("push");
    expect(codeIn(bash("sh 1.sh"))).toBe("");
  });

  test("no script outside is read, not even through a link, and no pipe is waited for", () => {
    const { at, bash, write } = bench();
    write("other/x.sh", "git push\n");
    symlinkSync(at("other/x.sh"), at("clone/link.sh"));
    execFileSync("mkfifo", [at("clone/pipe.sh")]);
    expect(codeIn(bash("sh link.sh"))).toBe("");
    expect(codeIn(bash("sh pipe.sh"))).toBe("");
    expect(codeIn(bash(`sh ${at("other/x.sh")}`))).toBe("engine-files");
  });
});

describe("a file's tool", () => {
  test.each<{ name: string; tool: string; input: (at: (name: string) => string) => object; code: string }>([
    { name: "write in the clone", tool: "Write", input: (at) => ({ file_path: at("clone/a.ts") }), code: "" },
    {
      name: "write beside it",
      tool: "Write",
      input: (at) => ({ file_path: at("other/a.ts") }),
      code: "engine-files",
    },
    { name: "write out of it", tool: "Edit", input: () => ({ file_path: "/etc/hosts" }), code: "outside" },
    {
      name: "write by steps",
      tool: "Edit",
      input: (at) => ({ file_path: at("clone/../other/a") }),
      code: "engine-files",
    },
    {
      name: "write through a link",
      tool: "Write",
      input: (at) => ({ file_path: at("clone/out/a") }),
      code: "engine-files",
    },
    {
      name: "write a hook",
      tool: "Write",
      input: (at) => ({ file_path: at("clone/.git/hooks/pre-push") }),
      code: "enforcement",
    },
    {
      name: "write claude's settings",
      tool: "Write",
      input: (at) => ({ file_path: at("clone/.claude/settings.json") }),
      code: "enforcement",
    },
    {
      name: "write the guard's own settings",
      tool: "Write",
      input: (at) => ({ file_path: at("run/guard-settings.json") }),
      code: "engine-files",
    },
    {
      name: "a notebook",
      tool: "NotebookEdit",
      input: () => ({ notebook_path: "/srv/a.ipynb" }),
      code: "outside",
    },
    {
      name: "read a key",
      tool: "Read",
      input: () => ({ file_path: "/root/.ssh/id_rsa" }),
      code: "credentials",
    },
    {
      name: "read an environment",
      tool: "Read",
      input: () => ({ file_path: "/proc/self/environ" }),
      code: "credentials",
    },
    { name: "read the system", tool: "Read", input: () => ({ file_path: "/etc/os-release" }), code: "" },
    {
      name: "search in a log-in",
      tool: "Grep",
      input: () => ({ pattern: "x", path: "/root/.aws" }),
      code: "credentials",
    },
    { name: "search for a word", tool: "Grep", input: () => ({ pattern: "/root/.ssh" }), code: "" },
    { name: "list keys", tool: "Glob", input: () => ({ pattern: "/root/.ssh/*" }), code: "credentials" },
    { name: "list the clone", tool: "Glob", input: () => ({ pattern: "**/*.ts" }), code: "" },
    { name: "no path", tool: "Write", input: () => ({ content: "x" }), code: "unreadable-call" },
    {
      name: "a shell without a line",
      tool: "Bash",
      input: () => ({ command: ["git", "push"] }),
      code: "unreadable-call",
    },
    { name: "a sub-agent", tool: "Task", input: () => ({ prompt: "git push" }), code: "" },
  ])("$name: $code", ({ tool, input, code }) => {
    const { at, ask } = bench();
    symlinkSync(at("other"), at("clone/out"));
    expect(codeIn(ask(tool, input(at)))).toBe(code);
  });
});

test.each<{ name: string; told: string }>([
  { name: "nothing", told: "" },
  { name: "no JSON", told: "git push" },
  { name: "a list", told: "[]" },
  {
    name: "another event",
    told: '{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{},"cwd":"/"}',
  },
  { name: "no input", told: '{"hook_event_name":"PreToolUse","tool_name":"Bash","cwd":"/"}' },
  {
    name: "a folder that is none",
    told: '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{},"cwd":"x"}',
  },
])("what cannot be read is denied: $name", ({ told }) => {
  const settings = {
    worktree: "/w",
    home: "/h",
    writable: [],
    engine: [],
    secret: [],
    defaultBranch: "main",
    log: "/none/x",
  };
  expect(codeIn(answerToolHook(told, JSON.stringify(settings)))).toBe("unreadable-call");
});

test.each(["", "{}", '{"worktree":"/w"}'])("without its settings it denies everything: %s", (settings) => {
  const told = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" }, cwd: "/" };
  expect(codeIn(answerToolHook(JSON.stringify(told), settings))).toBe("unreadable-call");
});

test("a denial is noted, without the secrets in it", () => {
  const { bash, log } = bench();
  bash("git push https://x:ghp_0123456789abcdefghijABCDEFGHIJ012345@github.com/o/r");
  bash("ls");
  const [line = "", ...others] = readFileSync(log, "utf8").trim().split("\n");
  expect(others).toEqual([]);
  expect(JSON.parse(line)).toMatchObject({ tool: "Bash", code: "push" });
  expect(line).not.toContain("ghp_0123456789");
});

test("a note that cannot be written changes no answer, and a link in its place is not followed", () => {
  const { at, bash, log } = bench();
  symlinkSync(at("clone/victim"), log);
  expect(codeIn(bash("git push"))).toBe("push");
  expect(() => readFileSync(at("clone/victim"))).toThrow();
});
