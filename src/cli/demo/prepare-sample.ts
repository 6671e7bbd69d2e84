import { createPublicKey, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../../adapters/files/write-atomically.js";
import { HANDLED_EVENTS, WEBHOOK_PATH } from "../../core/model/delivery.js";
import { ALLOWED_SIGNERS } from "../../core/replies/sign/signing.js";
import { envFileText } from "../../core/replies/surfaces/sandbox.js";
import { withSigner } from "../../core/sign/allowed-signers.js";
import type { Sandbox } from "../../sandbox/sandbox.js";
import type { App } from "../../sandbox/world/app-state.js";
import { openIssue } from "../../sandbox/world/people.js";
import type { RoleName } from "../../sandbox/world/state.js";
import { guardRepository, publicKeyAt } from "./guard-repository.js";
import { SAMPLE } from "./sandbox-sample.js";

const FULL_NAME = `${SAMPLE.owner}/${SAMPLE.name}`;
const SLUG = "koryph";

interface Place {
  readonly folder: string;
  /** Where the App listens, without a path. */
  readonly appUrl: string;
}

export interface PreparedSample {
  /** What `koryph serve` needs in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The same as a file. */
  readonly envFile: string;
  /** Where a person begins. */
  readonly page: string;
  readonly people: readonly SamplePerson[];
  /** The address of the repository with the credentials of somebody who may push. */
  readonly clone: string;
}

interface SamplePerson {
  readonly login: string;
  readonly role: RoleName;
  /** For git and the API; it stays the same. */
  readonly token: string;
}

/**
 * Makes the sample complete, whatever of it is there already: a folder can be used again, and an earlier start may
 * have been cut off at any point.
 */
export async function prepareSample(sandbox: Sandbox, place: Place): Promise<PreparedSample> {
  const { world } = sandbox;
  for (const [login] of SAMPLE.people) if (world.user(login) === null) sandbox.addUser(login);
  if (world.repository(FULL_NAME) === null) {
    await sandbox.addRepository({ owner: SAMPLE.owner, name: SAMPLE.name, files: SAMPLE.files });
  }
  sandbox.addWorkflow(FULL_NAME, SAMPLE.ci);
  const people = SAMPLE.people.map(([login, role]) => {
    sandbox.setRole(FULL_NAME, login, role);
    return { login, role, token: sandbox.shownTokenFor(login) };
  });
  const env = await prepareApp(sandbox, place);
  guardRepository(sandbox, FULL_NAME, {
    ...{ check: SAMPLE.ci.job, signed: false, app: Number(env.APP_ID), people: [SAMPLE.developer] },
  });
  const envFile = join(place.folder, "app.env");
  await writeAtomically(envFile, envFileText(env));
  const page = `${sandbox.url}/_/${FULL_NAME}/${await prepareThreads(sandbox)}`;
  const { developer } = SAMPLE;
  const clone = `${sandbox.url.replace("://", `://${developer}:${sandbox.shownTokenFor(developer)}@`)}/${FULL_NAME}.git`;
  return { env, envFile, page, people, clone };
}

/** The App's key is handed out once, so an App whose key is not in the folder is of no use any more. */
async function prepareApp(sandbox: Sandbox, { folder, appUrl }: Place): Promise<Record<string, string>> {
  const { state } = sandbox;
  const keyFile = join(folder, "app.pem");
  const key = await readFile(keyFile, "utf8").catch(() => null);
  let app = state.apps.find(({ slug }) => slug === SLUG);
  if (app === undefined || key === null || !isKeyOf(key, app)) {
    state.apps = state.apps.filter(({ slug }) => slug !== SLUG);
    app = await newApp(sandbox, keyFile);
  }
  app.webhookUrl = `${appUrl}${WEBHOOK_PATH}`;
  return {
    APP_ID: String(app.id),
    PRIVATE_KEY_PATH: keyFile,
    WEBHOOK_SECRET: app.webhookSecret,
    GITHUB_API_URL: sandbox.url,
    GITHUB_SERVER_URL: sandbox.url,
    PORT: new URL(appUrl).port || "80",
    // The App's store and lock have no business in the operator's own home.
    KORYPH_HOME: join(folder, "home"),
    KORYPH_TOKEN_KEY: await tokenKey(join(folder, "token.key")),
    KORYPH_SIGNING_KEY_PATH: await prepareKey(sandbox, join(folder, "signing.key")),
  };
}

/** A start that was cut off may have left a key of an App that was never kept, or the other way round. */
function isKeyOf(privateKey: string, { publicKey }: App): boolean {
  return createPublicKey(privateKey).equals(createPublicKey(publicKey));
}

async function newApp(sandbox: Sandbox, keyFile: string): Promise<App> {
  const { id, privateKey } = await sandbox.addApp({
    slug: SLUG,
    permissions: SAMPLE.permissions,
    events: [...HANDLED_EVENTS],
    webhookSecret: randomBytes(24).toString("hex"),
  });
  await writeAtomically(keyFile, privateKey);
  sandbox.install({ id }, [FULL_NAME]);
  const app = sandbox.state.apps.find((each) => each.id === id);
  if (app === undefined) throw new Error(`the App ${id} was added and is not there`);
  return app;
}

/** What the App signs receipts and rebased commits with; the default branch names it. */
async function prepareKey({ world, commit }: Sandbox, path: string): Promise<string> {
  const principal = `${SLUG}@${SAMPLE.name}`;
  const publicKey = await publicKeyAt(path, principal);
  const repository = world.repository(FULL_NAME);
  if (repository === null) throw new Error(`${FULL_NAME} is not there`);
  const before = await world.git(repository, ["show", `main:${ALLOWED_SIGNERS}`]).catch(() => "");
  const after = withSigner(before, principal, publicKey);
  if (after === before) return path;
  const by = { author: SAMPLE.owner, message: "chore: allow koryph to sign" };
  await commit(FULL_NAME, "main", { [ALLOWED_SIGNERS]: after }, by);
  return path;
}

/** Linked accounts are kept encrypted with it. */
async function tokenKey(path: string): Promise<string> {
  const found = await readFile(path, "utf8").catch(() => "");
  if (found !== "") return found;
  const made = randomBytes(32).toString("hex");
  await writeAtomically(path, made);
  return made;
}

/** Issues and the pull request; the number of the latter. */
async function prepareThreads(sandbox: Sandbox): Promise<number> {
  const { world } = sandbox;
  const threads = () => world.repository(FULL_NAME)?.issues ?? [];
  for (const { author, title, body, labels } of SAMPLE.issues) {
    if (threads().some((issue) => issue.title === title)) continue;
    await openIssue(world, FULL_NAME, author, { title, body, labels });
  }
  const { branch, files, title, body } = SAMPLE.pull;
  const opened = threads().find(({ pull }) => pull?.headRef === branch);
  if (opened !== undefined) return opened.number;
  const author = `${SLUG}[bot]`;
  await sandbox.commit(FULL_NAME, branch, files, { author, message: title });
  return (await sandbox.openPull(FULL_NAME, { author, head: branch, title, body })).number;
}
