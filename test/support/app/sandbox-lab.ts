import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { Probot, ProbotOctokit } from "probot";
import { expect, onTestFinished } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox/sandbox.js";

const run = promisify(execFile);

/** One key for all apps of a test file: making one takes as long as everything else in a test. */
export const { privateKey: APP_KEY } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
});

/** A loopback GitHub that goes when the test ends, and must have had nothing to complain of unless the test says so. */
export async function openSandbox(
  options: Parameters<typeof startSandbox>[0] & { readonly problems?: "expected" } = {},
): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(async () => {
    await sandbox.close();
    if (options.problems !== "expected") expect(sandbox.problems).toEqual([]);
  });
  return sandbox;
}

/** Git as a person's machine runs it. Throws with what git said. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    ...{ GIT_AUTHOR_NAME: "Ann", GIT_AUTHOR_EMAIL: "ann@example.com" },
    ...{ GIT_COMMITTER_NAME: "Ann", GIT_COMMITTER_EMAIL: "ann@example.com" },
  };
  const { stdout, stderr } = await run("git", ["-C", folder, ...args], { env });
  return `${stdout}${stderr}`;
}

/** The address of a repository with a token in it. */
export function addressOf(sandbox: Sandbox, repository: string, token: string): string {
  return `${sandbox.url.replace("//", `//x-access-token:${token}@`)}/${repository}.git`;
}

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: payloads are read like GitHub's clients read them
  readonly payload: any;
}

/** A place webhooks are sent to; it answers with `status`. */
export async function openReceiver(): Promise<{
  url: string;
  received: Received[];
  answer: { status: number };
}> {
  const received: Received[] = [];
  const answer = { status: 202 };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request.setEncoding("utf8")) text += piece;
    received.push({ headers: request.headers, text, payload: JSON.parse(text) });
    response.writeHead(answer.status).end("noted");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received, answer };
}

/** What an app uses to talk to GitHub: without an installation, as itself. Nothing is spaced out or tried again. */
export function octokitOf(
  sandbox: Sandbox,
  { id, privateKey }: { readonly id: number; readonly privateKey: string },
  installation?: number,
): Promise<ProbotOctokit> {
  const Octokit = ProbotOctokit.defaults((given: object) => ({
    ...given,
    throttle: { enabled: false },
    retry: { enabled: false },
  }));
  const probot = new Probot({ appId: id, privateKey, baseUrl: sandbox.url, Octokit, logLevel: "fatal" });
  return probot.auth(installation);
}
