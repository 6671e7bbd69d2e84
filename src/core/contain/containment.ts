export const CONTAINMENT_LEVELS = ["required", "preferred", "off"] as const;
export type ContainmentLevel = (typeof CONTAINMENT_LEVELS)[number];

/** Where processes may connect to; `provider` is where their own model answers. */
export type NetworkWish = "off" | "on" | "provider" | readonly string[];

/** What a project wants of the walls around what agents are and write. */
export interface ContainmentSettings {
  /** Absent means as the surface has it: required where nobody looks on, preferred at a terminal. */
  readonly level?: ContainmentLevel | undefined;
  /** What becomes of a run where the level is required and not reached. */
  readonly missing?: "refuse" | "manual" | undefined;
  readonly network: {
    readonly agents: NetworkWish;
    readonly gates: NetworkWish;
    readonly bootstrap: NetworkWish;
  };
  /** Further folders and files that may be read, such as a toolchain in somebody's home. */
  readonly readable: readonly string[];
}

/** What shuts processes in on a machine. */
export type ContainmentReached = "namespaces" | "none";

/** What is on record of an agent: what shut it in, or that nothing did although something was to. */
export const CONTAINED_MARKS = ["namespaces", "none", "missing"] as const;
export type ContainedMark = (typeof CONTAINED_MARKS)[number];

/** What a run does about its walls. `manual` starts agents without them, and lands nothing by itself. */
export type ContainmentDecision =
  | { readonly kind: "contained" }
  | { readonly kind: "bare"; readonly why: "off" | "preferred" }
  | { readonly kind: "manual" }
  | { readonly kind: "refuse" };

/** `usual` is the level of a project that names none. */
export function decideContainment(
  { level, missing }: Pick<ContainmentSettings, "level" | "missing">,
  usual: ContainmentLevel,
  reached: ContainmentReached,
): ContainmentDecision {
  const wanted = level ?? usual;
  if (wanted === "off") return { kind: "bare", why: "off" };
  if (reached !== "none") return { kind: "contained" };
  if (wanted === "preferred") return { kind: "bare", why: "preferred" };
  // Whoever wrote `required` down gets no agent without walls, unless they say otherwise.
  return {
    kind: (missing ?? (level === undefined ? "manual" : "refuse")) === "manual" ? "manual" : "refuse",
  };
}

/** How an agent that starts now is on record; null where none may start. */
export function containedMark(decision: ContainmentDecision): ContainedMark | null {
  switch (decision.kind) {
    case "contained":
      return "namespaces";
    case "bare":
      return "none";
    case "manual":
      return "missing";
    case "refuse":
      return null;
  }
}
