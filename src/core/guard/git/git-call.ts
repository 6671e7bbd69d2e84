import { isKnown } from "../shell/open-text.js";

export interface GitCall {
  readonly verb: string;
  readonly args: readonly string[];
  /** What `-C` named, in order. */
  readonly folders: readonly string[];
  /** Repositories and trees named besides. */
  readonly places: readonly string[];
  readonly settings: readonly (readonly [key: string, value: string])[];
}

const VALUED: readonly string[] = [
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--super-prefix",
  "--config-env",
  "--attr-source",
  "--list-cmds",
];

/** git's own options, and what it is asked to do; "" when that is nothing. */
export function gitCall(args: readonly string[]): GitCall {
  const folders: string[] = [];
  const places: string[] = [];
  const settings: (readonly [string, string])[] = [];
  let at = 0;
  for (; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (!arg.startsWith("-")) break;
    const [name = "", ...rest] = arg.split("=");
    const glued = rest.length > 0 && arg.startsWith("--");
    if (!VALUED.includes(glued ? name : arg) || (arg === "--exec-path" && !glued)) continue;
    if (!glued) at += 1;
    const value = glued ? rest.join("=") : (args[at] ?? "");
    if (arg === "-C") folders.push(value);
    else if (arg === "-c") settings.push(setting(value));
    // The value is in a variable that nobody has read.
    else if (name === "--config-env") settings.push([setting(value)[0], "\0"]);
    else if (["--git-dir", "--work-tree", "--exec-path"].includes(name)) places.push(value);
  }
  return { verb: args[at] ?? "", args: args.slice(at + 1), folders, places, settings };
}

/** Without a value a setting is on. */
function setting(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at === -1) return [text, isKnown(text) ? "true" : text];
  return [text.slice(0, at), text.slice(at + 1)];
}
