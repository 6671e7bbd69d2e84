import { expect, vi } from "vitest";
import { GithubWaveChecks } from "../../../src/adapters/github/reviews/github-wave-checks.js";
import { tokenClient } from "../../../src/adapters/github/token-client.js";
import { checkIdOf } from "../../../src/core/control/run-buttons.js";
import { shownButtons } from "../../../src/core/replies/report/answer-line.js";
import type { NewEvent } from "../../../src/core/run/ledger/ledger-event.js";
import { issueToken } from "../../../src/sandbox/auth/auth.js";
import { requestAction } from "../../../src/sandbox/routes/checks/checks.js";
import { type AppWorld, REPOSITORY, scenario } from "../../support/app/app-world.js";
import { dispatching } from "../../support/core/ledgers.js";

vi.setConfig({ testTimeout: 60_000 });

const RUN = "r-1";

const started = (run = RUN): NewEvent => ({
  type: "run.started",
  run,
  data: { mode: "rolling", engine_version: "1", budget_usd: null, resumed: false },
});

/** The check run of a run, made with a token of the App's own, as its runner would; its id. */
async function shows(world: AppWorld, { run = RUN, ended = false, token = "" } = {}): Promise<number> {
  const { sandbox } = world;
  const made = token === "" ? installationToken(world) : token;
  const client = tokenClient({ apiUrl: sandbox.url, token: made });
  const checks = new GithubWaveChecks(() => client, REPOSITORY);
  const head = (await sandbox.world.resolve(world.repository, "main")) ?? "";
  const shown = await checks.show(
    {
      ...{ name: "koryph / run", head, externalId: checkIdOf(run, "koryph / run"), detailsUrl: sandbox.url },
      ...{ title: "1 blocked", summary: "the table", annotations: [] },
      conclusion: ended ? "neutral" : null,
      buttons: shownButtons(["drain", "retry", "stop"]),
    },
    null,
  );
  if (token === "") expect(shown?.heard).toBe(true);
  return shown?.id ?? 0;
}

/** As the App's key gives it to a runner. */
function installationToken({ sandbox, appId }: AppWorld): string {
  const app = sandbox.world.state.apps.find(({ id }) => id === appId);
  const [installation] = app?.installations ?? [];
  if (app === undefined || installation === undefined) throw new Error("the App is not installed");
  return issueToken(sandbox.world, "ghs_", {
    ...{ kind: "installation", login: null, app: app.id, installation: installation.id, expiresAt: null },
    ...{ permissions: app.permissions, repositories: [REPOSITORY] },
  });
}

async function press(world: AppWorld, check: number, login: string, identifier: string): Promise<void> {
  const run = world.repository.checkRuns.find(({ id }) => id === check);
  if (run === undefined) throw new Error("no such check run");
  requestAction(world.sandbox.world, world.repository, { run, login, identifier });
  await world.settled();
}

const controls = async (world: AppWorld) =>
  (await world.events())
    .flatMap(({ reading }) => (reading.kind === "event" ? [reading.event] : []))
    .filter(({ type }) => type.startsWith("control."));

scenario(
  "a maintainer presses Drain: it is recorded once, in their name, with the delivery as evidence",
  async (world) => {
    await world.record(started());
    const check = await shows(world);
    await press(world, check, "maria", "drain");
    // GitHub sends it again, and somebody presses again.
    for (const delivery of world.sandbox.world.state.deliveries.filter(({ payload }) =>
      JSON.stringify(payload).includes("requested_action"),
    ))
      world.sandbox.world.redeliver(delivery);
    await world.settled();
    await press(world, check, "maria", "drain");

    const [drain, ...others] = await controls(world);
    expect(others).toEqual([]);
    expect(drain).toMatchObject({
      type: "control.drain",
      actor: "@maria",
      evidence: { login: "maria", source: expect.stringMatching(/^delivery /) },
    });
  },
);

scenario(
  "who may not, is refused where the run shows it; other people's check runs mean nothing",
  async (world) => {
    await world.record(started());
    const check = await shows(world);
    await press(world, check, "walter", "stop");
    expect(await controls(world)).toMatchObject([
      { type: "control.refused", actor: "@walter", data: { run: RUN, verb: "stop", code: "not_permitted" } },
    ]);

    // A workflow's own check run that looks like ours: GitHub would not even tell us of it.
    const other = await shows(world, { token: world.sandbox.actionsToken(REPOSITORY, { checks: "write" }) });
    const found = world.repository.checkRuns.find(({ id }) => id === other);
    if (found !== undefined) Object.assign(found, { app: world.appId, externalId: "r-1 koryph / landing" });
    await press(world, other, "maria", "drain");
    expect(await controls(world)).toHaveLength(1);
  },
);

scenario(
  "after the run Retry failed sends back what is stuck, and the check run itself says who asked",
  async (world) => {
    await world.record(
      started(),
      { type: "slot.dispatching", run: RUN, bead: "a", data: dispatching },
      { type: "slot.blocked", run: RUN, bead: "a", data: { reason: "no key", status: "blocked" } },
      { type: "run.ended", run: RUN, data: { reason: "drained", code: 4 } },
    );
    const check = await shows(world, { ended: true });
    await press(world, check, "tina", "retry");
    expect(await controls(world)).toMatchObject([{ type: "control.retry", bead: "a", actor: "@tina" }]);
    const said = world.repository.checkRuns.find(({ id }) => id === check);
    expect(said?.output.summary).toMatch(/^- retry asked for by .*tina at .* UTC\n\nthe table$/);
    expect(said?.actions).toEqual([]);
  },
);

scenario(
  "a press on the check run of an earlier run is refused, on that check run",
  async (world) => {
    const check = await shows(world, { run: "r-0", ended: true });
    await world.record(started());
    world.clock.pass(5);
    await press(world, check, "maria", "drain");
    expect(await controls(world)).toEqual([]);
    expect(world.repository.checkRuns[0]?.output.summary).toContain("refused (<code>other&#95;run</code>)");
  },
  { long: true },
);
