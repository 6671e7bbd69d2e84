import { denied } from "../guard-verdict.js";
import { readOptions } from "../shell/read-options.js";
import type { ProgramRule } from "../situation.js";

/** Agents share their user with the engine: by name, or all at once, somebody else's processes end too. */
const byName: ProgramRule = ({ name, args }) => denied("other-processes", [name, ...args].join(" "));

/** `-1` after the signal is everybody, 0 the own group, and 1 whoever started the machine. */
const kill: ProgramRule = ({ args }) => {
  if (args.some((word) => /^-(l|L|-list|-table)/.test(word))) return [];
  const [first = "", ...rest] = args;
  const named = /^-(s|n|-signal)$/.test(first)
    ? rest.slice(1)
    : /^-./.test(first) && rest.length > 0
      ? rest
      : args;
  const everybody = named.some((word) => /^(-1|0|1|-0)$/.test(word));
  return everybody ? denied("other-processes", `kill ${args.join(" ")}`) : [];
};

export const PROCESS_RULES: Readonly<Record<string, ProgramRule>> = {
  kill,
  pkill: byName,
  killall: byName,
  killall5: byName,
  skill: byName,
  fuser: ({ name, args, input }, situation) => {
    const kills = readOptions(args, ["-n", "-N"]).given.some(
      (option) => option.name === "-k" || option.name === "--kill",
    );
    return kills ? byName({ name, args, input }, situation) : [];
  },
};
