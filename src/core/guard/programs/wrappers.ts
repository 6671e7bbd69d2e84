import { denied, type GuardFinding, undecided } from "../guard-verdict.js";
import { UNKNOWN } from "../shell/open-text.js";
import { has, readOptions, textsOf } from "../shell/read-options.js";
import type { ProgramRule, Situation } from "../situation.js";

/** Programs that start another one: their options with a value, and how many words stand before that program. */
const STARTERS: Readonly<Record<string, { readonly valued?: readonly string[]; readonly before?: number }>> =
  {
    builtin: {},
    busybox: {},
    catchsegv: {},
    chronic: {},
    chroot: { valued: ["--userspec", "--groups"], before: 1 },
    chrt: { valued: ["-T", "-P", "-D"], before: 1 },
    command: {},
    "dbus-run-session": { valued: ["--config-file"] },
    doas: { valued: ["-u", "-C"] },
    "dumb-init": { valued: ["-r"] },
    exec: { valued: ["-a"] },
    faketime: { before: 1 },
    fakeroot: { valued: ["-l", "-s", "-i", "-b"] },
    gosu: { before: 1 },
    ionice: { valued: ["-c", "-n", "-p"] },
    linux32: {},
    linux64: {},
    ltrace: { valued: ["-o", "-e", "-p", "-u"] },
    nice: { valued: ["-n", "--adjustment"] },
    nocache: {},
    nohup: {},
    nsenter: { valued: ["-t", "--target", "-S", "-G"] },
    numactl: { valued: ["-m", "-N", "-C"] },
    parallel: { valued: ["-j", "--jobs", "-N", "-I", "-a"] },
    prlimit: { valued: ["-p", "-o"] },
    proot: { valued: ["-r", "-b", "-w"] },
    rlwrap: {},
    setarch: { before: 1 },
    setpriv: { valued: ["--reuid", "--regid", "--groups", "--securebits"] },
    setsid: {},
    "ssh-agent": { valued: ["-a", "-t"] },
    stdbuf: { valued: ["-i", "-o", "-e"] },
    strace: { valued: ["-o", "-e", "-p", "-s", "-u", "-a"] },
    "su-exec": { before: 1 },
    sudo: { valued: ["-u", "-g", "-C", "-D", "-p", "-r", "-t", "-h", "-U", "-R", "-T"] },
    "systemd-run": { valued: ["-p", "-u", "--unit"] },
    taskset: { before: 1 },
    time: { valued: ["-f", "-o"] },
    timeout: { valued: ["-k", "-s", "--kill-after", "--signal"], before: 1 },
    tini: { valued: ["-p", "-e"] },
    toybox: {},
    unbuffer: {},
    unshare: { valued: ["-S", "-G", "-R", "-w"] },
    "xvfb-run": { valued: ["-n", "-s", "-e", "-f", "-p", "-w"] },
  };

const started: ProgramRule = ({ name, args }, situation) => {
  const { valued = [], before = 0 } = STARTERS[name] ?? {};
  const options = readOptions(args, valued, true);
  // `command -v` only looks.
  if (name === "command" && has(options, "-v", "-V")) return [];
  const argv = options.operands.slice(before);
  const changes = argv.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  // sudo takes assignments, as env does.
  const set =
    name === "sudo" && changes > 0 ? argv.slice(0, changes).flatMap((word) => assigned(word, situation)) : [];
  return [
    ...set,
    ...(argv.length === 0 ? [] : situation.run(name === "sudo" ? argv.slice(Math.max(0, changes)) : argv)),
  ];
};

function assigned(word: string, situation: Situation): GuardFinding[] {
  const at = word.indexOf("=");
  return situation.variable(word.slice(0, at), word.slice(at + 1));
}

