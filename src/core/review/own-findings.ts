import { CRITERION_STATUSES, type Finding } from "./verdict.js";

/** What is wrong with how a criterion was judged. */
export type CriterionFault =
  | { readonly code: "missing" | "unknown-status" | "unevidenced"; readonly id: string }
  | { readonly code: "doubled"; readonly id: string; readonly times: number };

/** Findings of koryph's own. They stand in the verdict beside the reviewer's, whose words the implementer reads. */
export function faultFinding(fault: CriterionFault): Finding {
  return { severity: "blocking", file: "", line: null, summary: summaryOf(fault) };
}

export function leftOutFinding(count: number): Finding {
  const summary = `${count} more ${count === 1 ? "finding was" : "findings were"} left out`;
  return { severity: "minor", file: "", line: null, summary };
}

function summaryOf(fault: CriterionFault): string {
  switch (fault.code) {
    case "missing":
      return `${fault.id} was not judged`;
    case "doubled":
      return `${fault.id} was judged ${fault.times} times`;
    case "unknown-status":
      return `${fault.id} was judged in other words than ${CRITERION_STATUSES.slice(0, -1).join(", ")} and ${CRITERION_STATUSES.at(-1)}`;
    case "unevidenced":
      return `${fault.id} was judged without evidence`;
  }
}
