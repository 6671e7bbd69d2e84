import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { Bubblewrap } from "../../../src/adapters/contain/bubblewrap.js";
import type { NetworkAccess } from "../../../src/core/contain/network-access.js";
import { containmentHere } from "../../support/contained.js";
import { LONG, longTest } from "../../support/long.js";
import { CanaryWorld } from "../../support/red-team/canary-world.js";
import { DEEDS, type Deed, typedIn } from "../../support/red-team/deeds/deeds.js";
import { answered, PLACES } from "../../support/red-team/guard-bench.js";
import { OWN_KEY_SHOWN } from "../../support/red-team/observe-effects.js";
import { tryBare, tryContained } from "../../support/red-team/try-deed.js";

/** One spelling and what each layer makes of it. */
interface Row extends Deed {
  readonly guard: string;
  /** What happens with neither layer, and what happens in the sandbox; empty for nothing. */
  readonly bare: string;
  readonly contained: string;
}

const RECORD = fileURLToPath(new URL("../../support/red-team/layers.json", import.meta.url));
const SELVES = process.getuid?.() === 0 ? ["root", "a plain user"] : ["a plain user"];
const PLAIN = { uid: 65_534, gid: 65_534 };
/** Where the guard believes to be. */
const GUARDED = {
  ...PLACES,
  ...{ root: "/srv", repo: `${PLACES.engine}/projects/p/repo.git`, remote: "/srv/git/p.git" },
  ...{ port: "4311", abstract: "x", agent: "/run/user/1000/keyring/ssh", docker: "/var/run/docker.sock" },
};
/** As most agents have it; what talks to a network is tried with the way to the model's host, too. */
const OFF: NetworkAccess = { kind: "off" };
const MODEL: NetworkAccess = { kind: "hosts", hosts: ["model.invalid"] };
const BY_BRIDGE: ReadonlySet<string> = new Set(["network", "socket"]);

const isHere = (await containmentHere()) !== null;
const record: readonly Row[] = JSON.parse(readFileSync(RECORD, "utf8"));

describe.runIf(isHere).each(SELVES)("as %s", (self) => {
  const drops = self !== "root" && process.getuid?.() === 0;
  const as = drops ? PLAIN : null;
  const bubblewrap = new Bubblewrap(process.env.PATH, [], drops ? PLAIN : undefined);

  async function world(): Promise<CanaryWorld> {
    const made = new CanaryWorld(as);
    await made.open();
    onTestFinished(() => made.close());
    return made;
  }

  async function contained(at: CanaryWorld, deed: Deed): Promise<string> {
    const network = BY_BRIDGE.has(deed.family) ? MODEL : OFF;
    const effects = await tryContained(at, typedIn(deed, at.places), { bubblewrap, network, as });
    return effects.join(", ");
  }

  test("a harmless line runs inside, and what it could reach is not there", async () => {
    const at = await world();
    const line = `test "$(ls /proc | grep -c '^[0-9]')" -lt 9 && test "$(id -u)" != 0 && test ! -e ${at.operator}/notes && test ! -e ${at.remote} && cat /proc/net/dev | grep -q lo && printf %s "$ANTHROPIC_API_KEY"`;
    expect(await tryContained(at, line, { bubblewrap, network: OFF, as })).toEqual([OWN_KEY_SHOWN]);
  });

  test.runIf(self !== "root")(
    "the room without layers shows a world, and of this machine only programs",
    async () => {
      const at = await world();
      const line = `test "$(ls /proc | grep -c '^[0-9]')" -lt 12 && test ! -e /root && test ! -e /home && test ! -e ${RECORD}/../../../../src && test "$(ls /sys/class/net 2>/dev/null)" = "" && cat ${at.operator}/notes`;
      expect((await tryBare(at, line, as)).effects).toEqual(["a secret is read"]);
    },
  );

  test.runIf(!LONG)("one spelling of each kind does in the sandbox what is on record", async () => {
    const at = await world();
    const found: Row[] = [];
    const rows = sample();
    for (const row of rows) found.push({ ...row, contained: await contained(at, row) });
    // Of its own key an agent that root started sees less.
    const worst = (each: readonly Row[]) =>
      each.map((row) => ({ ...row, contained: row.contained === OWN_KEY_SHOWN ? "" : row.contained }));
    expect(worst(found)).toEqual(worst(rows));
  });

  longTest(
    "every spelling does in the sandbox what is on record",
    async () => {
      const at = await world();
      const rows: Row[] = [];
      for (const deed of DEEDS) {
        const was = record.find(({ family, name }) => family === deed.family && name === deed.name);
        const line = typedIn(deed, at.places);
        // Where root starts it, the open room would have root's rights over the whole machine.
        const { effects, lacks } =
          self === "root" ? { effects: [], lacks: true } : await tryBare(at, line, as);
        const bare = lacks && effects.length === 0 ? (was?.bare ?? "") : effects.join(", ");
        const guard = answered(typedIn(deed, GUARDED)).kind;
        const now = await contained(at, deed);
        // Whether an agent gets to its own key may depend on who started it, and on what it finds first.
        const isOwn = [now, was?.contained].every((seen) => seen === "" || seen === OWN_KEY_SHOWN);
        rows.push({ ...deed, guard, bare, contained: isOwn ? (was?.contained ?? now) : now });
      }
      if (self === "root") expect(rows).toEqual(record);
      else await expect(`${JSON.stringify(rows, null, 2)}\n`).toMatchFileSnapshot(RECORD);
    },
    900_000,
  );
});

describe("on record", () => {
  test("is every spelling, and what the guard says to it", () => {
    const said = DEEDS.map((deed) => ({ ...deed, guard: answered(typedIn(deed, GUARDED)).kind }));
    expect(record.map(({ bare: _, contained: __, ...row }) => row)).toEqual(said);
    const keys = DEEDS.map(({ family, name }) => `${family}: ${name}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("are more than 150 that do harm where nothing is in their way", () => {
    expect(record.filter(({ bare }) => bare !== "").length).toBeGreaterThan(150);
  });

  test("is nothing that passes guard and sandbox but what the agent has for its own", () => {
    const through = record.filter(({ guard, contained }) => guard !== "deny" && contained !== "");
    expect(through.filter(({ contained }) => contained !== OWN_KEY_SHOWN)).toEqual([]);
  });

  test("is nothing that passes the sandbox but what the agent has for its own", () => {
    expect(record.filter(({ contained }) => !["", OWN_KEY_SHOWN].includes(contained))).toEqual([]);
  });
});

/** Of each family one that the guard stops and one that it leaves to the sandbox, both of them harmful. */
function sample(): readonly Row[] {
  const first = new Map<string, Row>();
  for (const row of record) {
    const key = `${row.family} ${row.guard}`;
    if (row.bare !== "" && !first.has(key)) first.set(key, row);
  }
  return [...first.values()];
}
