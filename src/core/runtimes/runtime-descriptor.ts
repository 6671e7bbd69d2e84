import type { FoundAccount } from "../govern/account-pin.js";
import type { Variables } from "./agent-environment.js";
import type { StreamParser } from "./agent-outcome.js";
import type { LaunchSpec } from "./launch-spec.js";
import type { ModelPrices } from "./prices.js";
import type { RecordReading } from "./spent-message.js";

export type StopSignal = "SIGINT" | "SIGTERM" | "SIGKILL";

/** Everything koryph knows about one agent program. `RUNTIMES` lists them, and nothing else names one. */
export interface RuntimeDescriptor {
  /** As `default_runtime`, `runtimes.<name>` and the label `runtime:<name>` call it. */
  readonly name: string;
  /** The package that npm installs it from. */
  readonly package: string;
  /** Its name on `PATH`. */
  readonly program: string;
  /**
   * Where the real program may be when `script`, a real path, only starts it; best first, and empty when it is
   * the program itself. `machine` is platform and architecture as Node names them: `linux-x64`.
   */
  programsBehind?(script: string, machine: string): readonly string[];
  readonly version: {
    /** The oldest version whose flags and stream were tried. */
    readonly oldest: string;
    /** How long it may take to answer `--version`. */
    readonly answerSeconds: number;
  };
  /** Gentlest first. */
  readonly stopSignals: readonly StopSignal[];
  readonly credentials: {
    /** Variables of the operator's. One of them must be set, and agents get them. */
    readonly anyOf: readonly string[];
    /** The ones that belong to a model, for a runtime whose agents get no others. */
    forModel?(model: string): readonly string[];
    /** Where to get one, after "set one of …". */
    readonly hint?: string;
  };
  readonly account: {
    /** For people. */
    readonly title: string;
    /** Of everything that is counted by account. */
    readonly pool: string;
    /** Of its credentials, those that are tokens of an account; the others are API keys. */
    readonly tokens: readonly string[];
    /** The variable that takes a key which is paid by use; absent where agents have no plan that could be used up. */
    readonly keyVariable?: string;
    /** How an API key of its provider looks; one of another provider's is never sent there. */
    readonly keyForm?: RegExp;
    /** Absent where no folder of it can be pinned; `noProfile` says why. */
    readonly profile?: ProfileDescription;
    readonly noProfile?: string;
  };
  readonly network: {
    /** Where its models answer, and what it asks to stay signed in. */
    hosts(model: string): readonly string[];
    /** Variables of the operator's with the address of another place where they answer. */
    readonly addresses: readonly string[];
  };
  /** Further variables of the operator's that agents get. */
  readonly passedOn: readonly string[];
  readonly models: {
    /** Names that this program understands and no other does. */
    readonly aliases: readonly string[];
    /** How all names must look; absent where any may be one. */
    readonly form?: { readonly pattern: RegExp; readonly words: string };
    readonly example: string;
    /** The strongest one that koryph may choose by itself, for the last attempt at a bead; absent where there is none. */
    readonly recovery?: string;
  };
  /** What it writes down of its models' answers; absent where koryph cannot read that. */
  readonly records?: RuntimeRecords;
  /** What steers it in a repository: no agent's branch that changes one of these lands by itself. */
  readonly protectedPaths: readonly string[];
  /** Files of the repository with words to agents. None reads them itself: koryph passes all of them on to each. */
  readonly notes: readonly string[];
  /** Set for everything that is asked of the program, its version too. */
  variables(home: string): Readonly<Record<string, string>>;
  /** The prompt comes on standard input: arguments are seen by everybody on the machine. */
  launch(spec: LaunchSpec, facts: LaunchFacts): DescribedLaunch;
  parser(spec: LaunchSpec, facts: ParserFacts): StreamParser;
}

/** A config folder that somebody has logged in to. */
export interface ProfileDescription {
  /** What names the folder to the program. */
  readonly variable: string;
  /** Its name in the home of whoever has not named another. */
  readonly folder: string;
  /** Logs in to a folder, after the variable. */
  readonly login: string;
  /** The files that may say whose it is, for a folder without links on its way. */
  files(folder: string): readonly string[];
  /** What these files say, in that order; null stands for one that is not there. */
  read(texts: readonly (string | null)[]): FoundAccount;
}

export interface RuntimeRecords {
  /** Folder below the HOME of an agent. */
  readonly inHome: string;
  /** Folders of what people use by themselves, with the variables that say where; any of them may be missing. */
  folders(env: Variables, home: string): readonly string[];
  readonly file: RegExp;
  read(text: string): RecordReading;
  /** ccusage tells of people's use, where it is installed. */
  readonly ccusage: boolean;
}

/** The program that looks at an agent's tool calls before they run. */
export interface GuardProgram {
  /** Program and first arguments. */
  readonly argv: readonly string[];
  /** Folders with log-ins that this agent's account has. */
  readonly secret: readonly string[];
}

interface LaunchFacts {
  /** Program and first arguments. */
  readonly program: readonly string[];
  /** Absent where none is at hand. */
  readonly guard?: GuardProgram | undefined;
  /** What the agent inherits of the operator's environment. */
  readonly inherited: Readonly<Record<string, string>>;
}

interface DescribedLaunch {
  readonly argv: readonly string[];
  /** Besides `variables`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Absolute path in the agent's home, or in the attempt's own folder → text. */
  readonly files?: Readonly<Record<string, string>>;
}

interface ParserFacts {
  /** As the program told it. */
  readonly version: string;
  /** The project's own prices. */
  readonly prices: ModelPrices;
}
