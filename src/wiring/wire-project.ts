import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import { GitLedger } from "../adapters/git/ledger/git-ledger.js";
import { openRemote, type Remote } from "../adapters/git/remote/remote.js";
import type { TokenSource } from "../adapters/github/token-client.js";
import { AuditLog } from "../adapters/home/audit-log.js";
import { bindProject } from "../adapters/home/bind-project.js";
import { homeMark } from "../adapters/home/home-mark.js";
import { enterHome, type KoryphHome, locateHome, openHome } from "../adapters/home/koryph-home.js";
import { pinnedAccounts } from "../adapters/home/pinned-accounts.js";
import { openProject, type Project } from "../adapters/project/open-project.js";
import type { PinnedAccounts } from "../core/govern/account-pin.js";

/** A project with the state that belongs to it on this machine. */
export interface WiredProject extends Project {
  readonly home: KoryphHome;
  readonly projectHome: string;
  readonly ledger: GitLedger;
  readonly audit: AuditLog;
  /** Whose accounts agents may work on. */
  readonly accounts: PinnedAccounts;
  readonly remote: Remote;
  /** The same anew: whoever runs for days asks now and then how it is reached. */
  readonly openRemote: () => Promise<Remote>;
  readonly actor: string;
  /** Of this koryph. */
  readonly version: string;
  /** This machine and this home, told apart from others without naming a path. */
  readonly hostName: string;
}

/**
 * Whoever only looks does so also where nothing can be written. Where agents are to run, nothing is made unless they
 * would work on the accounts that the project pins.
 */
export async function wireProject(
  folder: string,
  version: string,
  use: "running" | "writing" | "looking" = "writing",
): Promise<WiredProject> {
  const project = await openProject(folder, version);
  const { config, root } = project;
  if (use === "running") {
    const { verifyAccounts } = await import("./verify-accounts.js");
    await verifyAccounts({ config, accounts: await pinnedAccounts(locateHome(), config.project_id) });
  }
  const reach = () => openRemote(root, config.ledger.remote);
  const home = () => (use === "looking" ? enterHome() : openHome());
  return wireOpened(project, { version, reach, home, actor: userInfo().username });
}

interface ProjectAccess {
  readonly version: string;
  readonly reach: () => Promise<Remote>;
  readonly home: () => Promise<KoryphHome>;
  readonly actor: string;
  readonly token?: TokenSource;
}

/** The same for a project that was opened before, reached as its caller says. */
export async function wireOpened(project: Project, access: ProjectAccess): Promise<WiredProject> {
  const { config, root } = project;
  const { version, reach, actor, token } = access;
  const remote = await reach();
  const home = await access.home();
  const projectHome = await bindProject(home, { id: config.project_id, root, remote: remote.url });
  const ledger = new GitLedger({
    gitDir: home.ledger(config.project_id),
    remote: remote.pushUrl,
    // A token may expire meanwhile; how an operator's checkout is reached does not change.
    env: token === undefined ? remote.env : async () => (await reach()).env,
    ref: config.ledger.ref,
    actor,
    now: Date.now,
  });
  const place = createHash("sha256")
    .update(`${await realpath(projectHome)}\n${await homeMark(projectHome)}`)
    .digest("hex")
    .slice(0, 12);
  const hostName = `${hostname()}#${place}`;
  const audit = new AuditLog(home.auditLog);
  const accounts = await pinnedAccounts(home, config.project_id);
  const wired = {
    home,
    projectHome,
    ledger,
    audit,
    accounts,
    remote,
    openRemote: reach,
    token,
    actor,
    version,
    hostName,
  };
  return { ...project, ...wired };
}
