import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";

/** About the App whose keys lie in koryph's home. None of these repeats a secret, or any part of one. */
export const keptAppAdvice = {
  unreadable: (path: string, code: string | null): Advice => ({
    message:
      code === null
        ? `${plainText(path)} is not what koryph wrote there`
        : `${plainText(path)} cannot be read: ${plainText(code)}`,
    hint: "put it right, or move its folder away and set the App's values in the environment",
  }),
  oddAnswer: (path: string, fields: readonly string[]): Advice => ({
    message: `GitHub made the App, and its answer has no ${fields.map(plainText).join(", ")} that koryph can use`,
    hint: `the whole answer is kept in ${plainText(path)}, secrets and all: take the App's values from it into the environment, then remove it`,
  }),
  passedOver: (missing: readonly string[], given: readonly string[], folder: string): Advice => ({
    message: `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set`,
    hint: `unset ${given.join(", ")} to use the App in ${plainText(folder)}: while the environment names an App, it names all of it`,
  }),
  unfinished: (path: string): Advice => ({
    message: `the set-up of the App was cut short: GitHub's answer lies in ${plainText(path)}`,
    hint: "`koryph serve --setup` makes the App's files of it",
  }),
  otherGitHub: (folder: string, kept: string, wanted: string): Advice => ({
    message: `the App in ${plainText(folder)} is of ${plainText(kept)}, and GITHUB_SERVER_URL or GITHUB_API_URL names ${plainText(wanted)}`,
    hint: "unset both, or give another GitHub's App a KORYPH_HOME of its own",
  }),
};
