import { readShell } from "../../lib/shell/read-shell.js";
import type { ScriptWord, ShellCommand } from "../../lib/shell/shell-command.js";
import type { GuardFacts } from "./guard-facts.js";
import { denied, type GuardFinding, undecided } from "./guard-verdict.js";
import { judgeArgv } from "./judge-argv.js";
import { judgeVariable } from "./judge-variable.js";
import { judgePath, type PathUse } from "./paths/judge-path.js";
import { openPath, shownPath } from "./paths/open-path.js";
import { isSecretName } from "./programs/shells.js";
import { expandText, expandWord } from "./shell/expand-word.js";
import { LineVariables, printed } from "./shell/line-variables.js";
import { isKnown } from "./shell/open-text.js";
import type { Situation } from "./situation.js";

/** Shells in shells in shells: nobody who means well goes this deep. */
const DEPTH = 10;
/** So many commands are looked at, in all texts of one call. */
const BUDGET = 4000;

interface Shared {
  readonly facts: GuardFacts;
  /** What files hold after the texts so far: null where that is not known. */
  readonly written: Map<string, string | null>;
  budget: number;
}

/** Everything that a shell's text would do. */
export function judgeShell(text: string, facts: GuardFacts): GuardFinding[] {
  const shared: Shared = { facts, written: new Map(), budget: BUDGET };
  return new TextJudge(shared, 0, new Set()).judge(text, facts.cwd);
}

/** Where the shell may be; the first place is the likely one. */
interface Place {
  readonly cwd: string | null;
  readonly scope: readonly number[];
  /** Where it is if a change of folder before this failed, or was not made. */
  readonly other: string | null | undefined;
  /** Everything since the change of folder ran only because it succeeded. */
  sure: boolean;
}

class TextJudge {
  readonly #shared: Shared;
  readonly #depth: number;
  readonly #functions: Set<string>;

  constructor(shared: Shared, depth: number, functions: ReadonlySet<string>) {
    this.#shared = shared;
    this.#depth = depth;
    this.#functions = new Set(functions);
  }

  judge(text: string, cwd: string | null): GuardFinding[] {
    if (this.#depth > DEPTH) return undecided("too-deep");
    if (!isKnown(text))
      return [
        ...undecided("unknown-words"),
        ...this.#read(text.replaceAll(/[\0-\u0002]/g, "$KORYPH_UNKNOWN"), cwd),
      ];
    return this.#read(text, cwd);
  }

  #read(text: string, cwd: string | null): GuardFinding[] {
    const { commands, functions, whole } = readShell(text);
    for (const name of functions) this.#functions.add(name);
    const variables = new LineVariables(commands, this.#shared.facts);
    const places: Place[] = [{ cwd, scope: [], other: undefined, sure: true }];
    const findings = whole ? [] : undecided("broken-text");
    for (const command of commands) {
      this.#shared.budget -= 1;
      if (this.#shared.budget < 0) return [...findings, ...undecided("too-deep")];
      findings.push(...this.#command(command, variables, places));
    }
    return findings;
  }

  #command(command: ShellCommand, variables: LineVariables, places: Place[]): GuardFinding[] {
    const place = placeOf(command, places);
    place.sure &&= command.afterSuccess;
    const situation = this.#situation(place.cwd);
    const ways = combined(command.words, variables);
    const findings = [
      ...shownSecrets(command, variables),
      ...command.assignments.flatMap(({ name, values }) =>
        (values ?? []).flatMap((word) =>
          expandText(word, variables).flatMap((value) => situation.variable(name, value)),
        ),
      ),
      ...this.#streams(command, variables, situation),
      ...ways.flatMap((argv) => this.#run(argv, this.#inputOf(command, variables), place)),
    ];
    for (const argv of ways) moved(argv, command, place, places, variables.home);
    return findings;
  }

  /** Judged where it runs; where it may run if things went otherwise, a denial is a doubt. */
  #run(
    argv: readonly string[],
    input: string | null | undefined,
    { cwd, other, sure }: Place,
  ): GuardFinding[] {
    const found = judgeArgv(argv, input, this.#situation(cwd));
    // What a function does is judged where it is written.
    const here = this.#functions.has(argv[0] ?? "") ? found.filter((each) => !isUnknownProgram(each)) : found;
    if (sure || other === undefined || other === cwd) return here;
    const there = judgeArgv(argv, input, this.#situation(other));
    return [...here, ...(there.some(({ kind }) => kind === "deny") ? undecided("unknown-folder") : [])];
  }

  #streams(command: ShellCommand, variables: LineVariables, situation: Situation): GuardFinding[] {
    return command.redirections.flatMap(({ way, target }) =>
      expandText(target, variables).flatMap((path) => {
        if (way !== "read" && isKnown(path)) this.#remember(path, command, variables, situation);
        const isNetwork = /^\/dev\/(tcp|udp)\//.test(path);
        if (isNetwork) return undecided("network");
        return situation.path(path, way === "read" ? "read" : "write");
      }),
    );
  }

  /** What a file holds that a later command may run. */
  #remember(typed: string, command: ShellCommand, variables: LineVariables, { cwd }: Situation): void {
    const path = openPath(typed, cwd);
    if (path) this.#shared.written.set(shownPath(path), printed(command, variables));
  }

  #inputOf(command: ShellCommand, variables: LineVariables): string | null | undefined {
    if (command.input !== null) {
      const [text, ...others] = expandText(command.input, variables);
      return others.length === 0 && text !== undefined ? text : null;
    }
    if (command.pipedFrom.length > 0) {
      const texts = command.pipedFrom.map((each) => printed(each, variables));
      return texts.every((text) => text !== null) ? texts.join("\n") : null;
    }
    return command.redirections.some(({ way }) => way === "read") ? null : undefined;
  }

  #situation(cwd: string | null): Situation {
    const { facts, written } = this.#shared;
    const deeper = (): TextJudge => new TextJudge(this.#shared, this.#depth + 1, this.#functions);
    const situation: Situation = {
      facts,
      cwd,
      run: (argv, change = {}) =>
        this.#depth > DEPTH
          ? undecided("too-deep")
          : deeper().#run(argv, change.input, {
              cwd: change.cwd === undefined ? cwd : change.cwd,
              scope: [],
              other: undefined,
              sure: true,
            }),
      text: (code) => deeper().judge(code, cwd),
      path: (typed: string, use: PathUse) => judgePath(typed, use, facts, cwd),
      variable: (name, value) => judgeVariable(name, value, situation),
      script: (typed) => {
        const path = openPath(typed, cwd);
        if (path === null || !path.every(isKnown))
          return [...judgePath(typed, "read", facts, cwd), ...undecided("unread-script")];
        const shown = shownPath(path);
        const text = written.has(shown) ? written.get(shown) : facts.files[shown];
        const read = judgePath(shown, "read", facts, cwd);
        if (text === undefined) return [...read, { kind: "needs", path: shown }];
        return [...read, ...(text === null ? undecided("unread-script") : deeper().judge(text, cwd))];
      },
    };
    return situation;
  }
}

