import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SRC = fileURLToPath(new URL("../../src", import.meta.url));

/** What only surfaces know. */
const EDGE = ["adapters", "sandbox", "wiring"];

/** Which folders of src each folder may import from, besides itself. The arrows of the architecture. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  core: ["lib"],
  ports: ["lib", "core"],
  landing: ["lib", "core", "ports"],
  pulls: ["lib", "core", "ports", "landing"],
  comments: ["lib", "core", "ports", "landing", "pulls"],
  engine: ["lib", "core", "ports", "landing", "pulls"],
  adapters: ["lib", "core", "ports"],
  sandbox: ["lib", "core", "ports"],
  guard: ["lib", "core"],
  wiring: ["lib", "core", "ports", "landing", "pulls", "engine", "adapters"],
  cli: [...["lib", "core", "ports", "landing", "pulls", "comments", "engine"], ...EDGE, "app"],
  app: [...["lib", "core", "ports", "landing", "pulls", "comments", "engine"], ...EDGE],
  action: [...["lib", "core", "ports", "landing", "pulls", "comments", "engine"], ...EDGE, "app"],
};

/**
 * The same inside core, room by room: each may import only rooms that stand before it in this list, so that none
 * reach each other in a circle. Rules return codes and data, and replies puts them into words for people: it may
 * look at every room, and no rule looks at it. `index` is the package's door.
 */
const ROOMS_OF_CORE: Readonly<Record<string, readonly string[]>> = {
  redact: [],
  contain: [],
  model: [],
  govern: ["model"],
  sign: [],
  guard: [],
  batches: ["model"],
  commands: ["model", "redact"],
  recovery: ["model"],
  issues: ["commands", "model"],
  schedule: ["govern", "model"],
  runtimes: ["contain", "govern", "guard", "model"],
  route: ["runtimes"],
  land: ["model", "redact", "runtimes"],
  config: ["commands", "contain", "govern", "land", "model", "route"],
  usage: ["config", "govern", "model", "runtimes"],
  prompt: ["land", "model", "redact"],
  review: ["prompt", "redact", "runtimes"],
  receipts: ["land"],
  "run/ledger": ["config", "contain", "govern", "land", "model", "receipts", "redact", "route", "schedule"],
  "run/plan": ["config", "govern", "model", "route", "run/ledger", "runtimes", "schedule"],
  "run/metrics": ["govern", "model", "run/ledger", "run/plan"],
  "run/tick": [
    "config",
    "contain",
    "govern",
    "land",
    "model",
    "route",
    "run/ledger",
    "run/plan",
    "runtimes",
    "schedule",
  ],
  control: ["commands", "land", "model", "redact", "review", "run/ledger", "run/tick"],
  jobs: ["land", "model", "run/ledger"],
  doctor: ["config", "contain", "govern", "land", "model"],
  setup: ["issues", "model"],
  replies: [
    ...[
      "batches",
      "commands",
      "config",
      "contain",
      "control",
      "doctor",
      "govern",
      "guard",
      "jobs",
      "land",
      "model",
      "prompt",
      "receipts",
      "redact",
      "review",
    ],
    ...[
      "govern",
      "run/ledger",
      "run/metrics",
      "run/plan",
      "run/tick",
      "runtimes",
      "schedule",
      "setup",
      "sign",
      "usage",
    ],
  ],
  index: [
    "config",
    "govern",
    "land",
    "model",
    "prompt",
    "replies",
    "review",
    "route",
    "runtimes",
    "schedule",
  ],
};

/** Packages each folder may import. Adapters and surfaces are free: that is where SDKs live. */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  lib: ["mdast-util-from-markdown", "unbash"],
  core: ["zod"],
  ports: [],
  landing: [],
  pulls: [],
  comments: [],
  engine: [],
};

