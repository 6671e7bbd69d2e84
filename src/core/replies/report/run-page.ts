import { type Html, html, type Part } from "../../../lib/markup/html.js";
import { plainText } from "../../../lib/plain-text.js";
import { durationText } from "../../../lib/time-text.js";
import type { JudgedReceipt } from "../../receipts/judge-chain.js";
import type { ReportRow, RunReport } from "../../run/plan/run-report.js";
import { shortSha } from "../land/quote.js";
import { findingText } from "../receipts/finding-words.js";
import { PAGE_STYLE } from "./page-style.js";
import { countsLine, groupName } from "./report-tables.js";
import { costText, ROW_HEAD, rowState, stateMood, webAddress } from "./row-cells.js";
import { timelineFigure } from "./timeline-figure.js";

/** What there is to say of a run in one page. */
export interface RunPageFacts {
  readonly project: string;
  readonly report: RunReport;
  readonly from: number;
  readonly to: number;
  /** The receipts of this run's landings, oldest first, each with what does not hold about it. */
  readonly receipts: readonly JudgedReceipt[];
  /** Which koryph wrote it. */
  readonly version: string;
}

/** The page, whole in itself: it names no other file, and nothing in it runs. */
export function runPage(facts: RunPageFacts): string {
  const { project, report, from, to } = facts;
  const rows = report.groups.flat();
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>koryph: ${shown(project)}, run ${shown(report.run)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><p class="brand">koryph</p><h1>${shown(project)}</h1>
<p class="faint">run <code>${shown(report.run)}</code>, began ${moment(from)}; ${report.ended === null ? "it is under way" : shown(report.ended.reason)}</p></header>
<main>
${figures(facts, rows)}
${timelineFigure(report, { from, to: lastMoment(report, to) })}
${waves(report)}
${costs(rows)}
${landings(facts)}
${next(rows)}
</main>
<footer class="faint">Written by koryph ${shown(facts.version)} at ${moment(report.now)}, from the ledger and the receipts of the repository.</footer>
</body>
</html>
`;
  return page.text;
}

/** Beads land after a run has ended, too. */
function lastMoment({ spans, now }: RunReport, to: number): number {
  return spans.reduce((last, span) => Math.max(last, span.to ?? now), to);
}

function figures({ from, to, receipts }: RunPageFacts, rows: readonly ReportRow[]): Html {
  const landed = rows.filter(({ status }) => status === "merged").length;
  const figure = (number: string, what: string) => html`<div><dt>${what}</dt><dd>${number}</dd></div>`;
  return html`<dl class="figures">
${figure(`${landed} of ${rows.length}`, "beads landed")}
${figure(`${sum(rows, ({ tries }) => tries)}`, "attempts of agents")}
${figure(durationText(to - from), "from start to end")}
${figure(money(rows), "as agents say")}
${figure(`${receipts.length}`, "landings with a receipt")}
</dl>
<p>${shown(countsLine(rows))}.</p>`;
}

function waves(report: RunReport): Html {
  const { groups, mode } = report;
  if (groups.length === 0)
    return html`<section><h2>Waves</h2><p class="nothing">Nothing was dispatched.</p></section>`;
  return html`<section><h2>${mode === "wave" ? "Waves" : "Dispatches"}</h2>
${groups.map((rows, index) => table(groupName(report, index), ROW_HEAD, rows.map(cells)))}</section>`;
}

function cells(row: ReportRow): readonly Part[] {
  const { bead, title, footprint, model, tries, note, status, pull } = row;
  const stuck = note !== "" && (status === "blocked" || status === "conflict");
  return [
    html`<code>${shown(bead)}</code>`,
    shown(title),
    [...footprint.writes, ...footprint.reads].map((token) => html`<code>${shown(token)}</code> `),
    shown(model),
    html`<span class="${stateMood(status)}">${shown(rowState(row))}</span>${stuck && html`<br><span class="faint">${shown(note)}</span>`}`,
    tries,
    costText(row),
    pull !== null && link(`#${pull.number}`, pull.url),
  ];
}

