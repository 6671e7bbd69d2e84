// The generated part of docs/security.md: what guard and sandbox make of the spellings that were executed.
// By itself it prints that part. `npm run test:long` holds the record to what really happens.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const RECORD = new URL("../test/support/red-team/layers.json", import.meta.url);

/** Order and words of the families. */
const FAMILIES = {
  push: "pushing",
  "default-branch": "moving the default branch",
  environment: "reading the engine's environment",
  credentials: "reading secrets",
  socket: "sockets: ssh-agent, docker, abstract ones",
  outside: "writing outside",
  processes: "ending other processes",
  network: "connecting to the machine",
  escape: "getting out of the sandbox",
  kernel: "settings of the kernel's",
  "own-key": "showing the agent's own key",
};

/** What no layer can keep from an agent that has to reach its model. It counts where nothing worse happens. */
const OWN_KEY = "its own key is shown";

const PLACES = {
  ...{
    root: "/srv",
    operator: "/home/op",
    engine: "/home/op/.koryph",
    remote: "/srv/git/p.git",
    port: "4311",
  },
  ...{ home: "/home/op/.koryph/projects/p/homes/gh-1", other: "/home/op/.koryph/projects/p/worktrees/other" },
  ...{ repo: "/home/op/.koryph/projects/p/repo.git", abstract: "x", docker: "/var/run/docker.sock" },
  agent: "/run/user/1000/keyring/ssh",
};

const EXAMPLES = 2;
const LETTERS = 72;

export function layersTable(record = JSON.parse(readFileSync(RECORD, "utf8"))) {
  const rows = record.map(withWorst);
  const unknown = rows.filter(({ family }) => !(family in FAMILIES)).map(({ family }) => family);
  if (unknown.length > 0) throw new Error(`no words for the families ${[...new Set(unknown)].join(", ")}`);
  const harmful = rows.filter(({ bare }) => bare !== "");
  const head = ["family", "executed", "harmful", "both stop", "guard alone", "sandbox alone", "neither"];
  const line = (name, all) => {
    const harm = all.filter(({ bare }) => bare !== "");
    const count = (layer) => harm.filter((row) => stoppedBy(row) === layer).length;
    return [name, all.length, harm.length, ...["both", "guard", "sandbox", "neither"].map(count)];
  };
  const lines = Object.entries(FAMILIES).map(([family, words]) =>
    line(
      words,
      rows.filter((row) => row.family === family),
    ),
  );
  const ruler = ["---", ...head.slice(1).map(() => "---:")];
  const table = [head, ruler, ...lines, line("all", rows)].map((cells) => `| ${cells.join(" | ")} |`);
  const alone = (layer) =>
    Object.entries(FAMILIES).flatMap(([family, words]) => {
      const found = harmful.filter(
        (row) => row.family === family && stoppedBy(row) === layer && isShort(row),
      );
      const shown = found.slice(0, EXAMPLES).map((row) => `\`${typed(row)}\``);
      return shown.length === 0 ? [] : [`- ${words}: ${shown.join(", ")}`];
    });
  const through = [
    ...harmful.filter((row) => stoppedBy(row) === "neither"),
    // They do worse outside the sandbox, where that is all that is left of them.
    ...record.filter(
      ({ guard, bare, contained }) => guard !== "deny" && contained === OWN_KEY && bare !== OWN_KEY,
    ),
  ];
  return [
    `koryph's tests execute ${rows.length} spellings of what an agent may not do, as root and as a plain user, in a world`,
    "where everything worth taking or breaking is watched. A spelling is harmful when it does harm there with no",
    "layer in its way. The guard stops one by denying the call; the sandbox stops one by making it do nothing.",
    "",
    ...table,
    "",
    "The guard leaves to the sandbox, for example:",
    "",
    ...alone("sandbox"),
    "",
    "The sandbox has nothing against these, and the guard denies them:",
    "",
    ...alone("guard"),
    "",
    "### Not stopped by either",
    "",
    ...(through.length === 0
      ? ["None of them."]
      : [
          "An agent holds the key by which it reaches its own model, so it can tell it in more ways than the guard reads.",
          "",
          ...through.map((row) => `- ${row.contained}: ${code(typed(row))}`),
        ]),
    "",
  ].join("\n");
}

function withWorst(row) {
  if (row.bare === OWN_KEY) return { ...row, family: "own-key" };
  const without = (effects) =>
    effects
      .split(", ")
      .filter((effect) => effect !== OWN_KEY)
      .join(", ");
  return { ...row, bare: without(row.bare), contained: without(row.contained) };
}

/** Which of the layers keep a harmful spelling from its harm. */
function stoppedBy({ guard, contained }) {
  if (guard === "deny") return contained === "" ? "both" : "guard";
  return contained === "" ? "sandbox" : "neither";
}

function typed({ command }) {
  return command.replace(/%([a-z]+)%/g, (all, name) => PLACES[name] ?? all);
}

/** A command with all its quotes, in one line. */
function code(text) {
  const line = text.replaceAll("\n", " ");
  const ticks = line.includes("`") ? "``" : "`";
  return `${ticks}${line}${ticks}`;
}

/** Fits into a line, and needs no care in Markdown. */
function isShort(row) {
  return typed(row).length <= LETTERS && !/[`\n|]/.test(row.command);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) process.stdout.write(layersTable());
