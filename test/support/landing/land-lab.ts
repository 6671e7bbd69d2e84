import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { git } from "../cli/project.js";
import { EngineLab, type LedgerLine } from "../engine/engine-lab.js";
import { processesOf } from "../engine/engine-processes.js";
import { LAND_AGENT } from "./land-agents.js";

/** What a bead's agents do, by what they are started for and by how often; one text is for implementing alone. */
type Behaviour = string | Readonly<Record<string, readonly string[]>>;

interface LandSeed {
  readonly agents: Readonly<Record<string, Behaviour>>;
  readonly beads?: Readonly<Record<string, object>>;
  /** Laid over the project's settings; it may name paths below the lab's own folder. */
  readonly config?: (top: string) => object;
  /** Further files of the first commits, by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly remote?: boolean;
}

/** A lab whose project lands by itself what it is asked to land, and whose gate refuses a file named `red`. */
export function landLab({ agents, beads = {}, config = () => ({}), files = {}, remote = true }: LandSeed) {
  const plain = Object.fromEntries(Object.keys(agents).map((bead) => [bead, ""]));
  const lab = new EngineLab({ agents: plain, beads, remote });
  writeFileSync(join(lab.top, "agent.sh"), LAND_AGENT, { mode: 0o755 });
  for (const [bead, behaviour] of Object.entries(agents)) {
    const tasks = typeof behaviour === "string" ? { work: [behaviour] } : behaviour;
    for (const [task, texts] of Object.entries(tasks))
      for (const [index, text] of texts.entries()) lab.behave(`${bead}.${task}.${index + 1}`, text);
  }
  lab.configure({
    merge_policy: "auto",
    gate: ["test ! -e red"],
    max_concurrent_slots: 8,
    ...config(lab.top),
  });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(lab.root, path), text);
  git(lab.root, "add", "--all");
  git(lab.root, "commit", "--quiet", "-m", "chore: settings");
  if (remote) git(lab.root, "push", "--quiet", "origin", "main");
  return lab;
}

/** Where the default branch is. */
export function home(lab: EngineLab): string {
  return existsSync(lab.remote) ? lab.remote : lab.root;
}

export function mainTip(lab: EngineLab): string {
  return git(home(lab), "rev-parse", "main").trim();
}

/** Subjects of a range of the default branch, oldest first. */
export function subjects(lab: EngineLab, range = "main"): string[] {
  return git(home(lab), "log", "--reverse", "--format=%s", range).trimEnd().split("\n");
}

/** Somebody else's commit on the default branch: `text` in `path`. */
export function pushAside(lab: EngineLab, path: string, text: string): string {
  const folder = existsSync(lab.remote) ? join(lab.top, "colleague") : lab.root;
  if (!existsSync(folder)) git(lab.top, "clone", "--quiet", lab.remote, folder);
  if (folder !== lab.root) git(folder, "pull", "--quiet", "--ff-only");
  writeFileSync(join(folder, path), `${text}\n`);
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "-m", `fix: ${path} of a colleague`);
  if (folder !== lab.root) git(folder, "push", "--quiet", "origin", "HEAD:main");
  return git(folder, "rev-parse", "HEAD").trim();
}

/** The prompt of the nth agent of a bead that was started for a task. */
export function prompt(lab: EngineLab, bead: string, task: string, n: number): string {
  return readFileSync(join(lab.top, "starts", `${bead}.${task}.${n}.prompt`), "utf8");
}

/** How the sessions of a bead's agents for a task began, in order: `new <id>` or `resume <id>`. */
export function sessions(lab: EngineLab, bead: string, task: string): string[] {
  const file = join(lab.top, "starts", `${bead}.${task}`);
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
}

/** The head that the bead's last agent left in its clone. */
export function agentHead(lab: EngineLab, bead: string): string {
  return readFileSync(join(lab.top, "starts", `${bead}.head`), "utf8").trim();
}

/** What the ledger has about a bead, of one type. */
export function told(log: readonly LedgerLine[], bead: string, type: string): LedgerLine["data"][] {
  return log.flatMap((line) => (line.bead === bead && line.type === type ? [line.data] : []));
}

/** Refusals of a bead's landings, as `result` or `error: code`. */
export function refusals(log: readonly LedgerLine[], bead: string): string[] {
  return told(log, bead, "land.refused").map(({ result, code }) =>
    result === "error" ? `error: ${String(code)}` : String(result),
  );
}

/**
 * The bead is on the default branch, once, as the ledger has it; it is closed with that commit, and nothing of it is
 * left behind. Returns the commit.
 */
export function expectLanded(lab: EngineLab, log: readonly LedgerLine[], bead: string): string {
  const landed = told(log, bead, "land.landed");
  expect(landed, bead).toHaveLength(1);
  const head = String(landed[0]?.head);
  expect(git(home(lab), "merge-base", "main", head).trim(), bead).toBe(head);
  const line = lab.workLines().find(({ id }) => id === bead);
  expect(line, bead).toMatchObject({ status: "closed", close_reason: `landed: ${head}` });
  expect(lab.names("clones"), bead).not.toContain(bead);
  expect(refsOf(lab, bead), bead).toEqual([]);
  return head;
}

/** The bead's receipts in the chain: their commits. Each says where it stands, and what landed. */
export function receiptsOf(lab: EngineLab, bead: string): string[] {
  const chain = git(home(lab), "log", "--format=%H %P %s", "refs/koryph/receipts").trimEnd().split("\n");
  return chain.flatMap((line) => {
    const [, commit = "", previous = "", of] = /^(\w+) (\w*) ?receipt of ([^:]+): /.exec(line) ?? [];
    const { predicate } = JSON.parse(git(home(lab), "show", `${commit}:statement.json`));
    expect([predicate.previous ?? "", predicate.bead.id]).toEqual([previous, of]);
    return of === bead ? [commit] : [];
  });
}

/** Branch, candidate, kept tips and saved work of a bead, wherever they are. */
export function refsOf(lab: EngineLab, bead: string): string[] {
  return [join(lab.projectHome, "repo.git"), home(lab)].flatMap((repo) =>
    git(repo, "for-each-ref", "--format=%(refname)")
      .split("\n")
      .filter((ref) => ref.startsWith("refs/") && ref.split("/").includes(bead)),
  );
}

/** No agent, gate or lander lives, and no checkout of theirs is left. */
export async function expectQuiet(lab: EngineLab): Promise<void> {
  await expect.poll(() => processesOf(lab.top), { timeout: 20_000 }).toEqual([]);
  const shown = (...path: string[]) => lab.names(...path).filter((name) => !name.startsWith("."));
  for (const passing of ["checks", "making", "trash"]) expect(shown(passing), passing).toEqual([]);
  for (const bead of shown("scratch")) expect(shown("scratch", bead), bead).toEqual([]);
}

/** What `koryph land --json` says, and its exit code. */
export async function land(lab: EngineLab, bead: string, ...flags: string[]) {
  const { code, stdout, stderr } = await lab.koryph("land", bead, "--json", ...flags);
  const said = stdout.startsWith("{") ? (JSON.parse(stdout) as Record<string, unknown>) : {};
  return { code, said, stderr };
}
