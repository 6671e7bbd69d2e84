/** How a line begins that says which tests this machine does not bear; the closing lines of a run repeat it. */
export const LAYER_MISSING = "LAYER MISSING";
