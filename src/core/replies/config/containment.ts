import type { Advice } from "../../../lib/user-error.js";

/** Nothing shuts agents in yet, whatever the project file asks for. */
export const containmentAdvice = {
  /** The file says `required`, so no agent is started. */
  required: (): Advice => ({
    message:
      "containment is required, and nothing contains agents in this version, so koryph starts none (containment_missing)",
    hint: "let agents work on a machine that holds nothing of value, and set containment to preferred or off",
  }),
  /** The file says `preferred`, so agents are started as they are. */
  preferred: (): Advice => ({
    message:
      "containment is preferred, and nothing contains agents in this version: they run as your user does, with its files and its network (containment_missing)",
    hint: "let agents work on a machine that holds nothing of value; with containment off this warning ends",
  }),
};
