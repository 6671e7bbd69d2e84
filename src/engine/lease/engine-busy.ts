import { type Advice, UserError } from "../../lib/user-error.js";

/** Another engine works on the project: for whoever starts runs by a timetable that is no failure. */
export class EngineBusy extends UserError {
  readonly code: "lease_held" | "lock_held";

  constructor(code: EngineBusy["code"], { message, hint }: Advice) {
    super(message, hint);
    this.code = code;
  }
}
