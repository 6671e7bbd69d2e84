import { Argument, type Command } from "commander";
import type { Surface } from "./program.js";

interface Word {
  readonly name: string;
  readonly description: string;
}

/** What may follow a command path such as `koryph plan`. */
interface Place {
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
}

const SHELLS = ["bash", "zsh", "fish"] as const;

export function addCompletion({ program, terminal }: Surface): void {
  program
    .command("completion")
    .description("print a completion script, e.g. source <(koryph completion bash)")
    .addArgument(new Argument("<shell>", "which shell").choices(SHELLS))
    .action((shell: (typeof SHELLS)[number]) => {
      const places = placesOf(program, "koryph");
      if (shell === "fish") return terminal.out(fishScript(places).join("\n"));
      if (shell === "zsh") terminal.out("autoload -U +X bashcompinit && bashcompinit");
      terminal.out(bashScript(places).join("\n"));
    });
}

function placesOf(command: Command, path: string): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = help
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ name: long, description }] : []));
  const here = {
    path,
    commands: commands.map((sub) => ({ name: sub.name(), description: sub.description() })),
    options,
  };
  return [here, ...commands.flatMap((sub) => placesOf(sub, `${path} ${sub.name()}`))];
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
    ...places.map(({ path, commands, options }) => {
      const words = [...commands, ...options].map(({ name }) => name).join(" ");
      return `    ${JSON.stringify(path)}) COMPREPLY=($(compgen -W ${JSON.stringify(words)} -- "$cur")) ;;`;
    }),
    "  esac",
    "}",
    "complete -o default -F _koryph koryph",
  ];
}

function fishScript(places: readonly Place[]): string[] {
  return places.flatMap(({ path, commands, options }) => {
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
      ...commands.map((word) => line(`-f -a ${word.name}`, word)),
      ...options.map((word) => line(`-l ${word.name.slice(2)}`, word)),
    ];
  });
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