function costs(rows: readonly ReportRow[]): Html | null {
  const models = [...new Set(rows.map(({ model }) => model))].sort();
  if (rows.length === 0) return null;
  const line = (name: Part, some: readonly ReportRow[]): readonly Part[] => [
    name,
    some.length,
    sum(some, ({ tries }) => tries),
    money(some),
  ];
  return html`<section><h2>Costs</h2>
${table(
  "By model",
  ["Model", "Beads", "Attempts", "Cost"],
  [
    ...models.map((model) =>
      line(
        shown(model),
        rows.filter((row) => row.model === model),
      ),
    ),
    line(html`<strong>all</strong>`, rows),
  ],
)}</section>`;
}

const LANDING_HEAD = ["Bead", "Commit", "Approved by", "Green before", "Commits signed by", "Receipt"];

function landings({ receipts }: RunPageFacts): Html {
  if (receipts.length === 0)
    return html`<section><h2>Landings</h2><p class="nothing">None of its work has landed with a receipt yet.</p></section>`;
  return html`<section><h2>Landings</h2>
<p class="faint">Each landing moved the default branch to exactly the commit that was checked, and left a receipt. What is said of a receipt was verified anew for this page.</p>
${table("Receipts, oldest first", LANDING_HEAD, receipts.map(landing))}</section>`;
}

function landing({ commit, statement, finding }: JudgedReceipt): readonly Part[] {
  const worth =
    finding === null
      ? html`<span class="good">✓ signed, and holds</span>`
      : html`<span class="bad">✗ ${shown(findingText(finding))}</span>`;
  const receipt = html`<code>${shortSha(commit)}</code> ${worth}`;
  if (statement === null) return ["", "", "", "", "", receipt];
  const { bead, head, approvers, checks, gate, commits } = statement.predicate;
  const signers = [...new Set(commits.map(({ signer }) => (signer === "" ? "nobody" : signer)))];
  return [
    html`<code>${shown(bead.id)}</code> ${shown(bead.title)}`,
    html`<code>${shortSha(head)}</code>`,
    approvers.map(({ login, evidence }, at) => [at > 0 && ", ", link(login, evidence.url)]),
    [...checks.map(({ name }) => name), ...(gate === null ? [] : ["gate"])].map(shown).join(", "),
    signers.map(shown).join(", "),
    receipt,
  ];
}

function next(rows: readonly ReportRow[]): Html {
  const stuck = rows.filter(({ status }) => status === "blocked" || status === "conflict");
  const pulls = rows.filter(({ status }) => status === "pr-opened");
  const step = (command: string, what: Part) => html`<li><code>${shown(command)}</code> ${what}</li>`;
  return html`<section><h2>Where to look next</h2><ul>
${stuck.slice(0, 5).map(({ bead }) => step(`koryph show ${bead}`, "why it waits for a person, and what to do"))}
${pulls.length > 0 && step(`koryph land ${pulls[0]?.pull?.number ?? ""}`, "lands an approved pull request; /koryph land in a comment does the same")}
${step("koryph status", "how everything stands now")}
${step("koryph verify --all", "proves from the receipts that every commit came in this way")}
${step("koryph log", "the ledger that this page was made from")}
</ul></section>`;
}

function table(caption: string, head: readonly string[], rows: readonly (readonly Part[])[]): Html {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption>
<thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([first = "", ...rest]) =>
      html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>\n`,
  )}</tbody></table></div>`;
}

/** Only what leads to a page of the web becomes a link: addresses come from the ledger, where others can write. */
function link(text: string, url: string): Html {
  const address = webAddress(url);
  return address === "" ? html`${shown(text)}` : html`<a href="${address}">${shown(text)}</a>`;
}

function money(rows: readonly ReportRow[]): string {
  const known = rows.every(({ costKnown }) => costKnown);
  return `${known ? "" : "about "}$${sum(rows, ({ costUsd }) => costUsd).toFixed(2)}`;
}

function sum(rows: readonly ReportRow[], of: (row: ReportRow) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}

/** The same whatever the clock of whoever reads it. */
function moment(ms: number): Html {
  const at = Number.isFinite(ms) ? new Date(ms).toISOString() : "";
  return html`<time datetime="${at}">${at.slice(0, 19).replace("T", " ")} UTC</time>`;
}

function shown(text: string): string {
  return plainText(text);
}
