import { type AdmissionDenial, DENIAL_REACH } from "../../core/govern/admission-denial.js";
import type { PlaceAsked } from "../../core/run/tick/admission.js";
import type { EngineParts } from "../engine-parts.js";

type Asked = Pick<PlaceAsked, "bead" | "pool">;

/** Tells why agents wait: once for all whom a denial speaks for, until one of them gets its place. */
export class DenialNews {
  readonly #report: EngineParts["report"];
  /** What was said last, by whom it speaks for. */
  readonly #said = new Map<string, string>();

  constructor(report: EngineParts["report"]) {
    this.#report = report;
  }

  denied(asked: Asked, why: AdmissionDenial): void {
    // Over before anybody has read it.
    if (why.code === "dispatch_spacing") return;
    const reach = DENIAL_REACH[why.code];
    const about = aboutWhom(asked, reach);
    // Times and holders change while the reason stays.
    if (this.#said.get(about) === why.code) return;
    this.#said.set(about, why.code);
    this.#report({ kind: "not-admitted", bead: reach === "bead" ? asked.bead : null, why });
  }

  granted(asked: Asked): void {
    for (const reach of Object.values(DENIAL_REACH)) this.#said.delete(aboutWhom(asked, reach));
  }
}

function aboutWhom({ bead, pool }: Asked, reach: (typeof DENIAL_REACH)[AdmissionDenial["code"]]): string {
  switch (reach) {
    case "bead":
      return `bead ${bead}`;
    case "project":
    case "pool":
      return `pool ${pool}`;
    case "machine":
      return "machine";
  }
}