/** What would make a rule depend on when and where it runs. */
const IMPURE =
  /\b(Date\.now|new Date\(\)|Math\.random|performance\.|fetch\(|setTimeout|setInterval|globalThis|crypto\.)/;

/** A rule may speak of an agent's process; what Node's own one has gives the other away. */
const NODES_PROCESS = new RegExp(
  `(?<![.\\w])process(\\[|\\.(${Object.getOwnPropertyNames(process)
    .filter((name) => /^\w+$/.test(name))
    .join("|")})\\b)`,
);

/** An import, the rest of an `export … from`, or an import in the middle of things; not a sentence with "from". */
const IMPORT = /^import\b[^"]*"([^"]+)"|^(?:export\b[^"\n]*|\}) from "([^"]+)"|\bimport\("([^"]+)"/gm;

/** A schema and its type share a name, and a file. */
const EXPORT = /^export (?:async |abstract )*(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;

interface Import {
  readonly file: string;
  readonly folder: string;
  readonly target: string;
}

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const imports: Import[] = files.flatMap((file) => {
  const text = readFileSync(join(SRC, file), "utf8");
  const targets = [...text.matchAll(IMPORT)].map(([, whole, rest, late]) => whole ?? rest ?? late ?? "");
  return targets.map((target) => ({ file, folder: file.split("/")[0] ?? "", target }));
});

const betweenRooms = imports.flatMap(({ file, target }) => {
  const from = roomOf(file);
  const to = target.startsWith(".") ? roomOf(relative(SRC, join(SRC, file, "..", target))) : null;
  return from === null || to === null || from === to ? [] : [{ file, target, from, to }];
});

test("every folder of src is one the rules know", () => {
  const folders = new Set(files.map((file) => file.split("/")[0]));
  expect(Object.keys(MAY_IMPORT)).toEqual(expect.arrayContaining([...folders]));
});

test("imports between folders follow the arrows", () => {
  const wrong = imports.filter(({ file, folder, target }) => {
    if (!target.startsWith(".")) return false;
    const to = relative(SRC, join(SRC, file, "..", target)).split("/")[0] ?? "";
    return to !== folder && !MAY_IMPORT[folder]?.includes(to);
  });
  expect(wrong).toEqual([]);
});

test("only the command that people give buys batches: no run, server or Action reaches the code that does", () => {
  const buys = /(^|\/)batches\//;
  const users = imports.filter(({ file, target }) => buys.test(target) && !buys.test(file));
  expect([...new Set(users.map(({ file }) => file))]).toEqual(["cli/commands/accounts/batch.ts"]);
});

test("every room of core is one the rules know, and stands after the rooms it may import", () => {
  const known = Object.keys(ROOMS_OF_CORE);
  const rooms = new Set(files.flatMap((file) => roomOf(file) ?? []));
  expect([...rooms].sort()).toEqual([...known].sort());
  for (const [room, others] of Object.entries(ROOMS_OF_CORE))
    expect(others.filter((other) => known.indexOf(other) >= known.indexOf(room))).toEqual([]);
});

test("imports between the rooms of core follow their arrows", () => {
  const wrong = betweenRooms.filter(({ from, to }) => !ROOMS_OF_CORE[from]?.includes(to));
  expect(wrong).toEqual([]);
});

test("no arrow between rooms is drawn that nobody goes along", () => {
  const gone = Object.entries(ROOMS_OF_CORE).flatMap(([from, others]) =>
    others
      .filter((to) => !betweenRooms.some((each) => each.from === from && each.to === to))
      .map((to) => `${from} -> ${to}`),
  );
  expect(gone).toEqual([]);
});

test("rules, ports and flows use no package but those named for them", () => {
  const wrong = imports.filter(({ folder, target }) => {
    if (target.startsWith(".") || MAY_USE[folder] === undefined) return false;
    return !MAY_USE[folder].includes(target);
  });
  expect(wrong).toEqual([]);
});

test("built-in modules are imported with their prefix, so that the rule above sees them", () => {
  expect(imports.filter(({ target }) => builtinModules.includes(target))).toEqual([]);
});

test("core and lib see no clock, environment, network or random number", () => {
  const impure = files
    .filter((file) => file.startsWith("core/") || file.startsWith("lib/"))
    .filter((file) => {
      const text = withoutComments(readFileSync(join(SRC, file), "utf8"));
      return IMPURE.test(text) || NODES_PROCESS.test(text);
    });
  expect(impure).toEqual([]);
});

test.each([
  { text: "const home = process.env.HOME", impure: true },
  { text: 'process["argv"]', impure: true },
  { text: "process.hrtime.bigint()", impure: true },
  { text: 'if (process.kind === "alive") return process.identity', impure: false },
  { text: "slot.process.pid", impure: false },
])("a rule that says $text is told apart", ({ text, impure }) => {
  expect(NODES_PROCESS.test(text)).toBe(impure);
});

test("no two exported things share a name", () => {
  const homes = new Map<string, string[]>();
  for (const file of files) {
    const exported = readFileSync(join(SRC, file), "utf8").matchAll(EXPORT);
    for (const name of new Set([...exported].map(([, found]) => found ?? "")))
      homes.set(name, [...(homes.get(name) ?? []), file]);
  }
  expect([...homes].filter(([, places]) => places.length > 1)).toEqual([]);
});

test("no file is named after nothing in particular", () => {
  expect(files.filter((file) => /(utils?|helpers?|manager|service)s?\.ts$/.test(file))).toEqual([]);
});

/** Null for what is not in core. */
function roomOf(file: string): string | null {
  const [folder, room = "", inner = ""] = file.split("/");
  if (folder !== "core") return null;
  return room === "run" ? `run/${inner}` : room.replace(/\.[jt]s$/, "");
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
