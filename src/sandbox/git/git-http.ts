import { type ChildProcess, execFile, spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import type { Duplex } from "node:stream";
import { promisify } from "node:util";
import { LRUCache } from "lru-cache";
import { allows, credentialOf, identify, moverOf, sees } from "../auth/auth.js";
import { type Caller, HttpRefusal } from "../http/route.js";
import type { ServedWorld } from "../world/make-world.js";
import type { Move } from "../world/rules/move.js";
import type { Repository } from "../world/state.js";
import { answerHook, HOOK_LINE } from "./git-http-hook.js";
import { giveReasons } from "./push-report.js";
import { sandboxGitEnvironment } from "./world-git.js";
import { refValue } from "./world-refs.js";

export interface GitRequest {
  readonly repository: string;
  readonly service: "git-upload-pack" | "git-receive-pack";
  /** What is below the repository: `info/refs` or the service. */
  readonly rest: string;
}

/** What git asks for over HTTP; null for every other request. */
export function readGitRequest({ pathname, searchParams }: URL): GitRequest | null {
  const [, owner, name, rest] =
    /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(pathname) ?? [];
  if (owner === undefined || name === undefined || rest === undefined) return null;
  const service = rest === "info/refs" ? searchParams.get("service") : rest;
  if (service !== "git-upload-pack" && service !== "git-receive-pack") return null;
  return { repository: `${owner}/${name}`, service, rest };
}

export interface AdmittedGit {
  readonly asked: GitRequest;
  readonly caller: Caller;
  readonly repository: Repository;
}

/** Throws what GitHub answers to who may not. */
export function admitGit(
  world: ServedWorld,
  asked: GitRequest,
  authorization: string | undefined,
): AdmittedGit {
  const pushes = asked.service === "git-receive-pack";
  const caller = identify(world, credentialOf(authorization));
  const repository = world.repository(asked.repository);
  const visible = repository !== null && sees(world, caller, repository);
  // Git asks for a name and password only after a 401.
  if ((!visible || pushes) && caller.kind === "nobody")
    throw new HttpRefusal(401, "Authentication required.");
  if (!visible || caller.kind === "app") throw new HttpRefusal(404, "Repository not found.");
  if (caller.kind === "nobody") return { asked, caller, repository };
  const needs = { contents: pushes ? ("write" as const) : ("read" as const) };
  if (!allows(world, caller, { needs, repository }))
    throw new HttpRefusal(403, pushes ? "Write access to repository not granted." : "Access not granted.");
  return { asked, caller, repository };
}

/** Serves one request of git, by git itself. With `discard` the work is done and the answer left to the caller. */
export async function serveGit(
  world: ServedWorld,
  {
    admitted,
    request,
    response,
    discard,
  }: {
    readonly admitted: AdmittedGit;
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly discard: boolean;
  },
): Promise<void> {
  const { asked, caller, repository } = admitted;
  const run = { ...admitted, request };
  const isGreeting = asked.rest === "info/refs" && asked.service === "git-upload-pack";
  if (isGreeting && !discard && request.headers["git-protocol"] === "version=2") return greet(run, response);
  if (asked.rest !== "git-receive-pack") return streamBackend(run, response, discard);
  await world.inTurn(repository, async () => {
    const { head, body, moves } = await receive(world, run);
    await world.afterMoves(repository, moverOf(caller).login, await thoseDone(repository, moves));
    if (discard) return;
    writeHead(response, head);
    response.end(body);
  });
}

interface Run extends AdmittedGit {
  readonly request: IncomingMessage;
}

/** Refs that are now what the push wanted: where it was not atomic, some may have been refused. */
async function thoseDone(repository: Repository, moves: readonly Move[]): Promise<Move[]> {
  const done: Move[] = [];
  for (const move of moves) if ((await refValue(repository, move.ref)) === move.after) done.push(move);
  return done;
}

let backend: Promise<string> | null = null;

/** The program itself, not the `git` before it: one that is stopped must be the one that reads the request. */
function findBackend(): Promise<string> {
  backend ??= promisify(execFile)("git", ["--exec-path"]).then(({ stdout }) =>
    join(stdout.trim(), "git-http-backend"),
  );
  return backend;
}

async function startBackend({ asked, request, caller, repository }: Run) {
  const { headers } = request;
  const child = spawn(await findBackend(), {
    env: {
      ...sandboxGitEnvironment(),
      ...HOOK_LINE,
      GIT_PROJECT_ROOT: dirname(repository.gitDir),
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: `/${repository.name}.git/${asked.rest}`,
      QUERY_STRING: asked.rest === "info/refs" ? `service=${asked.service}` : "",
      CONTENT_TYPE: headers["content-type"] ?? "",
      REMOTE_USER: caller.kind === "nobody" ? "" : "caller",
      REMOTE_ADDR: "127.0.0.1",
      // Not told the length, it reads to the end; told it, it would wait in a busy loop for what does not come.
      ...(headers["content-encoding"] === undefined
        ? {}
        : { HTTP_CONTENT_ENCODING: headers["content-encoding"] }),
      ...(headers["git-protocol"] === undefined ? {} : { GIT_PROTOCOL: String(headers["git-protocol"]) }),
    },
    // The fourth is the line on which the pre-receive hook asks whether it may.
    stdio: ["pipe", "pipe", "ignore", "pipe"],
  });
  child.stdin?.on("error", () => {});
  child.once("error", () => {});
  // Who breaks off in the middle leaves git waiting for the rest, and everybody else for git.
  const giveUp = () => {
    if (request.complete) return;
    child.stdin?.destroy();
    child.kill();
  };
  if (request.destroyed) giveUp();
  else request.once("close", giveUp);
  if (child.stdin !== null) request.pipe(child.stdin);
  return child;
}

/** What a repository says of itself in protocol 2, before any ref is asked for: by its folder, always the same. */
const greetings = new LRUCache<string, { readonly head: string; readonly body: Buffer }>({ max: 500 });

async function greet(run: Run, response: ServerResponse): Promise<void> {
  const { gitDir } = run.repository;
  const greeting = greetings.get(gitDir) ?? (await wholeAnswer(await startBackend(run)));
  if (/^status:/im.test(greeting.head)) greetings.delete(gitDir);
  else greetings.set(gitDir, greeting);
  writeHead(response, greeting.head);
  response.end(greeting.body);
}

async function wholeAnswer({ stdout }: ChildProcess): Promise<{ head: string; body: Buffer }> {
  const pieces: Buffer[] = [];
  for await (const piece of stdout ?? []) pieces.push(piece as Buffer);
  const whole = Buffer.concat(pieces);
  const end = whole.indexOf("\r\n\r\n");
  return { head: whole.subarray(0, end).toString(), body: whole.subarray(end + 4) };
}

async function streamBackend(run: Run, response: ServerResponse, discard: boolean): Promise<void> {
  const child = await startBackend(run);
  response.once("close", () => child.kill());
  let head: Buffer | null = Buffer.alloc(0);
  for await (const piece of child.stdout ?? []) {
    if (discard) continue;
    if (head === null) {
      response.write(piece);
      continue;
    }
    head = Buffer.concat([head, piece as Buffer]);
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) continue;
    writeHead(response, head.subarray(0, end).toString());
    response.write(head.subarray(end + 4));
    head = null;
  }
  if (!discard) response.end();
}

async function receive(
  world: ServedWorld,
  run: Run,
): Promise<{ head: string; body: Buffer; moves: readonly Move[] }> {
  const child = await startBackend(run);
  const hook = answerHook(child.stdio[3] as Duplex, {
    ...{ world, repository: run.repository },
    mover: moverOf(run.caller),
  });
  const { head, body } = await wholeAnswer(child);
  const reasons = new Map(hook.refusals().map(({ ref, reason }) => [ref, reason]));
  return {
    head,
    body: reasons.size === 0 ? body : giveReasons(body, reasons),
    moves: hook.moves(),
  };
}

/** The backend speaks CGI: headers, and the status as one of them. */
function writeHead(response: ServerResponse, text: string): void {
  const headers: Record<string, string> = {};
  let status = 200;
  for (const line of text.split("\r\n")) {
    const [, name = "", value = ""] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
    else if (name !== "") headers[name] = value;
  }
  response.writeHead(status, headers);
}
