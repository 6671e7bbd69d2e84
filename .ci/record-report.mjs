// Takes pictures of what a run shows of itself, its check run, its job summary and its report, from the demo:
//     npm run build && node .ci/record-report.mjs docs/images path/to/mermaid.min.js
// Needs Chromium on the PATH, and Mermaid's bundle (`npm install mermaid` in another folder), which GitHub has of its
// own. Check run and summary are rendered by the sandbox, which has no page for them.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { renderMarkdown } from "../dist/sandbox/page/markdown.js";
import { STYLE } from "../dist/sandbox/page/style.js";
import { photograph } from "./photograph.mjs";

const [folder, mermaid] = process.argv.slice(2);
if (mermaid === undefined) throw new Error("usage: node .ci/record-report.mjs <folder> <mermaid.min.js>");
const scratch = mkdtempSync(join(tmpdir(), "koryph-record-"));
const at = (name) => join(scratch, name);
const demo = spawn(
  process.execPath,
  ["dist/cli/main.js", "demo", "--keep", "--json", "--report", at("report.html")],
  { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, TMPDIR: scratch } },
);
try {
  const page = await keptPage(demo.stderr);
  const [, api, repository] = /^(http:\/\/[^/]+)\/_\/([^/]+\/[^/]+)/.exec(page);
  writeFileSync(at("check.html"), checkPage(await runCheck(api, repository)));
  photograph(pathToFileURL(at("check.html")).href, join(folder, "check-run.png"), "1000,586");
  writeFileSync(at("summary.html"), summaryPage(keptSummary()));
  photograph(pathToFileURL(at("summary.html")).href, join(folder, "job-summary.png"), "1000,1180");
  photograph(pathToFileURL(at("report.html")).href, join(folder, "report.png"), "1000,760");
} finally {
  demo.kill("SIGINT");
  rmSync(scratch, { recursive: true, force: true });
}

/** The first address of a repository's page that the demo names once its servers are left running. */
async function keptPage(stream) {
  for await (const line of createInterface({ input: stream })) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+\/_\/[\w./-]+/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error("the demo ended before it left anything running");
}

/** Of the run that the demo tells of, on the commit that it began on. */
async function runCheck(api, repository) {
  const commits = await (await fetch(`${api}/repos/${repository}/commits?per_page=30`)).json();
  for (const { sha } of commits) {
    const { check_runs: found } = await (
      await fetch(`${api}/repos/${repository}/commits/${sha}/check-runs`)
    ).json();
    const run = found.find(({ name }) => name === "koryph / run");
    if (run !== undefined) return run;
  }
  throw new Error("there is no check run of a run");
}

/** What the Action wrote last for the page of its workflow run. */
function keptSummary() {
  const path = readdirSync(scratch, { recursive: true }).find((name) => /(^|\/)summary$/.test(name));
  if (path === undefined) throw new Error("the demo left no job summary");
  return readFileSync(at(path), "utf8");
}

function summaryPage(markdown) {
  const charts = renderMarkdown(markdown).text.replace(
    /<pre><code>(gantt[\s\S]*?)<\/code><\/pre>/g,
    `<pre class="mermaid">$1</pre>`,
  );
  const script = `<script src="${pathToFileURL(resolve(mermaid)).href}"></script><script>mermaid.initialize({ startOnLoad: true });</script>`;
  return `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><main>${charts}</main>${script}`;
}

function checkPage({ name, conclusion, output: { title, summary } }) {
  const body = `<h1>${name}</h1><p>${conclusion}</p><h2>${title}</h2>${renderMarkdown(summary).text}`;
  return `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><main>${body}</main>`;
}
