import type { Gate } from "../../src/ports/gate.js";
import type { LandTurn } from "../../src/ports/land-turn.js";
import type { LaunchRecord, PreparedClone, SlotFolders, SlotPlace } from "../../src/ports/slot-folders.js";
import type { Chance } from "./chance.js";
import { SimGovernor } from "./govern/sim-governor.js";
import { SimClones } from "./sim-clones.js";
import { SimGates } from "./sim-gate.js";
import { SimLedgerDisk } from "./sim-ledger.js";
import type { Life } from "./sim-life.js";
import type { SimOrigin } from "./sim-origin.js";
import { SimProcesses } from "./sim-processes.js";

/** One machine: its disk and its processes outlive the engine. */
export class SimMachine {
  readonly ledgerDisk = new SimLedgerDisk();
  readonly clones: SimClones;
  readonly gates = new SimGates();
  readonly processes: SimProcesses;
  readonly governor: SimGovernor;
  readonly launches = new Map<string, LaunchRecord>();
  readonly prepared = new Map<string, PreparedClone>();
  readonly reports = new Map<string, string>();
  readonly inbox: string[] = [];
  /** What this machine's wall clock shows beside the true time: it is set forward and back. */
  skewMs = 0;
  #lock: Life | null = null;
  #landing: { readonly bead: string; readonly by: Life } | null = null;

  constructor(origin: SimOrigin, chance: Chance) {
    this.clones = new SimClones(origin, chance);
    this.processes = new SimProcesses(this.clones);
    this.governor = new SimGovernor(this.processes);
  }

  /** The lock of a process that is gone is anybody's. */
  landTurn(life: Life): LandTurn {
    if (life.dead || (this.#lock !== null && !this.#lock.dead))
      return { kind: "theirs", by: { pid: 0, since: "", work: null } };
    this.#lock = life;
    return {
      kind: "ours",
      tell: () => {},
      release: async () => {
        if (this.#lock === life) this.#lock = null;
      },
    };
  }

  /** A step of a landing. Whoever else on this machine is in the middle of another one should not be. */
  async during<T>(bead: string, by: Life, work: () => Promise<T>): Promise<T> {
    const other = this.#landing;
    if (other !== null && !other.by.dead)
      this.clones.origin.violate(`${bead} and ${other.bead} land on one machine at once`);
    const mine = { bead, by };
    this.#landing = mine;
    try {
      return await work();
    } finally {
      if (this.#landing === mine) this.#landing = null;
    }
  }

  folderPort(): SlotFolders {
    const folder = ({ run, bead, attempt }: SlotPlace) => `${run}/${bead}/${attempt}`;
    return {
      folder,
      agentFolder: (place) => `${folder(place)}/agent`,
      home: (place) => `${folder(place)}/home`,
      keyHome: (place) => `${folder(place)}/key-home`,
      readPrepared: async (place) => this.prepared.get(folder(place)) ?? null,
      markPrepared: async (place, prepared) => void this.prepared.set(folder(place), prepared),
      writeLaunch: async (place, _prompt, record) => {
        // It takes away what an earlier attempt said of itself, and so what this one has said.
        if (this.processes.has(folder(place)))
          this.clones.origin.violate(`${place.bead} is launched again under its own agent`);
        this.launches.set(folder(place), record);
        return "prompt";
      },
      readLaunch: async (place) => this.launches.get(folder(place)) ?? null,
      readOutput: async (place, from) =>
        from === 0 && this.processes.isAnswered(folder(place))
          ? { lines: ["an answer"], next: 1 }
          : { lines: [], next: from },
      readErrors: async () => "",
      readStatus: async () => null,
      writeReport: async (place, kind, text) => void this.reports.set(`${folder(place)}/${kind}`, text),
      readReport: async (place, kind) => this.reports.get(`${folder(place)}/${kind}`) ?? null,
      writeReview: async () => {},
      openGate: async (bead, landing) => this.gates.open(bead, landing),
      dropHomes: async () => {},
      dropGates: async (bead) => this.gates.drop(bead),
      writeManifest: async () => {},
      deliver: async (_place, key) => {
        if (!this.inbox.includes(key)) this.inbox.push(key);
      },
    };
  }

  gatePort(facts: Parameters<SimGates["port"]>[0], life: Life): Gate {
    return this.gates.port(facts, (bead, work) => this.during(bead, life, work));
  }
}
