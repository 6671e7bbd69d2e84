import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KoryphHome } from "../../adapters/home/koryph-home.js";
import { openLog } from "../../app/http/server-log.js";
import { readSettings } from "../../app/serve/read-settings.js";
import { type RunningApp, startServing } from "../../app/serve/serve-until-stopped.js";
import { PROJECT_FILE } from "../../core/config/project-file.js";
import { APP_PERMISSIONS } from "../../core/model/app-permissions.js";
import { HANDLED_EVENTS, WEBHOOK_PATH } from "../../core/model/delivery.js";
import { ALLOWED_SIGNERS } from "../../core/replies/sign/signing.js";
import { UserError } from "../../lib/user-error.js";
import { type Sandbox, startSandbox } from "../../sandbox/sandbox.js";
import { act } from "../../sandbox/world/act.js";
import { label, openIssue } from "../../sandbox/world/people.js";
import { DEMO_AGENT } from "./demo-agent.js";
import { DEMO_CI, DEMO_FILES, DEMO_ISSUES, DEMO_PROJECT } from "./demo-backlog.js";
import { guardRepository, publicKeyAt, workflowText } from "./guard-repository.js";

export const DEMO_REPOSITORY = "corner/kiosk";
const PEOPLE = [
  ["marge", "maintain"],
  ["alice", "write"],
] as const;
const STRANGER = "mallory";

/** A GitHub with a shop's repository, the App on it, and what a runner of the shop's has. */
export interface DemoWorld {
  /** Everything the demo makes lies below this folder. */
  readonly top: string;
  readonly sandbox: Sandbox;
  readonly appUrl: string;
  readonly runner: DemoRunner;
  close(): Promise<void>;
}

interface DemoRunner {
  /** The checkout that its jobs work in. */
  readonly workspace: string;
  readonly home: KoryphHome;
  readonly scratch: string;
  readonly token: string;
}

/** `top` is empty, and whoever made it removes it. */
export async function makeDemoWorld(top: string): Promise<DemoWorld> {
  const sandbox = await startSandbox({ folder: join(top, "github") });
  let app: RunningApp | null = null;
  try {
    const agent = join(top, "agent.sh");
    await writeFile(agent, DEMO_AGENT);
    await chmod(agent, 0o755);
    const keys = { app: join(top, "app-key"), runner: join(top, "runner-key") };
    await makeRepository(sandbox, agent, keys);
    const koryph = await sandbox.addApp({
      ...{ slug: "koryph", permissions: APP_PERMISSIONS, events: HANDLED_EVENTS },
    });
    sandbox.install(koryph, [DEMO_REPOSITORY]);
    guardRepository(sandbox, DEMO_REPOSITORY, { check: DEMO_CI.job, signed: false, app: koryph.id });
    sandbox.addWorkflow(DEMO_REPOSITORY, DEMO_CI);
    const home = join(top, "app-home");
    await mkdir(home, { mode: 0o700 });
    await writeFile(join(home, "agents.json"), agentsText(agent));
    const settings = readSettings(
      {
        ...{ APP_ID: `${koryph.id}`, PRIVATE_KEY: koryph.privateKey, WEBHOOK_SECRET: koryph.webhookSecret },
        ...{ GITHUB_API_URL: sandbox.url, GITHUB_SERVER_URL: sandbox.url, PORT: "0", LOG_LEVEL: "warn" },
        ...{ KORYPH_HOME: home, KORYPH_SIGNING_KEY_PATH: keys.app },
      },
      { host: "127.0.0.1", localAgents: DEMO_REPOSITORY },
    );
    const { startApp } = await import("../../app/start-app.js");
    const log = openLog({ level: "silent", format: "json", secrets: [], write: () => {} });
    app = await startServing({ settings, log, start: startApp });
    sandbox.setWebhook(koryph, `${app.url}${WEBHOOK_PATH}`);
    await fileIssues(sandbox);
    const runner = await makeRunner(sandbox, top);
    const running = app;
    return {
      ...{ top, sandbox, appUrl: app.url, runner },
      close: async () => {
        await running.stop();
        await sandbox.close();
      },
    };
  } catch (error) {
    await app?.stop();
    await sandbox.close();
    throw error;
  }
}

function agentsText(agent: string): string {
  const agents = { default_runtime: DEMO_PROJECT.default_runtime, runtimes: { demo: { command: [agent] } } };
  return `${JSON.stringify(agents)}\n`;
}

async function makeRepository(
  sandbox: Sandbox,
  agent: string,
  keys: { readonly app: string; readonly runner: string },
): Promise<void> {
  const principal = `koryph@${DEMO_PROJECT.project_id}`;
  const project = {
    ...DEMO_PROJECT,
    runtimes: { demo: { command: [agent] } },
    signing: { required: true, provider: "file", key_ref: keys.runner },
  };
  const signers = [
    `${principal} namespaces="git" ${await publicKeyAt(keys.runner, principal)}`,
    `${principal} namespaces="git,koryph-receipt" ${await publicKeyAt(keys.app, principal)}`,
  ];
  sandbox.addUser("corner", "Organization");
  const [owner = "", name = ""] = DEMO_REPOSITORY.split("/");
  await sandbox.addRepository({
    ...{ owner, name },
    files: {
      ...DEMO_FILES,
      [PROJECT_FILE]: `${JSON.stringify(project, null, 2)}\n`,
      [ALLOWED_SIGNERS]: `${signers.join("\n")}\n`,
      [`.github/workflows/${DEMO_CI.file}`]: workflowText(DEMO_CI, "node --test"),
    },
  });
  for (const [login, role] of PEOPLE) sandbox.setRole(DEMO_REPOSITORY, login, role);
  sandbox.addUser(STRANGER);
}

async function fileIssues({ world }: Sandbox): Promise<void> {
  const api = `/repos/${DEMO_REPOSITORY}/issues`;
  for (const { title, body, labels, epic, stranger } of DEMO_ISSUES) {
    const author = stranger ? STRANGER : "alice";
    const number = await openIssue(world, DEMO_REPOSITORY, author, { title, body, labels });
    if (!stranger) await label(world, DEMO_REPOSITORY, number, "marge", "koryph:release");
    const id = world.repository(DEMO_REPOSITORY)?.issues.find((issue) => issue.number === number)?.id ?? 0;
    if (epic !== undefined)
      await act(world, "marge", {
        method: "POST",
        path: `${api}/${epic}/sub_issues`,
        sent: { sub_issue_id: id },
      });
  }
}

/** A runner acts as an App of its own, which no rule lets past, and whose pushes start checks. */
async function makeRunner(sandbox: Sandbox, top: string): Promise<DemoRunner> {
  const permissions = { metadata: "read", contents: "write", issues: "write" } as const;
  const app = await sandbox.addApp({
    ...{ slug: "kiosk-runner", events: [] },
    permissions: { ...permissions, pull_requests: "write", checks: "write" },
  });
  sandbox.install(app, [DEMO_REPOSITORY]);
  const scratch = join(top, "runner");
  await mkdir(scratch);
  const home = new KoryphHome(join(scratch, "koryph"));
  return { workspace: join(scratch, "workspace"), home, scratch, token: sandbox.installationToken(app) };
}

export async function makeDemoFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "koryph-demo-")).catch((error: Error) => {
    throw new UserError(
      `no temporary folder can be made: ${error.message}`,
      "set TMPDIR to a folder that exists",
    );
  });
}

export async function removeDemoFolder(top: string): Promise<void> {
  await rm(top, { recursive: true, force: true, maxRetries: 5 });
}
