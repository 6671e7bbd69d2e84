import { RunFolders } from "../../adapters/home/run-folders.js";
import { openRuntime } from "../../adapters/runtimes/open-runtime.js";
import { redactText } from "../../core/redact.js";
import { agentEventText } from "../../core/replies/run/agent-event-text.js";
import { placeOf } from "../../core/run/ledger/place-of.js";
import type { Slot } from "../../core/run/ledger/slot.js";
import type { StreamParser } from "../../core/runtimes/agent-outcome.js";
import type { SlotPlace } from "../../ports/slot-folders.js";
import type { WiredProject } from "../../wiring/wire-project.js";

/** What the agent of one attempt has printed, read on from where the last look ended. */
export class AgentOutput {
  readonly #folders: RunFolders;
  readonly #place: SlotPlace;
  readonly #parser: StreamParser;
  #from = 0;

  private constructor(folders: RunFolders, place: SlotPlace, parser: StreamParser) {
    this.#folders = folders;
    this.#place = place;
    this.#parser = parser;
  }

  /** Null when no agent of this attempt was started on this machine. */
  static async open(project: WiredProject, slot: Slot): Promise<AgentOutput | null> {
    const folders = new RunFolders(project.home, project.config.project_id);
    const place = placeOf(slot);
    const launch = await folders.readLaunch(place);
    if (launch === null) return null;
    const parser = openRuntime(launch.runtime, project).parser(launch.spec, launch.probe);
    return new AgentOutput(folders, place, parser);
  }

  /**
   * What came since the last look, as lines without secrets, at most the last `most` of them. An agent that has ended ends its last
   * line. `pieces` is how much is read at once; what is left is for the next look.
   */
  async more(most: number, { ended = false, pieces = Number.POSITIVE_INFINITY } = {}): Promise<string[]> {
    let lines: string[] = [];
    for (let read = 0; read < pieces; read += 1) {
      const piece = await this.#folders.readOutput(this.#place, this.#from, ended);
      lines.push(...piece.lines.flatMap((line) => this.#parser.push(line).map(agentEventText)));
      if (lines.length > most) lines = lines.slice(-most);
      if (piece.next === this.#from) break;
      this.#from = piece.next;
    }
    // A key spans several lines.
    return redactText(lines.join("\n")).split("\n").slice(0, lines.length);
  }
}
