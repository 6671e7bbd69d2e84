import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AppWorld, type AppWorldOptions, REPOSITORY } from "./app-world.js";

interface Finding {
  readonly file: string;
  readonly line: number | null;
  readonly summary: string;
}

/** A server that reviews by itself, with a reviewer that answers with what a file holds. */
export const REVIEWING: AppWorldOptions = {
  flags: { localAgents: REPOSITORY.toUpperCase() },
  prepare(home) {
    const at = (name: string) => `'${join(home, name)}'`;
    const script = [
      "#!/bin/sh",
      `cat >${at("prompt")}; env >${at("env")}; cat AGENTS.md >${at("notes")}; echo >>${at("runs")}`,
      `while [ -e ${at("slow")} ]; do sleep 0.05; done`,
      `cat ${at("answer")}`,
    ];
    const file = join(home, "reviewer.sh");
    writeFileSync(file, `${script.join("\n")}\n`);
    chmodSync(file, 0o755);
    const agents = { default_runtime: "mine", runtimes: { mine: { command: [file] } } };
    writeFileSync(join(home, "agents.json"), JSON.stringify(agents));
  },
};

export function reviewerOf({ home }: Pick<AppWorld, "home">) {
  const at = (name: string) => join(home, name);
  return {
    answers(findings: readonly Finding[], blocking = false) {
      const all = findings.map((finding) => ({ severity: "major", ...finding }));
      writeFileSync(at("answer"), `${JSON.stringify({ blocking, criteria: [], findings: all })}\n`);
    },
    noted: (name: string) => readFileSync(at(name), "utf8"),
    runs: () => (existsSync(at("runs")) ? readFileSync(at("runs"), "utf8").length : 0),
    slow: () => writeFileSync(at("slow"), ""),
    quick: () => rmSync(at("slow"), { force: true }),
  };
}

/** What GitHub has of reviews and check runs, as its API shows it to maria. */
export async function shown(world: AppWorld, path: string) {
  const headers = { authorization: `Bearer ${world.sandbox.tokenFor("maria")}` };
  const answer = await fetch(`${world.sandbox.url}/repos/${REPOSITORY}${path}`, { headers });
  // biome-ignore lint/suspicious/noExplicitAny: answers are read like GitHub's clients read them
  return (await answer.json()) as any;
}
