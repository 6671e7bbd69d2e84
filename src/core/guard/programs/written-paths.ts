import { readOptions, textsOf } from "../shell/read-options.js";

type Writes = (args: readonly string[]) => readonly string[];

/** Options with a value that say nothing about files. */
const TAKES: readonly string[] = [
  "-m",
  "--mode",
  "-s",
  "--size",
  "-d",
  "--date",
  "-o",
  "--owner",
  "-g",
  "--group",
  "--from",
  "-S",
  "--suffix",
];

const operands: Writes = (args) => readOptions(args, TAKES).operands;
const afterFirst: Writes = (args) => readOptions(args, TAKES).operands.slice(1);
const referenced: Writes = (args) =>
  args.some((word) => word.startsWith("--reference")) ? operands(args) : afterFirst(args);

/** The last one is written, or the folder that an option names. */
const target: Writes = (args) => {
  const options = readOptions(args, [
    "-t",
    "--target-directory",
    "-m",
    "--mode",
    "-o",
    "-g",
    "-S",
    "--suffix",
  ]);
  const folders = textsOf(options, "-t", "--target-directory");
  return folders.length > 0 ? folders : options.operands.slice(-1);
};

const valuesOf =
  (...names: readonly string[]): Writes =>
  (args) =>
    textsOf(readOptions(args, names), ...names);

/** With `-i`, everything after the script is written; the script may be named by an option instead. */
const sed: Writes = (args) => {
  const options = readOptions(args, ["-e", "--expression", "-f", "--file", "-l"]);
  const inPlace = args.some((word) => /^(-[a-zA-Z]*i|--in-place)/.test(word));
  const scripted = textsOf(options, "-e", "--expression", "-f", "--file").length > 0;
  return inPlace ? options.operands.slice(scripted ? 0 : 1) : [];
};

const tar: Writes = (args) => {
  const [first = "", ...rest] = args;
  const bundled = first.startsWith("-") ? args : [`-${first}`, ...rest];
  const options = readOptions(bundled, ["-f", "--file", "-C", "--directory", "-T", "-X", "--exclude"]);
  const packs = options.given.some(({ name }) => ["-c", "-r", "-u", "--create", "--append"].includes(name));
  return packs
    ? textsOf(options, "-f", "--file").filter((file) => file !== "-")
    : textsOf(options, "-C", "--directory");
};

/** Programs that change files, and which of their words name what they change. */
export const WRITES: Readonly<Record<string, Writes>> = {
  ...Object.fromEntries(
    [
      "rm",
      "rmdir",
      "unlink",
      "mkdir",
      "touch",
      "tee",
      "truncate",
      "shred",
      "mkfifo",
      "mknod",
      "split",
      "sponge",
    ].map((name) => [name, operands]),
  ),
  ...Object.fromEntries(
    ["chmod", "chown", "chgrp", "setfacl", "chattr", "setfattr"].map((name) => [name, referenced]),
  ),
  ...Object.fromEntries(["cp", "ln", "install", "link", "rsync"].map((name) => [name, target])),
  mv: (args) => [...operands(args), ...target(args)],
  dd: (args) => args.flatMap((word) => (word.startsWith("of=") ? [word.slice(3)] : [])),
  sed,
  tar,
  unzip: valuesOf("-d"),
  zip: (args) => operands(args).slice(0, 1),
  patch: (args) => [...valuesOf("-d", "--directory", "-o", "--output")(args), ...operands(args).slice(0, 1)],
  sort: valuesOf("-o", "--output"),
  curl: valuesOf(
    "-o",
    "--output",
    "--output-dir",
    "-D",
    "--dump-header",
    "-c",
    "--cookie-jar",
    "--trace",
    "--trace-ascii",
  ),
  wget: valuesOf("-O", "--output-document", "-P", "--directory-prefix", "-o", "--output-file"),
  strace: valuesOf("-o", "--output"),
  pip: valuesOf("-t", "--target", "--prefix", "--root"),
  pip3: valuesOf("-t", "--target", "--prefix", "--root"),
  make: valuesOf("-C", "--directory"),
  npm: valuesOf("--prefix", "-C"),
};
