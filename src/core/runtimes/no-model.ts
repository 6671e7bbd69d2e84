/** What stands for the model of an agent that has none, or keeps its choice to itself. */
export const NO_MODEL = "none";
