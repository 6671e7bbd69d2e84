import { type Advice, UserError } from "../lib/user-error.js";

/** Something that every bead needs does not answer, the remote for instance. No bead is to blame, and waiting may help. */
export class OutsideFault extends UserError {
  constructor({ message, hint }: Advice) {
    super(message, hint);
    this.name = "OutsideFault";
  }
}
