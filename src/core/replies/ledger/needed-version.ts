import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";

const LONGEST = 60;

/** What a critical event says of the version that knows it, as plain words. Anybody may have written it. */
export function neededVersion(needs: string): string {
  if (needs === "") return "a newer koryph, and does not say which one";
  const said = cutText(plainText(needs), LONGEST);
  return /^v?\d/.test(said) ? `koryph ${said}` : said;
}

/** What whoever runs koryph does about it. */
export function versionToBringIn(needs: string): string {
  return needs === "" ? "bring in the newest koryph" : `bring in ${neededVersion(needs)}, or a later one`;
}
