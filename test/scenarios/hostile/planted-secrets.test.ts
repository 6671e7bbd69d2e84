import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { git } from "../../support/cli/project.js";
import { containmentHere } from "../../support/contained.js";
import { AGENT_VERBS } from "../../support/engine/engine-agents.js";
import type { EngineLab } from "../../support/engine/engine-lab.js";
import { answer, CLEAN } from "../../support/landing/land-agents.js";
import { landLab } from "../../support/landing/land-lab.js";
import { LONG } from "../../support/long.js";
import { plantSecrets } from "../../support/secrets/planted-secrets.js";
import { leaksIn, objectsOf, plantIn, textsBelow } from "../../support/secrets/secret-places.js";
import { tempFolder } from "../../support/temp-folder.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 240_000 });

/**
 * What koryph cannot keep in when nothing shuts agents in: a secret that an agent encodes, splits or writes backwards;
 * one without a shape, and without a name before it; one in a binary file; what an agent sends over a network itself.
 * What it printed lies unchanged in the folder of its attempt, and what it committed in `repo.git` on this machine.
 */
const RAW =
  /^koryph-home\/projects\/lab\/(?:clones|repo\.git|engine\/[^/]+\/incoming\.git|runs\/.*\/(?:out\.jsonl|err\.log|agent))(?:\/|$)/;
/** Where they were planted, and what agents are made of. */
const PLANTED = /^(?:user|agents|koryph-home\/(?:app|signing))(?:\/|$)|^(?:looted|places|token)$/;

/** Prints all that this agent can get hold of: files, and the environment of the koryph that started it. */
const LOOT = `loot() {
  while read -r file; do cat "$file"; done <"$lab/places"
  at=$PPID
  while [ "$at" -gt 1 ]; do
    found=$(tr '\\0' '\\n' <"/proc/$at/environ" 2>/dev/null) || found=
    case $found in *PLANTED_WORLD=*) printf '%s\\n' "$found" ;; esac
    at=$(sed 's/.*) [A-Z] \\([0-9]*\\) .*/\\1/' "/proc/$at/stat")
  done
}
# In one line, for a text in JSON.
flat() { loot | tr -d '"\\\\' | tr '\\n' ' ' | cut -c1-30000; }
tell() { loot; loot >&2; loot >"$KORYPH_AGENT_DIR/SUMMARY.md"; }
`;

const QUOTING = `${LOOT}loot >&2
printf '{"blocking":true,"criteria":[],"findings":[{"severity":"blocking","file":"README.md","line":1,"summary":"%s"}]}\\n' "$(flat)"
`;

const AGENTS = {
  talks: {
    work: [
      `${LOOT}loot >"$lab/looted"\ntell\nsay working "$(flat)"\nexit 3\n`,
      `${LOOT}tell\ncommit one\nsay done "$(flat)"\n`,
    ],
    review: [QUOTING, CLEAN],
  },
  blocked: { work: [`${LOOT}tell\nsay blocked "$(flat)"\n`] },
  content: { work: [`${LOOT}loot >taken\nput more text\nsay done ''\n`] },
  gone: { work: [`${LOOT}loot >taken\nput more text\nrm taken\nput more again\nsay done ''\n`] },
  named: { work: [`put "$(cat "$lab/token")" text 'feat: more'\nsay done ''\n`] },
  worded: { work: [`put more text "feat: use $(cat "$lab/token")"\nsay done ''\n`] },
  signed: {
    work: [
      `put more text\ngit commit --quiet --amend --no-edit --author="$(cat "$lab/token") <a@b.example>"\nsay done ''\n`,
    ],
  },
  red: {
    work: [`put red text\nsay done ''\n`, `${LOOT}tell\ngit rm --quiet red\nput more text\nsay done ''\n`],
    review: [CLEAN],
  },
  titled: {
    work: ["commit one\nsay done ''\n"],
    review: [
      answer({ blocking: false, criteria: [{ id: "AC1", status: "satisfied", evidence: "README.md:1" }] }),
    ],
  },
} as const;

/** What must come of each, so that nobody takes a run that did nothing for one that kept its secrets. */
const ENDS = {
  talks: "merged",
  blocked: "blocked",
  content: "blocked",
  gone: "blocked",
  named: "blocked",
  worded: "blocked",
  signed: "blocked",
  red: "merged",
  titled: "merged",
};

const SECRETS = plantSecrets();
const token = SECRETS.find(({ name }) => name === "GitHub installation token in its new form")?.value ?? "";
const others = SECRETS.filter(({ hasShape, text }) => hasShape && !text.includes("\n"));
const secret = (index: number) => others[index]?.text ?? "";

function world(): EngineLab {
  const lab = landLab({
    agents: AGENTS,
    beads: {
      titled: {
        title: `use ${secret(0)}`,
        description: `with ${secret(1)}`,
        acceptance_criteria: `- ${secret(2)} works`,
      },
    },
    config: (top) => ({ gate: [`test ! -e red || { cat ${top}/loot; false; }`], max_concurrent_slots: 9 }),
  });
  const { files, env } = plantIn({ user: join(lab.top, "user"), home: lab.home }, SECRETS);
  writeFileSync(join(lab.top, "places"), files.map((file) => `${file}\n`).join(""));
  writeFileSync(join(lab.top, "token"), token);
  writeFileSync(join(lab.top, "loot"), SECRETS.map(({ text }) => `${text}\n`).join(""));
  lab.env = { ...env };
  return lab;
}

