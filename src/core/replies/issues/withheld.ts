import { plainText } from "../../../lib/plain-text.js";
import type { Withheld } from "../../model/release.js";

/** Why agents may not work on an issue, and how that changes; without a full stop. */
export function withheldText(why: Withheld): string {
  const label = plainText(why.label);
  const anew = `somebody with triage rights takes the label ${label} off and sets it again, once the text is right`;
  switch (why.code) {
    case "no_release_label":
      return `it does not have the label ${label}`;
    case "release_unproven":
      return `GitHub does not show who set the label ${label}; ${anew}`;
    case "releaser_may_not":
      return `${plainText(why.by)} set the label ${label} and has no triage rights here; ${anew}`;
    case "edited_since":
      return `${why.by === null ? "somebody whom GitHub does not name" : plainText(why.by)} changed its text at ${plainText(why.at)}, after the release and without triage rights; ${anew}`;
    case "too_many_edits":
      return `its text was changed more often since the release than koryph can check; ${anew}`;
  }
}
