import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { git } from "../../support/cli/project.js";
import { containmentHere } from "../../support/contained.js";
import { EngineLab } from "../../support/engine/engine-lab.js";
import { LONG, longTest } from "../../support/long.js";
import { injectedOrders, obeyingAgent, ordered, whereLine } from "../../support/red-team/injected-orders.js";
import { tempFolder } from "../../support/temp-folder.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 240_000 });

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

/** Ways by which a stranger's words come before an agent, and which orders each carries. */
const CHANNELS: Readonly<Record<string, (orders: readonly string[]) => object>> = {
  described: (orders) => ({ description: orders.map(ordered).join("\n") }),
  criteria: (orders) => ({ acceptance_criteria: orders.map((order) => `- ${ordered(order)}`).join("\n") }),
  title: () => ({ title: ordered("sh notes/all.sh") }),
  files: () => ({ description: "READ-FILES" }),
  names: () => ({ description: "READ-NAMES" }),
  log: () => ({ description: "READ-LOG" }),
  output: () => ({ description: "READ-OUTPUT" }),
  diff: () => ({ description: "WRITE-DIFF" }),
};
const SHORT = ["described", "files", "diff"];

async function world(
  channels: readonly string[],
  orders: (lab: EngineLab, port: number) => readonly string[],
) {
  const heard: string[] = [];
  const server = createServer((socket) => {
    heard.push("somebody connected");
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const lab = new EngineLab({
    agents: Object.fromEntries(["other", ...channels].map((name) => [name, ""])),
    remote: true,
  });
  const lines = orders(lab, port);
  const secret = join(lab.top, "user", ".ssh", "id_ed25519");
  mkdirSync(dirname(secret), { recursive: true });
  writeFileSync(secret, "the operator's key\n");
  const agent = join(tempFolder(), "agent.sh");
  writeFileSync(agent, obeyingAgent(join(lab.top, "agents")), { mode: 0o755 });
  lab.env = { ENGINE_ONLY: "1" };
  lab.configure({
    runtimes: { shell: { command: ["/bin/bash", agent] } },
    containment: "required",
    merge_policy: "auto",
    max_concurrent_slots: 8,
  });
  const files = {
    "notes/orders": lines.map((line) => `${ordered(line)}\n`).join(""),
    "notes/all.sh": lines.map((line) => `( ${line} )\n`).join(""),
    "tools/status.sh": "cat notes/orders\n",
    [`names/${ordered("sh notes/all.sh")}`.replace("names/", "names/x ").replace("notes/all.sh", "all.sh")]:
      "x\n",
    "all.sh": lines.map((line) => `( ${line} )\n`).join(""),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(lab.root, path)), { recursive: true });
    writeFileSync(join(lab.root, path), text);
  }
  git(lab.root, "add", "--all");
  git(lab.root, "commit", "--quiet", "-m", `chore: set up\n\n${lines.map(ordered).join("\n")}`);
  git(lab.root, "push", "--quiet", "origin", "main");
  lab.writeBeads(Object.fromEntries(channels.map((name) => [name, CHANNELS[name]?.(lines) ?? {}])));
  return { lab, heard };
}

/** Orders that end in a commit, each given to an agent of its own. */
const COMMITTED = [
  "write a workflow",
  "change the project's settings",
  "change the notes for agents",
  "leave a link",
  "leave a submodule",
];

/** All that agents printed, by bead. */
function printed(lab: EngineLab, bead: string): string {
  const runs = join(lab.projectHome, "runs");
  return readdirSync(runs, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("out.jsonl") && path.split("/").includes(bead))
    .map((path) => readFileSync(join(runs, path), "utf8"))
    .join("\n");
}

/** What nobody but koryph and the operator may change. */
function outside(lab: EngineLab): object {
  const refs = (folder: string, ...names: string[]) =>
    git(folder, "for-each-ref", "--format=%(refname) %(objectname)", ...names);
  return {
    remote: [refs(lab.remote, "refs/heads", "refs/tags"), refs(lab.remote, "refs/koryph/receipts")],
    checkout: [
      git(lab.root, "rev-parse", "HEAD"),
      refs(lab.root, "refs/heads"),
      git(lab.root, "status", "--porcelain"),
    ],
    hooks: readdirSync(join(lab.root, ".git", "hooks")).filter((name) => !name.endsWith(".sample")),
  };
}

const bubblewrap = await containmentHere();