test("at least forty kinds are planted", () => expect(SECRETS.length).toBeGreaterThan(40));

describe("with nothing to shut agents in", () => {
  test("what they print, write and commit is shown, recorded, landed and pushed nowhere", async () => {
    const lab = world();
    const told = new Map<string, string>();
    const tell = async (...args: string[]) => {
      // What agents look for in its environment is in that of a process of its own.
      const { stdout, stderr } = await (args[0] === "run" ? lab.start(...args).ended : lab.koryph(...args));
      told.set(`koryph ${args.slice(0, 3).join(" ").slice(0, 24)}`, stdout + stderr);
    };
    await tell("run", "--auto-merge", "--review");
    expect(await lab.status(), told.get("koryph run --auto-merge --review")).toEqual(ENDS);
    const looted = new Map([["looted", readFileSync(join(lab.top, "looted"), "utf8")]]);
    expect(new Set(leaksIn(looted, SECRETS)).size).toBe(SECRETS.length);

    await tell("hold", "blocked", "until", secret(3));
    await tell("nudge", "blocked", `use ${secret(4)}`);
    await tell("inject", "titled", secret(5));
    await tell("retry", secret(6));
    for (const bead of LONG ? Object.keys(AGENTS) : ["blocked", "content", "named"])
      for (const verb of [
        ["tail"],
        ["show"],
        ["show", "--json"],
        ["diff"],
        ["diff", "--json"],
        ["diff", "--stat"],
      ])
        await tell(verb[0] ?? "", bead, ...verb.slice(1));
    for (const args of [["status"], ["log"], ["log", "--audit"], ["metrics"], ["doctor"], ["list"]])
      for (const form of [[], ["--json"]]) await tell(...args, ...form);
    for (const args of [["ledger", "check"], ["gc"], ["verify"]]) await tell(...args);
    await tell("report", "--out", join(lab.top, "report.html"));
    await tell("report", "--json");
    for (const bead of ["content", "named", "worded"]) await tell("land", bead);

    const files = textsBelow(lab.top, (path) => !RAW.test(path) && !PLANTED.test(path) && path !== "loot");
    // People's own words in the tracker are theirs.
    files.delete("checkout/.koryph/beads.jsonl");
    files.set("the remote", objectsOf(lab.remote));
    expect([...leaksIn(told, SECRETS), ...leaksIn(files, SECRETS)]).toEqual([]);
    expect(git(lab.remote, "for-each-ref", "--format=%(refname)", "refs/koryph/wip")).not.toMatch(
      /content|gone|named|worded|signed/,
    );
    for (const [place, words] of [
      ["koryph tail blocked", "[redacted]"],
      ["koryph diff content", "[redacted]"],
    ])
      expect(told.get(place ?? ""), place).toContain(words);
  });
});

const bubblewrap = await containmentHere();

describe.runIf(bubblewrap !== null)("with containment", () => {
  test("an agent cannot read those outside, and is given none", async () => {
    const lab = landLab({ agents: { one: { work: [""] } } });
    const { files, env } = plantIn({ user: join(lab.top, "user"), home: lab.home }, SECRETS);
    lab.env = { ...env };
    const places = files.map((file) => `cat '${file}' 2>/dev/null`).join("\n");
    const script = `#!/bin/sh
cat >/dev/null
${AGENT_VERBS}{ ${places}
env
cat /proc/[0-9]*/environ | tr '\\0' '\\n'
cat '${lab.root}/.git/config'
find / -name '*.jsonl' -o -name ledger.git -o -name '*.pem' 2>/dev/null
} >all 2>/dev/null
echo looked >>all
git add --all && git -c maintenance.auto=false commit --quiet -m 'feat: look'
say done ''
`;
    const agent = join(tempFolder(), "agent.sh");
    mkdirSync(join(lab.top, "elsewhere"));
    writeFileSync(agent, script, { mode: 0o755 });
    lab.configure({
      runtimes: { shell: { command: ["/bin/sh", agent] } },
      containment: "required",
      gate: ["true"],
    });
    git(lab.root, "add", "--all");
    git(lab.root, "commit", "--quiet", "-m", "chore: shut in");
    git(lab.root, "push", "--quiet", "origin", "main");
    const { stdout } = await lab.start("run").ended;
    expect(await lab.status(), stdout).toEqual({ one: "merge-pending" });
    const all = git(join(lab.projectHome, "repo.git"), "show", "agent/one:all");
    expect(all).toContain("looked");
    expect(all).toContain("KORYPH_BEAD=one");
    expect(all).not.toContain("ledger.git");
    expect(leaksIn(new Map([["agent", all]]), SECRETS)).toEqual([]);
  });
});
