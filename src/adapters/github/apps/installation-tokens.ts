import { statusOf } from "../request-error.js";
import { tokenClient } from "../token-client.js";
import { appJwt } from "./app-jwt.js";
import { type AppInstallation, mintToken, readInstallation } from "./read-app.js";

interface TokensFacts {
  readonly apiUrl: string;
  readonly appId: string;
  /** PEM. */
  readonly privateKey: string;
  /** `owner/name`. */
  readonly repository: string;
  /** At most these; what the installation does not have is left out. */
  readonly permissions: Readonly<Record<string, "read" | "write">>;
  readonly now: () => number;
  /** Told of each token before anybody else has it. */
  readonly told: (token: string) => void;
}

interface Minted {
  readonly token: string;
  readonly expiresAt: number;
}

/** Whoever asks has this long to use a token. GitHub's last an hour. */
const SPARE_MS = 10 * 60_000;

/** Tokens of an App on one repository, for as long as they are needed: each is followed by another before it expires. */
export class InstallationTokens {
  readonly #facts: TokensFacts;
  #installation: AppInstallation | null = null;
  #last: Minted | null = null;
  #minting: Promise<Minted> | null = null;

  constructor(facts: TokensFacts) {
    this.#facts = facts;
  }

  /** The App's installation on the repository; null where there is none, or GitHub knows no such App. */
  async installation(): Promise<AppInstallation | null> {
    try {
      this.#installation ??= await readInstallation(await this.#asApp(), this.#facts.repository);
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
    }
    return this.#installation;
  }

  readonly token = async (): Promise<string> => {
    const { now } = this.#facts;
    const last = this.#last;
    if (last !== null && now() < last.expiresAt - SPARE_MS) return last.token;
    this.#minting ??= this.#mint().finally(() => {
      this.#minting = null;
    });
    try {
      return (await this.#minting).token;
    } catch (error) {
      // GitHub may be away for a while: the last one is as good as it was.
      if (last !== null && now() < last.expiresAt) return last.token;
      throw error;
    }
  };

  async #mint(): Promise<Minted> {
    const { repository, permissions, told } = this.#facts;
    const installation = await this.installation();
    if (installation === null) throw new Error(`the App is not installed on ${repository}`);
    const granted = Object.entries(permissions).filter(([name, level]) =>
      ["write", level].includes(installation.permissions[name] ?? ""),
    );
    const minted = await mintToken(await this.#asApp(), {
      ...{ installation: installation.id, repository, permissions: Object.fromEntries(granted) },
    });
    told(minted.token);
    this.#last = minted;
    return minted;
  }

  #asApp() {
    const { apiUrl, appId, privateKey, now } = this.#facts;
    return tokenClient({ apiUrl, token: appJwt(appId, privateKey, now()) });
  }
}
