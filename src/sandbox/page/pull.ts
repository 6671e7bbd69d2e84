import { type Html, html, type Part } from "../../lib/markup/html.js";
import type { CheckRun, Issue, Pull, Repository } from "../world/state.js";
import { button, type Viewing } from "./layout.js";
import { renderMarkdown } from "./markdown.js";

const SHOWN_DIFF = 60_000;

/** What a pull request has beyond an issue: branches, commits, the change itself, checks and statuses. */
export async function pullParts(
  viewing: Viewing,
  repository: Repository,
  { pull }: Issue & { readonly pull: Pull },
): Promise<Html> {
  const range = `${pull.baseSha}..${pull.headSha}`;
  const commits = await gitOr(viewing, repository, ["log", "--reverse", "--format=%h%x09%an%x09%s", range]);
  const diff = await gitOr(viewing, repository, ["diff", `${pull.baseSha}...${pull.headSha}`]);
  return html`<p><code>${pull.headRef}</code> at <code>${pull.headSha.slice(0, 7)}</code> into <code>${pull.baseRef}</code>
${pull.merged !== null && html`<span class="good">merged by ${pull.merged.by}</span>`}</p>
<details><summary>Commits</summary><table><tbody>${rows(commits)}</tbody></table></details>
<details><summary>Change</summary><pre class="diff">${diffLines(diff)}</pre></details>
${checks(viewing, repository, pull)}`;
}

/** A branch or an old head may be gone; the rest of the page is worth seeing all the same. */
async function gitOr({ world }: Viewing, repository: Repository, args: readonly string[]): Promise<string> {
  return world.git(repository, args).catch((error: Error) => error.message);
}

function rows(text: string): Part {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => html`<tr>${line.split("\t").map((cell) => html`<td>${cell}</td>`)}</tr>`);
}

function diffLines(diff: string): Part {
  const shown = diff.slice(0, SHOWN_DIFF).split("\n");
  return shown.map((line) => {
    const kind = line.startsWith("+")
      ? "add"
      : line.startsWith("-")
        ? "del"
        : /^(@@|diff)/.test(line)
          ? "at"
          : "";
    return html`<span class="${kind}">${line}</span>\n`;
  });
}

function checks(viewing: Viewing, { checkRuns, statuses }: Repository, { headSha }: Pull): Part {
  const runs = checkRuns.filter((run) => run.headSha === headSha);
  // Only the newest status of each context counts.
  const newest = new Map(
    statuses.filter(({ sha }) => sha === headSha).map((status) => [status.context, status]),
  );
  if (runs.length + newest.size === 0) return null;
  return html`<h2>Checks</h2><ul class="plain">${runs.map((run) => checkRow(viewing, run))}
${[...newest.values()].map(
  ({ context, state, description }) =>
    html`<li>${verdict(state)} <strong>${context}</strong> <span class="faint">${description}</span></li>`,
)}</ul>`;
}

function checkRow(viewing: Viewing, { id, name, status, conclusion, output, actions }: CheckRun): Html {
  const text = [output.summary, output.text].filter((part) => part !== null && part !== "").join("\n\n");
  return html`<li>${verdict(conclusion ?? status)} <strong>${name}</strong> <span class="faint">${output.title}</span>
${actions.map(({ label, identifier }) => button(viewing, { do: "press", id: String(id), identifier }, label))}
${text !== "" && html`<details><summary>details</summary>${renderMarkdown(text)}</details>`}</li>`;
}

function verdict(word: string): Html {
  const kind =
    word === "success" ? "good" : /^(failure|error|timed_out|cancelled)$/.test(word) ? "bad" : "warn";
  return html`<span class="${kind}">${word.replace("_", " ")}</span>`;
}
