import type { Linking } from "../../comments/command-parts.js";
import { linkRefusal } from "../../core/replies/app/link.js";

/** Where there is no server to keep anybody's token. */
export const NO_LINKING: Linking = {
  begin: async () => linkRefusal.noServer(),
  end: async () => linkRefusal.noServer(),
};
