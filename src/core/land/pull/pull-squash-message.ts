import { plainText } from "../../../lib/plain-text.js";
import { badSubjects } from "../commit-style.js";
import { accountEmail, coAuthorsIn } from "./co-authors.js";
import type { Person } from "./count-approvals.js";

export interface SquashedCommit {
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  /** Null where GitHub knows nobody by the author's address. */
  readonly account: Person | null;
}

interface SquashedPull {
  readonly title: string;
  /** Where people find the pull request. */
  readonly host: string;
  /** Oldest first; the first one's author is the author of all. */
  readonly commits: readonly SquashedCommit[];
}

/**
 * The message of the one commit that a pull request becomes. Its other authors stay on record by the addresses of their
 * accounts, so that they count as having had a hand in it.
 */
export function pullSquashMessage({ title, host, commits }: SquashedPull): string {
  const subjects = commits.map(({ message }) => plainText(message.split("\n")[0] ?? ""));
  const list = subjects.map((subject) => `- ${subject}`).join("\n");
  const named = [plainText(title), ...subjects].find(
    (subject) => badSubjects([{ sha: "", subject }], "conventional").length === 0,
  );
  const trailers = coAuthors(commits, host).map(
    ({ name, email }) => `Co-authored-by: ${plainText(name)} <${email}>`,
  );
  return [named ?? plainText(title), list, ...(trailers.length > 0 ? [trailers.join("\n")] : [])]
    .join("\n\n")
    .concat("\n");
}

function coAuthors(commits: readonly SquashedCommit[], host: string) {
  const all = commits.flatMap(({ author, account, message }) => {
    const email = account === null ? author.email : accountEmail(account, host);
    return [{ name: author.name, email }, ...coAuthorsIn(message)];
  });
  const byEmail = new Map(all.toReversed().map((each) => [each.email.toLowerCase(), each]));
  const [first] = commits;
  if (first === undefined) return [];
  const own = first.account === null ? first.author.email : accountEmail(first.account, host);
  byEmail.delete(own.toLowerCase());
  byEmail.delete(first.author.email.toLowerCase());
  return [...byEmail.values()].toReversed();
}
