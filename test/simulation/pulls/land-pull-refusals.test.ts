import { expect, test } from "vitest";
import type { GateAnswer } from "../../../src/ports/gate.js";
import type { PullRepo } from "../../../src/ports/pull-repo.js";
import { pullGate } from "../../../src/pulls/gate-pull.js";
import { landPull } from "../../../src/pulls/land-pull.js";
import { Chance } from "../chance.js";
import { SimClock } from "../sim-clock.js";
import { SimLedger } from "../sim-ledger.js";
import { SimMachine } from "../sim-machine.js";
import { SimOrigin } from "../sim-origin.js";
import { simReceipts } from "../sim-receipts.js";
import { Hub } from "./hub.js";
import { hubConditions, hubPulls, hubRecord, hubThreads, REPOSITORY } from "./hub-ports.js";
import { hubRepo } from "./hub-repo.js";
import { makePeople, OPERATOR } from "./people.js";
import { pullConfig } from "./pull-project.js";

const green: GateAnswer = { kind: "green" };
const red: GateAnswer = { kind: "red", command: "npm test", code: 1, output: "no", places: [] };

interface Tried {
  readonly repo?: Partial<PullRepo>;
  /** What the gate says of the pull request, and of the base branch by itself. */
  readonly gate?: readonly [GateAnswer, GateAnswer];
  /** What another machine does with the same landing while the gate runs here. */
  readonly meanwhile?: (hub: Hub, move: { request: string; from: string; head: string }) => void;
}

/** Lands a pull request that wants for nothing, on a base that has moved; how it ended, and whether anything moved. */
async function landing({ repo = {}, gate = [green, green], meanwhile = () => {} }: Tried) {
  const [origin, clock, chance] = [new SimOrigin(), new SimClock(1_700_000_000_000), new Chance(1)];
  const hub = new Hub(origin, clock, () => {});
  const { all, writers } = makePeople();
  const [author = OPERATOR] = writers;
  const works = [origin.history.nextWork()];
  const commit = { bead: null, works, subject: "feat: work", signed: false, person: true, paths: ["a.ts"] };
  const head = origin.history.add({ ...commit, parent: origin.tip, by: author.id });
  hub.push("topic", head, author);
  const pull = hub.open({ branch: "topic", author, fork: false });
  hub.moveBase(origin.history.addOutside(origin.tip));
  const base = origin.tip;
  const machine = new SimMachine(origin, chance);
  const calm = { lossPercent: () => 0, onAppend: () => {}, onLanding: () => {}, rivalPercent: 0 };
  const ledger = new SimLedger(origin, machine.ledgerDisk, { chance, now: () => clock.now, ...calm });
  const data = {
    pull: pull.number,
    branch: "main",
    base,
    head,
    method: "ff",
    allow_protected: false,
  } as const;
  const asked = await ledger.claim([{ type: "pull.landing", bead: "pull-1", data }], await ledger.refresh());
  const [request] = asked.view.state.landings;
  if (request === undefined) throw new Error("nobody asked for it");
  const [own, others] = gate;
  const world = { hasKey: false, lossPercent: () => 0, conflictPercent: 0, onPushBase: () => {} };
  const outcome = await landPull(
    {
      ...{ ledger, record: hubRecord(hub, all), conditions: hubConditions(hub), now: () => clock.now },
      pulls: hubPulls(hub, () => {}),
      threads: hubThreads(hub, all, () => {}),
      repo: { ...hubRepo(hub, machine.clones, world), ...repo },
      receipts: simReceipts(origin, chance, () => 0),
      digest: (text) => text,
      gate: pullGate({
        gate: {
          recall: async () => null,
          run: async () => {
            const rebased = origin.chain.findLast(({ type }) => type === "land.rebased");
            if (rebased?.type === "land.rebased")
              meanwhile(hub, { request: request.id, from: base, head: rebased.data.head });
            return own;
          },
        },
        folders: { openGate: async () => "folder" },
        settings: { commands: ["npm test"], wallSeconds: 1, livenessFile: "", leaseSeconds: 1 },
        askBase: async () => others,
        progress: () => {},
        abort: new AbortController().signal,
      }),
    },
    {
      ...{
        repository: REPOSITORY,
        mayPushWorkflows: true,
        pushesSilently: false,
        publicKey: null,
        requester: OPERATOR,
        evidence: null,
      },
      config: pullConfig({ signing: false, approvals: 0, gate: "run", requesterCounts: false }),
    },
    request,
  );
  const [end] = origin.chain.slice(-1);
  return {
    ended: outcome.kind === "refused" ? outcome.refusal.code : outcome.kind,
    recorded: end?.type === "land.refused" ? end.data.code : end?.type,
    baseMoved: origin.tip !== base,
  };
}

test.each<{ name: string; code: string; tried: Tried }>([
  {
    name: "commits that do not fit onto the base",
    code: "rebase_conflict",
    tried: { repo: { rebase: async () => ({ kind: "conflict", files: ["a.ts"] }) } },
  },
  {
    name: "a replay that gives other commits",
    code: "not_replayed",
    tried: { repo: { isReplay: async () => false } },
  },
  {
    name: "a branch that takes no push",
    code: "push_refused",
    tried: { repo: { pushBranch: async () => ({ refused: "protected branch" }) } },
  },
  { name: "a red gate", code: "gate_failed", tried: { gate: [red, green] } },
  { name: "a gate that is red on the base by itself", code: "base_red", tried: { gate: [red, red] } },
])("$name is refused as $code, on record, and nothing lands", async ({ code, tried }) => {
  expect(await landing(tried)).toEqual({ ended: code, recorded: code, baseMoved: false });
});

/** Another machine says that it is about to push. */
function announces({ origin, clock }: Hub, data: { request: string; from: string; head: string }): void {
  const at = new Date(clock.now).toISOString();
  origin.chain.push({ id: origin.nextId(), at, actor: "else", type: "land.intended", bead: "pull-1", data });
}

test.each<{ name: string; meanwhile: NonNullable<Tried["meanwhile"]>; baseMoved: boolean }>([
  {
    name: "pushed",
    meanwhile: (hub, move) => {
      announces(hub, move);
      hub.moveBase(move.head);
    },
    baseMoved: true,
  },
  { name: "announced", meanwhile: announces, baseMoved: false },
])("what another machine has $name since the look began is not refused", async ({ meanwhile, baseMoved }) => {
  expect(await landing({ gate: [red, green], meanwhile })).toEqual({
    ...{ ended: "waiting", recorded: "land.intended", baseMoved },
  });
});
