import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { issueToken } from "../../../src/sandbox/auth/auth.js";
import { AppWorld, type AppWorldOptions, REPOSITORY } from "../app/app-world.js";
import { type CompositeResult, type JobFate, runComposite } from "../cli/run-composite.js";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));

/** Nothing listens there: deliveries are written down, and that is all. */
const NOWHERE = "http://127.0.0.1:1/";

/** What the generated workflow asks for. */
const PERMISSIONS: Readonly<Record<string, "read" | "write">> = {
  ...{ metadata: "read", contents: "write", issues: "write", pull_requests: "write" },
  ...{ checks: "write", actions: "read", statuses: "read" },
};

export interface GivenEvent {
  readonly name: string;
  readonly payload: unknown;
}

export interface GivenRun {
  readonly fate?: JobFate;
  /** A run that was there before is run again. */
  readonly again?: number;
  /** Earlier attempts died before they began. */
  readonly attempt?: number;
  readonly token?: string;
  /** In place of the event's file as GitHub writes it. */
  readonly file?: string | null;
  readonly env?: Readonly<Record<string, string>>;
}

export interface EventRunResult extends CompositeResult {
  readonly run: number;
  readonly token: string;
}

/** A loopback GitHub whose events start workflow runs, one at a time, as the test says. No server is there. */
export class EventsWorld {
  readonly app: AppWorld;
  readonly #attempts = new Map<number, number>();

  private constructor(app: AppWorld) {
    this.app = app;
  }

  static async open(options: AppWorldOptions = {}): Promise<EventsWorld> {
    const app = await AppWorld.open(options);
    onTestFinished(() => app.close());
    app.webhook = NOWHERE;
    return new EventsWorld(app);
  }

  get sandbox() {
    return this.app.sandbox;
  }

  /** The event that a comment makes. */
  async says(login: string, thread: number, body: string): Promise<{ id: number; event: GivenEvent }> {
    const id = await this.app.as(login).writes(thread, body);
    return { id, event: await this.newest("issue_comment") };
  }

  /** The last event of this kind, as a workflow run gets it. */
  async newest(event: string, name = event): Promise<GivenEvent> {
    await this.sandbox.settled();
    const found = this.sandbox.state.deliveries.findLast((each) => each.event === event);
    if (found === undefined) throw new Error(`no ${event}`);
    const { installation: _, ...payload } = found.payload;
    return { name, payload };
  }

  readonly schedule: GivenEvent = { name: "schedule", payload: { schedule: "23 * * * *" } };

  workflowToken(permissions: Readonly<Record<string, "read" | "write">> = PERMISSIONS): string {
    return this.sandbox.actionsToken(REPOSITORY, permissions);
  }

  /** Of the installation of an App called koryph. */
  appToken(): string {
    const app = this.sandbox.state.apps.find(({ slug }) => slug === "koryph");
    const installation = app?.installations[0];
    if (app === undefined || installation === undefined) throw new Error("no app");
    return issueToken(this.sandbox.world, "ghs_", {
      ...{ kind: "installation", login: null, app: app.id, installation: installation.id, expiresAt: null },
      ...{ permissions: app.permissions, repositories: [REPOSITORY] },
    });
  }

  /** A workflow run of the event, from its beginning to its end; GitHub shows it as over afterwards. */
  async runs(event: GivenEvent, given: GivenRun = {}): Promise<EventRunResult> {
    const { again, fate, file, env = {} } = given;
    const begun = { head: "main", workflow: "koryph-events.yml", event: event.name, jobs: ["events"] };
    const run = again ?? (await this.sandbox.startRun(REPOSITORY, begun));
    const attempt = given.attempt ?? (this.#attempts.get(run) ?? 0) + 1;
    this.#attempts.set(run, attempt);
    const folder = mkdtempSync(join(this.app.home, "run-"));
    const path = join(folder, "event.json");
    if (file !== null) writeFileSync(path, file ?? JSON.stringify(event.payload));
    const token = given.token ?? this.workflowToken();
    const result = await runComposite({
      actionPath: CHECKOUT,
      workspace: folder,
      inputs: { mode: "events", token },
      env: {
        ...{ GIT_CONFIG_NOSYSTEM: "1", HOME: folder, GITHUB_EVENT_NAME: event.name, GITHUB_EVENT_PATH: path },
        ...{ GITHUB_API_URL: this.sandbox.url, GITHUB_SERVER_URL: this.sandbox.url },
        ...{ GITHUB_REPOSITORY: REPOSITORY, GITHUB_RUN_ID: `${run}`, GITHUB_RUN_ATTEMPT: `${attempt}` },
        ...env,
      },
      ...(fate && { fate }),
    });
    if (this.app.repository.workflowRuns.find(({ id }) => id === run)?.status !== "completed")
      await this.sandbox.completeRun(REPOSITORY, run, result.conclusion);
    await this.sandbox.settled();
    return { ...result, run, token };
  }

  /** How often each type counts in the ledger, where an event that is written again changes nothing. */
  async types(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { reading, repeat } of await this.app.events())
      if (reading.kind === "event" && !repeat)
        counts[reading.event.type] = (counts[reading.event.type] ?? 0) + 1;
    return counts;
  }
}

/** The run did what it was there for, and nothing went wrong. */
export function expectGreen(result: CompositeResult): void {
  expect(result.annotations, result.log).toEqual([]);
  expect(result.conclusion).toBe("success");
}
