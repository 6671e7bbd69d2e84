import { KeptAppFiles } from "../../adapters/home/kept-app-files.js";
import { openHome } from "../../adapters/home/koryph-home.js";
import { appSetupAdvice, appSetupWords } from "../../core/replies/app/setup/setup-words.js";
import type { SentChoices } from "../../core/setup/app-choices.js";
import { UserError } from "../../lib/user-error.js";
import { appVariables } from "../serve/kept-settings.js";
import { nextSignal } from "../serve/next-signal.js";
import { readGitHub, readPort, type ServeFlags } from "../serve/read-settings.js";
import { takeServerLock } from "../serve/serve-lock.js";
import { type Conversion, SetupAnswers } from "./answer-setup.js";
import { convertAndKeep } from "./convert-and-keep.js";
import { startSetupServer } from "./setup-server.js";
import { SetupSession } from "./setup-session.js";

interface Setup {
  readonly env: NodeJS.ProcessEnv;
  readonly flags: Pick<ServeFlags, "port" | "smee">;
  readonly say: (line: string) => void;
  /** Shorter ones, for tests. */
  readonly lifeMs?: number;
}

const LIFE_MS = 10 * 60 * 1000;
const LOOK_MS = 1_000;

/** Serves the set-up page until the App is set up, nobody goes on with it, or a signal comes. */
export async function setUpApp({ env, flags, say, lifeMs = LIFE_MS }: Setup): Promise<void> {
  const variables = appVariables(env);
  if (variables.length > 0) throw UserError.of(appSetupAdvice.configured(variables));
  const github = readGitHub(env);
  const port = readPort(flags.port ?? (env.PORT || "3000"));
  // What GitHub says once has to find its place, so that is proved before anything is offered.
  const home = await openHome(env);
  const chosen = (env.KORYPH_HOME ?? "") === "" ? null : home.path;
  const release = await takeServerLock(home);
  try {
    const files = new KeptAppFiles(home);
    const app = files.read();
    if (app !== null) throw UserError.of(appSetupAdvice.kept(app.slug, app.app_id, files.folder));
    if (files.isUnfinished) {
      const recovered = await files.finish();
      say(appSetupWords.recovered(files.folder));
      const done = { app: recovered, folder: files.folder, home: chosen };
      for (const line of appSetupWords.done(done)) say(line);
      return;
    }
    const smee = flags.smee ?? env.WEBHOOK_PROXY_URL ?? "";
    await serveSetup({ github, files, port, say, lifeMs, smee, home: chosen });
  } finally {
    await release();
  }
}

interface Serving extends Required<Pick<Setup, "say" | "lifeMs">> {
  readonly github: { readonly apiUrl: string; readonly serverUrl: string };
  readonly files: KeptAppFiles;
  readonly port: number;
  readonly smee: string;
  readonly home: string | null;
}

async function serveSetup({ github, files, port, say, lifeMs, smee, home }: Serving): Promise<void> {
  const session = new SetupSession({ lifeMs, now: Date.now });
  const end = ending();
  let answers: SetupAnswers | null = null;
  const server = await startSetupServer(port, async (request) => {
    if (answers === null) throw new Error("asked before it was ready");
    return answers.answer(request);
  });
  answers = new SetupAnswers({
    ...{ session, url: server.url, serverUrl: github.serverUrl, home, firstChoices: firstChoices(smee) },
    convert: async (code, choices) => {
      const result = await convertAndKeep(github, files, { code, choices });
      if (result.kind === "app" || result.kind === "end") end.with(result);
      return result;
    },
  });
  const signal = nextSignal(() => end.with("signal"));
  const looking = setInterval(() => session.isOver && end.with("over"), Math.min(LOOK_MS, lifeMs));
  try {
    for (const line of appSetupWords.open(`${server.url}${session.linkPath}`, new URL(server.url).port))
      say(line);
    const ended = await end.arrived;
    clearInterval(looking);
    // With an exchange under way, its end is the end.
    await server.stop();
    const last = end.last() ?? ended;
    if (last === "signal") return say(appSetupWords.stopped());
    if (last === "over") throw UserError.of(appSetupAdvice.over(github.serverUrl));
    if (last.kind === "end") throw UserError.of(last.advice);
    for (const line of appSetupWords.done({ ...last, home })) say(line);
  } finally {
    clearInterval(looking);
    signal.forget();
    await server.stop();
  }
}

type Ended = "signal" | "over" | Extract<Conversion, { kind: "app" | "end" }>;

/** What ends it; what GitHub said counts more than what came before. */
function ending() {
  let arrive = (_: Ended) => {};
  const arrived = new Promise<Ended>((resolve) => {
    arrive = resolve;
  });
  let last: Ended | null = null;
  const set = (what: Ended) => {
    if (last === null || typeof what === "object") last = what;
    arrive(what);
  };
  return { arrived, with: set, last: () => last };
}

function firstChoices(smee: string): SentChoices {
  const reach = smee === "" ? "address" : "smee";
  return { name: "", owner: "person", organisation: "", reach, address: "", channel: smee };
}
