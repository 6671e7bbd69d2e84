import { shellWord } from "../../../lib/shell-word.js";

export type Setting = readonly [key: string, value: string];

/**
 * Programs that a repository's own configuration can name, and none of which koryph ever wants. Anybody who can write
 * into `repo.git` can write there, an agent too. Settings in the environment count more than those of any file.
 * What a remote needs of them is added behind, and counts more than these. A hook of `upload-pack` is not among
 * them: git takes that from no repository, and from here it would.
 */
const NEUTRAL: readonly Setting[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.attributesFile", "/dev/null"],
  ["core.alternateRefsCommand", "true"],
  ["core.askPass", ""],
  ["core.editor", "true"],
  ["sequence.editor", "true"],
  ["core.pager", "cat"],
  // Nothing, and forget those that were named before.
  ["credential.helper", ""],
  ["gpg.program", "false"],
  ["gpg.openpgp.program", "false"],
  ["gpg.x509.program", "false"],
  ["gpg.ssh.program", "ssh-keygen"],
  ["gpg.ssh.defaultKeyCommand", "false"],
  ["protocol.ext.allow", "never"],
  ["fetch.recurseSubmodules", "false"],
  ["submodule.recurse", "false"],
];

/** An environment whose settings let no file name a program to run. */
export function guarded(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // What the variable names would otherwise count less than any setting.
  const ssh = shellWord(env.GIT_SSH ?? "ssh");
  return { ...env, ...listed([...NEUTRAL, ["core.sshCommand", ssh], ...settingsOf(env)]) };
}

/** The environment with settings behind those that it carries already, so that they count more. */
export function withSettings(
  env: Readonly<Record<string, string>>,
  settings: readonly Setting[],
): Record<string, string> {
  return { ...env, ...listed([...settingsOf(env), ...settings]) };
}

function settingsOf(env: NodeJS.ProcessEnv): Setting[] {
  const count = Number(env.GIT_CONFIG_COUNT ?? 0);
  return Array.from({ length: count }, (_, index) => [
    env[`GIT_CONFIG_KEY_${index}`] ?? "",
    env[`GIT_CONFIG_VALUE_${index}`] ?? "",
  ]);
}

function listed(settings: readonly Setting[]): Record<string, string> {
  const pairs = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(settings.length) };
}
