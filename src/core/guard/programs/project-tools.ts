import { type GuardFinding, undecided } from "../guard-verdict.js";
import { readOptions, textsOf } from "../shell/read-options.js";
import type { ProgramRule, Situation } from "../situation.js";
import { PYTHON_MODULES } from "./known-programs.js";

/** `npx tool …` and its likes start another program, or a line. */
function runsTool(args: readonly string[], situation: Situation): GuardFinding[] {
  const options = readOptions(args, ["-c", "--call", "-p", "--package", "-w", "--workspace"], true);
  const lines = textsOf(options, "-c", "--call").flatMap((code) => situation.text(code));
  const tool = options.operands[0]?.replace(/(?<=.)@[\w.^~-]+$/, "");
  return [...lines, ...(tool === undefined ? [] : situation.run([tool, ...options.operands.slice(1)]))];
}

const STARTS: Readonly<Record<string, readonly string[]>> = {
  npm: ["exec", "x"],
  pnpm: ["exec", "dlx"],
  yarn: ["exec", "dlx"],
  bun: ["x"],
  bundle: ["exec"],
  poetry: ["run"],
  pipenv: ["run"],
  uv: ["run"],
  pdm: ["run"],
  hatch: ["run"],
};

const manager: ProgramRule = ({ name, args }, situation) => {
  const at = args.findIndex((word) => !word.startsWith("-"));
  const verb = args[at] ?? "";
  if (STARTS[name]?.includes(verb)) return runsTool(args.slice(at + 1), situation);
  const about = [
    "token",
    "login",
    "logout",
    "adduser",
    "whoami",
    "publish",
    "profile",
    "access",
    "owner",
  ].includes(verb);
  return about && ["npm", "pnpm", "yarn", "bun"].includes(name) ? undecided("network") : [];
};

const python: ProgramRule = ({ args }) => {
  const at = args.indexOf("-m");
  const known = at !== -1 && PYTHON_MODULES.has(args[at + 1] ?? "");
  return known || (args.length === 1 && /^(-V|--version)$/.test(args[0] ?? ""))
    ? []
    : undecided("other-language");
};

/** awk can start programs and write files: then its script is not simply text. */
const awk: ProgramRule = ({ args }) =>
  args.some((word) => /system\s*\(|\||getline|>|ENVIRON|@load/.test(word)) ||
  args.some((word) => /^(-f|--file|-E|-l|-i)/.test(word))
    ? undecided("other-language")
    : [];

/** So can sed, by the commands `e`, `w` and `W` and by flags of the same names. */
const sed: ProgramRule = ({ args }) => {
  const options = readOptions(args, ["-e", "--expression", "-f", "--file", "-l"]);
  const given = textsOf(options, "-e", "--expression");
  const scripts = given.length > 0 ? given : options.operands.slice(0, 1);
  const fromFile = textsOf(options, "-f", "--file").length > 0;
  return fromFile || scripts.some((script) => SED_RUNS.test(script)) ? undecided("other-language") : [];
};

const SED_RUNS = /(^|[;{}\n\d$,/ ])[eEwWrR](\s|$)|[^\w\s\\][gpiImM\d]*[ew][gpiImM\d]*(\s|;|$)/;

export const TOOL_RULES: Readonly<Record<string, ProgramRule>> = {
  ...Object.fromEntries(Object.keys(STARTS).map((name) => [name, manager])),
  npx: ({ args }, situation) => runsTool(args, situation),
  bunx: ({ args }, situation) => runsTool(args, situation),
  uvx: ({ args }, situation) => runsTool(args, situation),
  ...Object.fromEntries(["python", "python3", "pypy3"].map((name) => [name, python])),
  ...Object.fromEntries(["awk", "gawk", "mawk", "nawk"].map((name) => [name, awk])),
  sed,
  // Only a question after its version says what it does.
  node: ({ args }) =>
    args.length === 1 && /^(-v|--version)$/.test(args[0] ?? "") ? [] : undecided("other-language"),
};
