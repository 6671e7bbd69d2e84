import type { LaunchSpec } from "../launch-spec.js";
import { NO_MODEL } from "../no-model.js";

/** What an agent of one's own is told about its task. */
export function commandVariables(spec: LaunchSpec): Record<string, string> {
  const { session, effort } = spec;
  return {
    KORYPH_ROLE: spec.role,
    KORYPH_MODEL: spec.model === NO_MODEL ? "" : spec.model,
    ...(effort === undefined ? {} : { KORYPH_EFFORT: effort }),
    KORYPH_SESSION: session.id,
    KORYPH_SESSION_MODE: session.mode,
    ...(session.parent === undefined ? {} : { KORYPH_SESSION_PARENT: session.parent }),
  };
}
