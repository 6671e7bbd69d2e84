import type { Command } from "commander";
import { nearest } from "../../lib/nearest.js";

/**
 * Gives every command the help that commander's own leaves out: `help` for commands of commands, a word about
 * names that do not exist, the option that all commands share, and after a mistake the way to the right page.
 * To be called when all commands are there.
 */
export function addHelp(program: Command): void {
  const shared = program.options.filter(({ long }) => long === "--project");
  const visit = (command: Command, path: string) => {
    command.showHelpAfterError(`${path} --help shows what there is.`);
    if (command !== program)
      command.configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => [...shared] });
    if (command.commands.length > 0) addHelpCommand(command);
    for (const sub of command.commands) if (sub.name() !== "help") visit(sub, `${path} ${sub.name()}`);
  };
  visit(program, program.name());
}

function addHelpCommand(group: Command): void {
  group.helpCommand(false);
  group
    .command("help")
    .description("show help for a command")
    .argument("[command...]", "the command, such as plan audit")
    .action((words: string[]) => {
      let found = group;
      for (const word of words) {
        const next = found.commands.find((command) => command.name() === word);
        if (next === undefined) return found.error(unknownCommand(word, found));
        found = next;
      }
      found.help();
    });
}

function unknownCommand(word: string, group: Command): string {
  const known = group.createHelp().visibleCommands(group);
  const meant = nearest(
    word,
    known.map((command) => command.name()),
  );
  return `error: unknown command '${word}'${meant === null ? "" : `\n(Did you mean ${meant}?)`}`;
}
