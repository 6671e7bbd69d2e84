import { expect } from "vitest";
import { approveDevice, denyDevice } from "../../src/sandbox/auth/device-login.js";
import { type PeopleLab, peopleTest } from "../support/app/sandbox-people.js";

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

async function post(lab: PeopleLab, path: string, form: Record<string, string>, accept = "application/json") {
  const answer = await fetch(`${lab.sandbox.url}${path}`, {
    method: "POST",
    headers: { accept },
    body: new URLSearchParams({ client_id: lab.app.clientId, ...form }),
  });
  const text = await answer.text();
  return accept === "application/json" ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
}

const begin = (lab: PeopleLab) => post(lab, "/login/device/code", {});
const grant = (lab: PeopleLab, form: Record<string, string>) => post(lab, "/login/oauth/access_token", form);
const poll = (lab: PeopleLab, device_code: string) => grant(lab, { grant_type: DEVICE_GRANT, device_code });

async function whoIs(lab: PeopleLab, token: string) {
  const answer = await fetch(`${lab.sandbox.url}/user`, { headers: { authorization: `Bearer ${token}` } });
  return answer.status === 200 ? ((await answer.json()) as { login: string }).login : answer.status;
}

peopleTest("a device waits until its code is entered, and then acts as that person", async (lab) => {
  const begun = await begin(lab);
  expect(begun).toMatchObject({
    expires_in: 900,
    interval: 5,
    user_code: expect.stringMatching(/^\w{4}-\w{4}$/),
  });
  expect(await poll(lab, begun.device_code)).toMatchObject({ error: "authorization_pending" });
  expect(approveDevice(lab.sandbox.world, begun.user_code.toLowerCase(), "alice")).toBe(true);
  lab.clock.now += 5_000;
  const tokens = await poll(lab, begun.device_code);

  expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 28_800, scope: "" });
  expect(tokens.access_token).toMatch(/^ghu_/);
  expect(await whoIs(lab, tokens.access_token)).toBe("alice");
  expect(await whoIs(lab, tokens.refresh_token)).toBe(401);
  expect(await poll(lab, begun.device_code)).toMatchObject({ error: "incorrect_device_code" });
  lab.clock.now += 28_800_000;
  expect(await whoIs(lab, tokens.access_token)).toBe(401);

  const fresh = await grant(lab, { grant_type: "refresh_token", refresh_token: tokens.refresh_token });
  expect(await whoIs(lab, fresh.access_token)).toBe("alice");
  const again = await grant(lab, { grant_type: "refresh_token", refresh_token: tokens.refresh_token });
  expect(again).toMatchObject({ error: "bad_refresh_token" });
});

peopleTest("what is said with such a token is said by the person, through the app", async (lab) => {
  const begun = await begin(lab);
  approveDevice(lab.sandbox.world, begun.user_code, "bob");
  const { access_token } = await poll(lab, begun.device_code);
  const number = await lab.openPull();
  const answer = await fetch(`${lab.sandbox.url}/repos/${lab.repo}/issues/${number}/comments`, {
    method: "POST",
    headers: { authorization: `Bearer ${access_token}` },
    body: JSON.stringify({ body: "Hello." }),
  });
  expect(await answer.json()).toMatchObject({
    user: { login: "bob", type: "User" },
    performed_via_github_app: { id: lab.app.id },
  });
});

peopleTest("who asks too often is told to slow down, and by how much", async (lab) => {
  const { device_code } = await begin(lab);
  expect(await poll(lab, device_code)).toMatchObject({ error: "authorization_pending" });
  lab.clock.now += 1_000;
  expect(await poll(lab, device_code)).toMatchObject({ error: "slow_down", interval: 10 });
  lab.clock.now += 5_000;
  expect(await poll(lab, device_code)).toMatchObject({ error: "slow_down", interval: 15 });
  lab.clock.now += 15_000;
  expect(await poll(lab, device_code)).toMatchObject({ error: "authorization_pending" });
});

peopleTest("a code that is refused or too old gives no token", async (lab) => {
  const denied = await begin(lab);
  expect(denyDevice(lab.sandbox.world, denied.user_code)).toBe(true);
  expect(await poll(lab, denied.device_code)).toMatchObject({ error: "access_denied" });
  const old = await begin(lab);
  lab.clock.now += 900_000;
  expect(approveDevice(lab.sandbox.world, old.user_code, "alice")).toBe(false);
  expect(await poll(lab, old.device_code)).toMatchObject({ error: "expired_token" });
  expect(await grant(lab, { grant_type: "password" })).toMatchObject({ error: "unsupported_grant_type" });
  expect(await grant(lab, { client_id: "Iv1.wrong" })).toMatchObject({
    error: "incorrect_client_credentials",
  });
  expect(await post(lab, "/login/device/code", { client_id: "Iv1.wrong" })).toEqual({ error: "Not Found" });
});

peopleTest("answers are forms unless JSON is asked for", async (lab) => {
  const begun = await post(lab, "/login/device/code", {}, "*/*");
  expect(begun).toMatchObject({
    expires_in: "900",
    interval: "5",
    verification_uri: expect.stringContaining("/login"),
  });
});
