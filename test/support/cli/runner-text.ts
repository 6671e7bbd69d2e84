/** What GitHub's runner reads from a step: its command files and the commands in its log. */
export interface Annotation {
  readonly level: "error" | "warning" | "notice";
  readonly title: string | null;
  readonly message: string;
}

/** `name=value` lines and `name<<END` … `END` blocks. */
export function keyValues(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  const lines = text.split(/\r?\n/);
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    if (line === "") continue;
    const { name, mark, rest } = /^(?<name>.*?)(?<mark>=|<<)(?<rest>.*)$/.exec(line)?.groups ?? {};
    if (name === undefined || rest === undefined) throw new Error(`Invalid format '${line}'`);
    if (mark === "=") {
      values[name] = rest;
      continue;
    }
    const end = lines.indexOf(rest);
    if (end < 0) throw new Error(`Matching delimiter not found '${rest}'`);
    values[name] = lines
      .splice(0, end + 1)
      .slice(0, -1)
      .join("\n");
  }
  return values;
}

/** Between `::stop-commands::word` and `::word::` nothing is a command. */
function withoutStopped(log: string): string {
  return log.replace(/^::stop-commands::(\S+)\n[\s\S]*?(?:^::\1::$|(?![\s\S]))/gm, "");
}

export function annotationsIn(log: string): Annotation[] {
  return [...withoutStopped(log).matchAll(/^\s*::(error|warning|notice)(?: ([^\r\n]*?))?::(.*)$/gm)].map(
    ([, level, properties = "", message = ""]) => ({
      level: level as Annotation["level"],
      title: /(?:^|,)title=([^,]*)/.exec(properties)?.[1] ?? null,
      message: message.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%"),
    }),
  );
}
