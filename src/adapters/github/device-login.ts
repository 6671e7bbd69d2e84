import { z } from "zod";
import { TryLater } from "../../ports/try-later.js";
import { boundedFetch } from "./bounded-fetch.js";

/** What a person needs to let the App act for them, and what we need to hear that they did. */
interface DeviceLogin {
  /** As good as the token: whoever has it gets the token once the person has agreed. */
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUrl: string;
  readonly expiresSeconds: number;
  readonly intervalSeconds: number;
}

interface UserToken {
  readonly token: string;
  /** Null for one that does not expire. */
  readonly expiresSeconds: number | null;
  readonly refreshToken: string | null;
}

type LoginAnswer =
  | { readonly kind: "token"; readonly token: UserToken }
  /** To be asked again, and from now on no sooner than that. */
  | { readonly kind: "pending"; readonly intervalSeconds: number }
  /** Too old, or GitHub has given the token for it already. */
  | { readonly kind: "expired" }
  | { readonly kind: "denied" };

/** GitHub's usual one, which holds where it names none. */
const INTERVAL_SECONDS = 5;

const Started = z.object({
  device_code: z.string().min(1),
  user_code: z.string().min(1),
  verification_uri: z.url({ protocol: /^https?$/ }),
  expires_in: z.number().positive(),
  interval: z.number().min(1).default(INTERVAL_SECONDS),
});

const Granted = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().optional(),
  refresh_token: z.string().optional(),
});

const Refused = z.object({ error: z.string(), interval: z.number().optional() });

const Owner = z.object({ id: z.int(), login: z.string() });

const BOUNDS = { mostAtOnce: 10, timeoutMs: 10_000, mostBytes: 1024 * 1024 };
const LIMITED_MS = 60_000;

/** GitHub's way of asking a person who sits elsewhere. No answer is ever quoted: tokens come in them. */
export class DeviceLogins {
  readonly #serverUrl: string;
  readonly #apiUrl: string;
  readonly #now: () => number;
  readonly #fetch = boundedFetch(BOUNDS);

  constructor(places: { readonly serverUrl: string; readonly apiUrl: string }, now: () => number) {
    this.#serverUrl = places.serverUrl;
    this.#apiUrl = places.apiUrl;
    this.#now = now;
  }

  /** Null when the App is not set up for it. */
  async start(clientId: string): Promise<DeviceLogin | null> {
    const answer = await this.#post("/login/device/code", { client_id: clientId });
    const started = Started.safeParse(answer);
    if (started.success) {
      const { device_code, user_code, verification_uri, expires_in, interval } = started.data;
      return {
        deviceCode: device_code,
        userCode: user_code,
        verificationUrl: verification_uri,
        expiresSeconds: expires_in,
        intervalSeconds: interval,
      };
    }
    const { error } = readRefusal(answer);
    if (error === "device_flow_disabled") return null;
    throw new Error(`a device login was refused: ${error}`);
  }

  /** A token is given once: whoever loses it has to begin again. */
  async ask(
    clientId: string,
    { deviceCode, intervalSeconds }: Pick<DeviceLogin, "deviceCode" | "intervalSeconds">,
  ): Promise<LoginAnswer> {
    const answer = await this.#post("/login/oauth/access_token", {
      client_id: clientId,
      device_code: deviceCode,
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    });
    const token = readToken(answer);
    if (token !== null) return { kind: "token", token };
    const { error, interval = 0 } = readRefusal(answer);
    switch (error) {
      case "authorization_pending":
        return { kind: "pending", intervalSeconds };
      case "slow_down":
        // It holds for all that comes after, and asking sooner makes it longer again.
        return { kind: "pending", intervalSeconds: Math.max(interval, intervalSeconds + INTERVAL_SECONDS) };
      case "access_denied":
        return { kind: "denied" };
      case "expired_token":
      case "incorrect_device_code":
        return { kind: "expired" };
      default:
        throw new Error(`a device login failed: ${error}`);
    }
  }

  /** A new token in place of an old one, which is worth nothing from then on; null when the person has to log in again. */
  async refresh(clientId: string, refreshToken: string): Promise<UserToken | null> {
    const form = { client_id: clientId, refresh_token: refreshToken, grant_type: "refresh_token" };
    const answer = await this.#post("/login/oauth/access_token", form);
    const token = readToken(answer);
    // Whatever GitHub has against it, asking again with the same would not help.
    if (token === null) readRefusal(answer);
    return token;
  }

  /** Whose token it is; null when it is good for nothing. */
  async owner(token: string): Promise<{ readonly id: number; readonly login: string } | null> {
    const response = await this.#fetch(`${this.#apiUrl}/user`, {
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${token}`,
        "user-agent": "koryph",
      },
      redirect: "error",
    });
    if (response.status === 401) return null;
    if (!response.ok) throw new Error(`GitHub did not tell whose token it is: ${response.status}`);
    return Owner.parse(await readJson(response));
  }

  async #post(path: string, form: Readonly<Record<string, string>>): Promise<unknown> {
    const response = await this.#fetch(`${this.#serverUrl}${path}`, {
      method: "POST",
      headers: { accept: "application/json", "user-agent": "koryph" },
      body: new URLSearchParams(form),
      // What is sent is for this server only.
      redirect: "error",
    });
    if (response.status === 429) throw new TryLater("GitHub limits logins", this.#now() + LIMITED_MS);
    if (response.status >= 500) throw new Error(`GitHub's login failed: ${response.status}`);
    return readJson(response);
  }
}

function readToken(answer: unknown): UserToken | null {
  const { data } = Granted.safeParse(answer);
  if (data === undefined) return null;
  const { access_token: token, expires_in: expiresSeconds = null, refresh_token: refreshToken = null } = data;
  return { token, expiresSeconds, refreshToken };
}

function readRefusal(answer: unknown): z.infer<typeof Refused> {
  const { data } = Refused.safeParse(answer);
  if (data === undefined) throw new Error("a device login got no answer that can be read");
  return data;
}

/** What is wrong with the text is not told, as that would quote it. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`GitHub's answer to a login is no JSON: ${response.status}`);
  }
}
