import nock from "nock";
import { afterEach, describe, expect, test } from "vitest";
import { DeviceLogins } from "../../../src/adapters/github/device-login.js";
import { TryLater } from "../../../src/ports/try-later.js";
import { closeNetwork, endNock } from "../../support/app/github-nock.js";

closeNetwork();
afterEach(() => {
  expect(endNock()).toEqual([]);
});

const SERVER = "https://acme.ghe.com";
const API = "https://api.acme.ghe.com";
const NOW = 1_000_000;
const TOKEN = "ghu_0123456789abcdef0123456789abcdef";

const logins = new DeviceLogins({ serverUrl: SERVER, apiUrl: API }, () => NOW);

const STARTED = {
  device_code: "d0d0",
  user_code: "WDJB-MJHT",
  verification_uri: `${SERVER}/login/device`,
  expires_in: 899,
  interval: 7,
};

const onStart = (status: number, body: nock.Body) =>
  nock(SERVER).post("/login/device/code").reply(status, body);
const onAsk = (status: number, body: nock.Body, headers = {}) =>
  nock(SERVER).post("/login/oauth/access_token").reply(status, body, headers);
const ask = () => logins.ask("Iv1.client", { deviceCode: "d0d0", intervalSeconds: 5 });

describe("beginning", () => {
  test("gives a code for the person and one for us", async () => {
    nock(SERVER, { reqheaders: { accept: "application/json" } })
      .post("/login/device/code", { client_id: "Iv1.client" })
      .reply(200, STARTED);
    expect(await logins.start("Iv1.client")).toEqual({
      deviceCode: "d0d0",
      userCode: "WDJB-MJHT",
      verificationUrl: `${SERVER}/login/device`,
      expiresSeconds: 899,
      intervalSeconds: 7,
    });
  });

  test("where no interval is named, five seconds hold", async () => {
    const { interval, ...others } = STARTED;
    onStart(200, others);
    expect(await logins.start("Iv1.client")).toMatchObject({ intervalSeconds: 5 });
  });

  test("an App without the device flow is told apart from one that fails", async () => {
    onStart(400, { error: "device_flow_disabled" });
    expect(await logins.start("Iv1.client")).toBeNull();
    onStart(404, { error: "Not Found" });
    await expect(logins.start("Iv1.client")).rejects.toThrow("a device login was refused: Not Found");
  });

  test.each([
    { name: "that no browser should open", changes: { verification_uri: "javascript:alert(1)" } },
    { name: "that would have us ask without end", changes: { interval: 0 } },
    { name: "without a code", changes: { device_code: "" } },
  ])("an answer $name is not used", async ({ changes }) => {
    onStart(200, { ...STARTED, ...changes });
    await expect(logins.start("Iv1.client")).rejects.toThrow("no answer that can be read");
  });
});

describe("asking", () => {
  test.each([
    { error: "authorization_pending", is: { kind: "pending", intervalSeconds: 5 } },
    { error: "slow_down", is: { kind: "pending", intervalSeconds: 10 } },
    { error: "slow_down", interval: 25, is: { kind: "pending", intervalSeconds: 25 } },
    { error: "expired_token", is: { kind: "expired" } },
    { error: "incorrect_device_code", is: { kind: "expired" } },
    { error: "access_denied", is: { kind: "denied" } },
  ])("$error (interval $interval) means $is.kind", async ({ is, ...answer }) => {
    onAsk(200, answer);
    expect(await ask()).toEqual(is);
  });

  test("a token comes with what is known of its end", async () => {
    onAsk(200, {
      access_token: TOKEN,
      expires_in: 28_800,
      refresh_token: "ghr_1",
      token_type: "bearer",
      scope: "",
    });
    const token = { token: TOKEN, expiresSeconds: 28_800, refreshToken: "ghr_1" };
    expect(await ask()).toEqual({ kind: "token", token });
    onAsk(200, { access_token: TOKEN, token_type: "bearer", scope: "" });
    const lasting = { token: TOKEN, expiresSeconds: null, refreshToken: null };
    expect(await ask()).toEqual({ kind: "token", token: lasting });
  });

  test("a limit is waited for, and is no failure", async () => {
    onAsk(429, "slower");
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TryLater);
    expect(error).toMatchObject({ notBefore: NOW + 60_000 });
  });

  test.each([
    { name: "another error", status: 200, body: { error: "unsupported_grant_type" } },
    { name: "a bad gateway", status: 502, body: "<html>" },
    { name: "JSON of another shape", status: 200, body: { access_token: TOKEN, expires_in: "soon" } },
    { name: "a form, which was not asked for", status: 200, body: `access_token=${TOKEN}` },
    { name: "somewhere else to go", status: 307, body: "", headers: { location: "https://evil.example/" } },
  ])("$name fails without quoting the answer", async ({ status, body, headers }) => {
    onAsk(status, body, headers);
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(wholeText(error)).not.toContain(TOKEN.slice(0, 6));
    expect(wholeText(error)).not.toContain("access_tok");
  });
});

describe("whose token it is", () => {
  const onUser = (status: number, body: nock.Body) =>
    nock(API, { reqheaders: { authorization: `Bearer ${TOKEN}` } })
      .get("/user")
      .reply(status, body);

  test("is told by GitHub alone", async () => {
    onUser(200, { id: 17, login: "maria", type: "User" });
    expect(await logins.owner(TOKEN)).toEqual({ id: 17, login: "maria" });
  });

  test("nobody's, when it is good for nothing", async () => {
    onUser(401, { message: "Bad credentials" });
    expect(await logins.owner(TOKEN)).toBeNull();
  });

  test.each([403, 500])("is not known when GitHub answers %d", async (status) => {
    onUser(status, {});
    await expect(logins.owner(TOKEN)).rejects.toThrow(`${status}`);
  });
});

/** All that a log would write of an error. */
function wholeText(error: unknown): string {
  const words: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause)
    words.push(`${each.stack} ${JSON.stringify(each)}`);
  return words.join("\n");
}
