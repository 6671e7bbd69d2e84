import type { Signer } from "../../../ports/signer.js";

/** A signer's settings as git reads them from its environment, where the programs that git starts see them too. */
export function signingEnv(signer: Signer | null): Record<string, string> {
  if (signer === null) return {};
  const { config, env } = signer.git;
  const settings = config.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { ...env, ...Object.fromEntries(settings), GIT_CONFIG_COUNT: String(config.length) };
}