const env: ProgramRule = ({ args }, situation) => {
  const options = readOptions(args, ["-u", "--unset", "-C", "--chdir", "-S", "--split-string"], true);
  const removed = textsOf(options, "-u", "--unset").flatMap((name) => situation.variable(name, null));
  const from = options.operands.findIndex((word) => !/^[^=\s]+=/.test(word));
  const set = options.operands
    .slice(0, from === -1 ? undefined : from)
    .flatMap((word) => assigned(word, situation));
  const clears = has(options, "-i", "--ignore-environment") || args.includes("-");
  const [folder = null] = textsOf(options, "-C", "--chdir");
  const change =
    folder === null ? {} : { cwd: folder.startsWith("/") ? folder : `${situation.cwd}/${folder}` };
  const split = textsOf(options, "-S", "--split-string");
  if (split.length > 0)
    return [...removed, ...set, ...situation.text([...split, ...options.operands].join(" "))];
  const rest =
    from === -1 ? [] : options.operands.slice(from).filter((word, index) => index > 0 || word !== "-");
  if (rest.length === 0) return [...removed, ...set, ...(clears ? [] : denied("token", "env"))];
  return [
    ...removed,
    ...set,
    ...(clears ? denied("enforcement", "env -i") : []),
    ...situation.run(rest, change),
  ];
};

/** Adds words to a command that only show when it runs, unless what it reads is typed as well. */
const xargs: ProgramRule = ({ args, input }, situation) => {
  const valued = [
    "-I",
    "-n",
    "-P",
    "-L",
    "-d",
    "-a",
    "-E",
    "-s",
    "--max-args",
    "--max-procs",
    "--delimiter",
    "--arg-file",
    "--replace",
    "--max-lines",
  ];
  const options = readOptions(args, valued, true);
  const files = textsOf(options, "-a", "--arg-file").flatMap((path) => situation.path(path, "read"));
  const [mark] = textsOf(options, "-I", "--replace");
  const more = input ? input.split(/\s+/).filter((word) => word !== "") : [UNKNOWN];
  const argv = options.operands.length === 0 ? ["echo"] : options.operands;
  const whole =
    mark === undefined ? [...argv, ...more] : argv.map((word) => word.replaceAll(mark, more.join(" ")));
  return [...files, ...situation.run(whole)];
};

const find: ProgramRule = ({ args }, situation) => {
  const findings: GuardFinding[] = [];
  const at = args.findIndex((word) => /^[-(!]/.test(word) && !["-L", "-H", "-P"].includes(word));
  const roots = args.slice(0, at === -1 ? undefined : at).filter((word) => !word.startsWith("-"));
  for (const [index, word] of args.entries()) {
    if (["-delete", "-fprint", "-fprintf", "-fls"].includes(word))
      findings.push(
        ...(word === "-delete" ? (roots.length > 0 ? roots : ["."]) : [args[index + 1] ?? ""]).flatMap(
          (path) => situation.path(path, "write"),
        ),
      );
    if (!/^-(exec|execdir|ok|okdir)$/.test(word)) continue;
    const end = args.findIndex((each, later) => later > index && (each === ";" || each === "+"));
    // What is found lies below the folders that are searched.
    const found = roots.length === 1 ? `${roots[0]}/${UNKNOWN}` : UNKNOWN;
    const argv = args.slice(index + 1, end === -1 ? undefined : end);
    findings.push(...situation.run(argv.map((each) => each.replaceAll("{}", found))));
  }
  return findings;
};

/** `-c` takes a line for a shell. */
const withLine =
  (valued: readonly string[]): ProgramRule =>
  ({ args }, situation) => {
    const options = readOptions(args, valued);
    const lines = textsOf(options, "-c", "--command");
    return lines.length > 0 ? lines.flatMap((code) => situation.text(code)) : undecided("unknown-program");
  };

const flock: ProgramRule = ({ args }, situation) => {
  const options = readOptions(args, ["-c", "-w", "-E", "--command", "--timeout"], true);
  const [, ...rest] = options.operands;
  const at = rest.indexOf("-c");
  return at === -1
    ? rest.length > 0
      ? situation.run(rest)
      : []
    : situation.text(rest.slice(at + 1).join(" "));
};

export const WRAPPER_RULES: Readonly<Record<string, ProgramRule>> = {
  ...Object.fromEntries(Object.keys(STARTERS).map((name) => [name, started])),
  env,
  find,
  flock,
  su: withLine(["-c", "--command", "-s", "-g", "-G"]),
  runuser: withLine(["-c", "--command", "-u", "-s"]),
  script: withLine(["-c", "--command", "-I", "-O", "-B"]),
  watch: ({ args }, situation) =>
    situation.text(readOptions(args, ["-n", "--interval"], true).operands.join(" ")),
  xargs,
};
