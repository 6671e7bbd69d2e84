/** How much an agent is to think; runtimes have their own words for it, if any. */
export const EFFORTS = ["low", "medium", "high"] as const;
export type Effort = (typeof EFFORTS)[number];
