// Takes a picture of a pull request on which people talk to koryph, from the sandbox and the real App:
//     npm run build && node .ci/record-thread.mjs docs/images/pull-request.png
// Needs Chromium on the PATH, and a font with emoji.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { photograph } from "./photograph.mjs";

const SAID = [
  ["alice", "/koryph why"],
  ["marge", "/koryph hold until the release notes are written"],
];
const SIZE = "860,1340";

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error("usage: node .ci/record-thread.mjs <file.png>");
const sandbox = spawn(process.execPath, ["dist/cli/main.js", "sandbox", "--app", "--port", "0", "--json"], {
  stdio: ["ignore", "pipe", "inherit"],
  env: { ...process.env, LOG_LEVEL: "warn" },
});
try {
  const told = await firstLine(sandbox.stdout);
  for (const [login, body] of SAID) await say(JSON.parse(told), login, body);
  // The answer to why is written when koryph has looked at the pull request.
  await delay(8_000);
  photograph(`${JSON.parse(told).url}/_/you/playground/4`, target, SIZE);
} finally {
  sandbox.kill("SIGINT");
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line;
}

/** Comments, and waits for the reply. */
async function say({ url, people }, login, body) {
  const { token } = people.find((person) => person.login === login);
  const comments = `${url}/repos/you/playground/issues/4/comments`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const before = (await (await fetch(comments)).json()).length;
  await fetch(comments, { method: "POST", headers, body: JSON.stringify({ body }) });
  while ((await (await fetch(comments)).json()).length < before + 2) await delay(200);
}
