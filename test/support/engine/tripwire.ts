import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A program that leaves a trace when anybody runs it; `fired` has what it was run as, and is empty otherwise. */
export function tripwire(top: string): { program: string; fired: () => string } {
  const [program, trace] = [join(top, "tripwire"), join(top, "fired")];
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${trace}\ncat\n`, { mode: 0o755 });
  return { program, fired: () => (existsSync(trace) ? readFileSync(trace, "utf8") : "") };
}

/** Settings of git that name a program, as whoever can write into a repository can put them there. */
export function programSettings(program: string, hooks: string): string {
  return `[core]
\tfsmonitor = ${program}
\tsshCommand = ${program}
\thooksPath = ${hooks}
\taskPass = ${program}
\talternateRefsCommand = ${program}
[gpg]
\tprogram = ${program}
[gpg "ssh"]
\tprogram = ${program}
[filter "evil"]
\tclean = ${program}
\tsmudge = ${program}
[diff]
\texternal = ${program}
[diff "evil"]
\ttextconv = ${program}
\tcommand = ${program}
[merge "evil"]
\tdriver = ${program}
[credential]
\thelper = !${program}
`;
}
