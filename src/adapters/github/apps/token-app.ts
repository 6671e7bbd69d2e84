import { z } from "zod";
import type { GithubApp, Octokit } from "../app-client.js";
import type { AppIdentity } from "../app-directory.js";
import { VIEWER } from "../documents/review-threads.js";
import { statusOf } from "../request-error.js";
import { tokenClient } from "../token-client.js";
import { readAppByName } from "./read-app.js";

/** What a token is of: of a workflow run, of an App's installation, or of a person. */
type TokenKind = "workflow" | "app" | "person";

export interface TokenApp {
  readonly app: GithubApp;
  readonly kind: TokenKind;
  readonly identity: AppIdentity;
}

const Viewer = z.object({ viewer: z.object({ login: z.string().min(1) }) });

const ACTIONS = "github-actions";
const ACTIONS_APP_ID = 15_368;
const BOT = "[bot]";

/** Speaks for one token, and for one repository: there are no installations to choose from. */
export async function tokenApp(at: {
  readonly apiUrl: string;
  readonly serverUrl: string;
  readonly token: string;
}): Promise<TokenApp> {
  const client = await tokenClient(at);
  const login = await viewerOf(client);
  const app = { serverUrl: at.serverUrl, asApp: async () => client, asInstallation: async () => client };
  const slug = login.endsWith(BOT) ? login.slice(0, -BOT.length) : login;
  const kind = slug === ACTIONS ? "workflow" : login.endsWith(BOT) ? "app" : "person";
  const known = kind === "app" ? await readAppByName(client, slug) : null;
  const id = kind === "workflow" ? ACTIONS_APP_ID : known?.kind === "seen" ? known.id : 0;
  return { app, kind, identity: { id, slug, clientId: null, botLogin: `${slug}${BOT}` } };
}

/** Where GitHub does not say, it is taken for the token that can do least. */
async function viewerOf(client: Octokit): Promise<string> {
  try {
    return Viewer.parse(await client.graphql(VIEWER)).viewer.login;
  } catch (error) {
    if (statusOf(error) === 403) return `${ACTIONS}${BOT}`;
    throw error;
  }
}
