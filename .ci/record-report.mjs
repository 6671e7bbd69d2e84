// Takes pictures of what a run shows of itself, its check run and its report, from the demo:
//     npm run build && node .ci/record-report.mjs docs/images
// Needs Chromium on the PATH. The check run is rendered by the sandbox, which has no page for it.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { renderMarkdown } from "../dist/sandbox/page/markdown.js";
import { STYLE } from "../dist/sandbox/page/style.js";
import { photograph } from "./photograph.mjs";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node .ci/record-report.mjs <folder>");
const scratch = mkdtempSync(join(tmpdir(), "koryph-record-"));
const at = (name) => join(scratch, name);
const demo = spawn(
  process.execPath,
  ["dist/cli/main.js", "demo", "--keep", "--json", "--report", at("report.html")],
  { stdio: ["ignore", "ignore", "pipe"] },
);
try {
  const page = await keptPage(demo.stderr);
  const [, api, repository] = /^(http:\/\/[^/]+)\/_\/([^/]+\/[^/]+)/.exec(page);
  writeFileSync(at("check.html"), checkPage(await runCheck(api, repository)));
  photograph(pathToFileURL(at("check.html")).href, join(folder, "check-run.png"), "1000,586");
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

function checkPage({ name, conclusion, output: { title, summary } }) {
  const body = `<h1>${name}</h1><p>${conclusion}</p><h2>${title}</h2>${renderMarkdown(summary).text}`;
  return `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><main>${body}</main>`;
}
