import { spawn } from "node:child_process";
import { createHmac, generateKeyPairSync, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { report } from "../measure.js";

const SERVER = fileURLToPath(new URL("./app-intake-server.js", import.meta.url));
const PATH = "/api/github/webhooks";
const SECRET = "a secret of more than sixteen letters";
const ROUNDS = 3;
const SECONDS = 5;
const CONNECTIONS = 32;
const BODY_BYTES = 12_000;

interface Figures {
  readonly perSecond: number;
  readonly p99: number;
}

/** Deliveries kept on the disk before they are answered, against a Probot that forgets them; each in its own process. */
export async function benchIntake(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "koryph-bench-"));
  const bare = await startServer(["bare"]);
  const durable = await startServer(["durable", join(folder, "app", "koryph.db")]);
  try {
    const rounds: { bare: Figures; durable: Figures }[] = [];
    let taken = 0;
    // The round before the first warms the code up.
    for (let round = -1; round < ROUNDS; round += 1) {
      const seconds = round < 0 ? 1 : SECONDS;
      const [one, other] = [await load(bare.url, seconds), await load(durable.url, seconds)];
      taken += other.answered;
      if (round >= 0) rounds.push({ bare: one, durable: other });
    }
    const stored = await jobsIn(durable.url);
    if (stored < taken) throw new Error(`${taken} deliveries were accepted, and ${stored} are stored`);
    const best = (pick: (round: (typeof rounds)[number]) => Figures): Figures => ({
      perSecond: Math.max(...rounds.map((round) => pick(round).perSecond)),
      p99: Math.min(...rounds.map((round) => pick(round).p99)),
    });
    const [ours, theirs] = [best(({ durable }) => durable), best(({ bare }) => bare)];
    report("deliveries of 12 kB stored and answered, per second", ours.perSecond, "—");
    report("the same / Probot that stores nothing", ours.perSecond / theirs.perSecond, "≥ 0.3");
    report("99th percentile of the answers' time in ms", ours.p99, "—");
    report("the same / Probot that stores nothing", ours.p99 / theirs.p99, "≤ 5");
  } finally {
    await Promise.all([bare.end(), durable.end()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startServer(args: readonly string[]) {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const child = spawn(process.execPath, [SERVER, ...args], {
    env: { PATH: process.env.PATH, PRIVATE_KEY: privateKey, WEBHOOK_SECRET: SECRET },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const line = new Promise<string>((resolve) => createInterface(child.stdout).once("line", resolve));
  const url = await Promise.race([line, ended]);
  if (url === undefined) throw new Error(`the ${args[0]} server did not start`);
  const end = () => {
    child.stdin.end();
    return ended;
  };
  return { url, end };
}

/** As many deliveries as will go, each with a GUID of its own. Throws unless every one was taken. */
async function load(url: string, seconds: number): Promise<Figures & { readonly answered: number }> {
  const body = deliveryBody();
  const headers = {
    "content-type": "application/json",
    "x-github-event": "issue_comment",
    "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
  };
  const result = await autocannon({
    url: `${url}${PATH}`,
    method: "POST",
    body,
    headers,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [
      {
        setupRequest: (request) => ({
          ...request,
          headers: { ...headers, "x-github-delivery": randomUUID() },
        }),
      },
    ],
  });
  const { errors, timeouts, non2xx, latency, requests } = result;
  if (errors + timeouts + non2xx > 0)
    throw new Error(`${errors} errors, ${timeouts} timeouts, ${non2xx} refusals at ${url}`);
  return { perSecond: requests.total / result.duration, p99: latency.p99, answered: result["2xx"] };
}

function deliveryBody(): string {
  const payload = (body: string) =>
    JSON.stringify({
      action: "created",
      installation: { id: 1 },
      repository: { id: 1, full_name: "team/shop" },
      issue: { number: 1 },
      comment: { id: 1, body },
    });
  return payload("x".repeat(BODY_BYTES - payload("").length));
}

async function jobsIn(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = [...text.matchAll(/^koryph_inbox_jobs\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