function combined(words: readonly ScriptWord[], variables: LineVariables): string[][] {
  const MOST = 32;
  return words.reduce<string[][]>(
    (before, word) =>
      before
        .flatMap((fields) => expandWord(word, variables).map((more) => [...fields, ...more]))
        .slice(0, MOST),
    [[]],
  );
}

/** The folder that was last changed to by this shell or one around it. */
function placeOf({ scope }: ShellCommand, places: readonly Place[]): Place {
  const found = places.findLast((place) => place.scope.every((step, index) => scope[index] === step));
  return found ?? { cwd: null, scope: [], other: undefined, sure: true };
}

const CHANGES = new Set(["cd", "pushd", "popd"]);

function moved(
  argv: readonly string[],
  command: ShellCommand,
  place: Place,
  places: Place[],
  home: string,
): void {
  const [name = "", ...args] = argv;
  const hidden = ["eval", "source", ".", "command", "builtin"].includes(name);
  const bySomethingElse =
    hidden && (name === "." || name === "source" || args.some((word) => /\b(cd|pushd|popd)\b/.test(word)));
  if (!CHANGES.has(name) && !bySomethingElse) return;
  const [to = home] = args.filter((word) => !/^-[LPe@]+$/.test(word) && word !== "--");
  const path = hidden || name === "popd" || to === "-" || !isKnown(to) ? null : openPath(to, place.cwd);
  const cwd = path === null ? null : shownPath(path);
  // A script that is read has most often no business with folders; then the old one is the likely one.
  const isScript = name === "." || name === "source";
  places.push({
    cwd: isScript ? place.cwd : cwd,
    scope: command.scope,
    other: isScript ? null : place.cwd,
    sure: !isScript && !command.maybe,
  });
}

function isUnknownProgram(finding: GuardFinding): boolean {
  return finding.kind === "undecided" && finding.why === "unknown-program";
}

/** ShellVariables that hold a key, wherever their value would go; a question about one is free. */
function shownSecrets(
  { words, redirections, assignments, input }: ShellCommand,
  variables: LineVariables,
): GuardFinding[] {
  const [first] = words;
  const [piece] = first ?? [];
  if (piece?.kind === "text" && ["[", "[[", "test"].includes(piece.text)) return [];
  const all = [
    ...words,
    ...redirections.map(({ target }) => target),
    ...assignments.flatMap(({ values }) => values ?? []),
    ...(input ? [input] : []),
  ];
  return all.flat().flatMap((each) => {
    if (each.kind !== "variable") return [];
    if (each.indirect) return meant(variables.valuesOf(each.name));
    if (variables.isSet(each.name)) return [];
    if (each.name === "SSH_AUTH_SOCK") return denied("agent-socket", `$${each.name}`);
    return isSecretName(each.name) ? denied("token", `$${each.name}`) : [];
  });
}

/** `${!x}` shows what the variable holds that x names. */
function meant(names: readonly (string | null)[]): GuardFinding[] {
  const secret = names.find((name) => name !== null && isSecretName(name));
  if (secret) return denied("token", `$${secret}`);
  return names.includes(null) ? undecided("unknown-words") : [];
}
