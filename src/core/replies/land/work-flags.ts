import type { WorkFlag } from "../../land/work-flag.js";
import type { Slot } from "../../run/ledger/slot.js";
import { quote, quoteFew } from "./quote.js";

/** What a person should look at in a bead's commits, one sentence each; none where there is nothing. */
export function flagTexts({ flags = [] }: Pick<Slot, "flags">): string[] {
  return flags.map(flagText);
}

/** The same in one line; empty where there is nothing. */
export function flagLine(slot: Pick<Slot, "flags">): string {
  return flagTexts(slot).join("; ");
}

function flagText(flag: WorkFlag): string {
  switch (flag.kind) {
    case "undeclared":
      return `it changes ${named(flag)}, outside its footprint`;
    case "executable":
      return `it makes ${named(flag)} executable`;
    case "attributes":
      return `it changes what git does with files: ${named(flag)}`;
    case "bidi-text":
      return `it adds text that is shown in another order than it is read: ${named(flag)}`;
    case "many-files":
      return `it changes ${named(flag)}`;
    case "in-flight":
      return `it changes ${named(flag)}, in the footprint of ${quote(flag.bead ?? "", 128)}, which was in flight`;
  }
}

const MOST_NAMED = 3;

function named({ paths, total }: WorkFlag): string {
  const shown = paths.slice(0, MOST_NAMED);
  const rest = total - shown.length;
  return `${quoteFew(shown)}${rest > 0 ? ` and ${rest} more` : ""}`;
}
