/** What became of a control request. */
export type RequestAnswer =
  | {
      readonly code:
        | "delivered"
        | "not-delivered"
        | "stopping"
        | "nothing-to-stop"
        | "dispatched"
        | "bead-closed"
        | "bead-gone"
        | "drained"
        | "run-ended"
        | "stale";
    }
  | { readonly code: "no-agent"; readonly bead: string }
  /** Of an inject: a run has the bead already. */
  | { readonly code: "taken"; readonly status: string };
