import type { Command } from "commander";
import type { Surface } from "../program.js";

interface Word {
  readonly name: string;
  readonly description: string;
}

/** What may follow a command path such as `koryph plan`. */
interface Place {
  readonly path: string;
  readonly commands: readonly Word[];
  /** Values of its arguments. */
  readonly values: readonly Word[];
  readonly options: readonly Word[];
}

export function addCompletion(command: Command, { program, terminal, loadAll }: Surface): void {
  command.action(async (shell: "bash" | "zsh" | "fish") => {
    await loadAll();
    const places = placesOf(program, { path: "koryph", shared: [] });
    if (shell === "fish") return terminal.out(fishScript(places).join("\n"));
    if (shell === "zsh") terminal.out("autoload -U +X bashcompinit && bashcompinit");
    terminal.out(bashScript(places).join("\n"));
  });
}

/** `shared` are the options that are understood after every command. */
function placesOf(command: Command, { path, shared }: { path: string; shared: readonly Word[] }): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const own = help
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ name: long, description }] : []));
  const passedOn = path === "koryph" ? own.filter(({ name }) => name === "--project") : shared;
  return [
    { path, commands: commands.map(wordOf), values: valuesOf(command), options: [...own, ...shared] },
    ...commands.flatMap((sub) => placesOf(sub, { path: `${path} ${sub.name()}`, shared: passedOn })),
  ];
}

function valuesOf(command: Command): Word[] {
  if (command.name() === "help" && command.parent) {
    const explained = command.parent.createHelp().visibleCommands(command.parent);
    return explained.filter((sub) => sub !== command).map(wordOf);
  }
  return command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((name) => ({ name, description })),
  );
}

function wordOf(command: Command): Word {
  return { name: command.name(), description: command.description() };
}

function bashScript(places: readonly Place[]): string[] {
  const paths = places.filter(({ path }) => path !== "koryph").map(({ path }) => JSON.stringify(path));
  return [
    "_koryph() {",
    '  local cur="$2" at=koryph word i',
    "  for ((i = 1; i < COMP_CWORD; i++)); do",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are bash's.
    '    word="${COMP_WORDS[i]}"',
    `    case "$at $word" in ${paths.join("|")}) at="$at $word" ;; esac`,
    "  done",
    '  case "$at" in',
    ...places.map(({ path, commands, values, options }) => {
      const words = [...commands, ...values, ...options].map(({ name }) => name).join(" ");
      return `    ${JSON.stringify(path)}) COMPREPLY=($(compgen -W ${JSON.stringify(words)} -- "$cur")) ;;`;
    }),
    "  esac",
    "}",
    "complete -o default -F _koryph koryph",
  ];
}

function fishScript(places: readonly Place[]): string[] {
  return places.flatMap(({ path, commands, values, options }) => {
    const steps = path.split(" ").slice(1);
    const seen = steps.map((step) => `__fish_seen_subcommand_from ${step}`);
    const none =
      commands.length > 0
        ? [`not __fish_seen_subcommand_from ${commands.map(({ name }) => name).join(" ")}`]
        : [];
    const when = [...seen, ...none].join("; and ") || "true";
    const line = (what: string, { description }: Word) =>
      `complete -c koryph -n ${quoted(when)} ${what} -d ${quoted(description)}`;
    return [
      ...[...commands, ...values].map((word) => line(`-f -a ${word.name}`, word)),
      ...options.map((word) => line(`-l ${word.name.slice(2)}`, word)),
    ];
  });
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