describe.runIf(bubblewrap !== null)("an agent that obeys whatever it reads", () => {
  test("does so where nothing of the machine is in sight", async () => {
    const { lab } = await world(["described"], ({ workFile }) => [whereLine(workFile)]);
    const { stdout } = await lab.start("run").ended;
    const said = printed(lab, "described");
    expect(said, stdout).toContain("orders: 1");
    const [processes = "", uid = "", canary = ""] = said.split("orders: 1\n")[1]?.split("\n") ?? [];
    expect(Number(processes)).toBeLessThan(12);
    expect(uid).toMatch(/^\d+$/);
    expect(canary).toBe("unseen");
  });

  test("changes nothing outside, posts nothing, approves nothing and lands nothing protected", async () => {
    const channels = LONG ? Object.keys(CHANNELS) : SHORT;
    let most = 0;
    const { lab, heard } = await world(channels, (made, port) => {
      const { top, root, remote, home, projectHome: project, workFile } = made;
      const orders = Object.values(
        injectedOrders({ top, root, remote, home, project, workFile, main: MAIN, port }),
      );
      most = orders.length;
      return orders;
    });
    expect(most).toBeGreaterThan(30);
    const before = outside(lab);
    const { stdout } = await lab.start("run", "--auto-merge", "--review").ended;
    const found = await lab.status();
    const many = { described: most, criteria: most, files: most, log: most, output: most, diff: most };
    for (const bead of channels) {
      expect(printed(lab, bead), `${bead}\n${stdout}`).toContain(
        `orders: ${(many as Record<string, number>)[bead] ?? 1}`,
      );
      expect(printed(lab, bead), bead).not.toMatch(/saw |operator's key|not shut in/);
    }
    const landed = channels.filter((bead) => found[bead] === "merged");
    // A reviewer that obeys calls everything clean, so what touches nothing protected lands.
    expect(landed).toEqual(channels.filter((bead) => bead === "diff"));
    expect(found.other).toBe("blocked");

    if (landed.length === 0) expect(outside(lab)).toEqual(before);
    const changed = git(lab.remote, "diff", "--name-only", git(lab.root, "rev-parse", "HEAD").trim(), "main");
    expect(changed.split("\n").filter((path) => path !== "" && !path.startsWith("for-the-reviewer"))).toEqual(
      [],
    );
    expect({ ...outside(lab), remote: null }).toEqual({ ...before, remote: null });
    expect(git(lab.remote, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags")).toBe(
      "refs/heads/main\n",
    );
    expect(git(lab.remote, "for-each-ref", "refs/koryph/wip/other")).toBe("");
    expect(heard).toEqual([]);
    expect(existsSync(join(lab.top, "owned"))).toBe(false);
    const clone = join(lab.projectHome, "clones", "other");
    expect(existsSync(join(clone, "owned"))).toBe(false);
    // No git is run in a clone: its settings are the agent's.
    const branches = git(
      join(lab.projectHome, "repo.git"),
      "for-each-ref",
      "--format=%(refname) %(subject)",
      "refs/heads",
    );
    expect(branches).not.toMatch(/evil|agent\/other .*owned/);

    const beads = lab.workLines().map(({ id, status }) => [id, status]);
    const closed = (bead: string) =>
      landed.includes(bead) ? "closed" : expect.not.stringContaining("closed");
    expect(beads).toEqual(["other", ...channels].map((bead) => [bead, closed(bead)]));
    const log = await lab.log();
    const asked = log.filter(
      ({ type }) => /^(control|hold|approval)\./.test(type) || type === "slot.retried",
    );
    expect(asked).toEqual([]);
    expect(log.filter(({ bead, type }) => bead === "other" && /^land\./.test(type))).toEqual([]);
  });

  longTest("lands none of what it was told to commit, each by itself", async () => {
    const names = COMMITTED.map((_, index) => `alone-${index}`);
    let alone: readonly string[] = [];
    const { lab } = await world(names, (made, port) => {
      const { top, root, remote, home, projectHome: project, workFile } = made;
      const orders = injectedOrders({ top, root, remote, home, project, workFile, main: MAIN, port });
      alone = COMMITTED.map((name) => orders[name] ?? "");
      return [];
    });
    lab.writeBeads(
      Object.fromEntries(names.map((name, index) => [name, { description: ordered(alone[index] ?? "") }])),
    );
    const { stdout } = await lab.start("run", "--auto-merge", "--review").ended;
    const found = await lab.status();
    expect(
      COMMITTED.map((order, index) => [order, found[`alone-${index}`]]),
      stdout,
    ).toEqual(COMMITTED.map((order) => [order, "blocked"]));
  });
});
