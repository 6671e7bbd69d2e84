import { createSign } from "node:crypto";

/** GitHub takes none that lives longer than ten minutes, and clocks differ. */
const BEFORE_SECONDS = 30;
const LIFE_SECONDS = 5 * 60;

/** What an App proves with who it is, for a few minutes. `privateKey` is PEM. */
export function appJwt(appId: string, privateKey: string, nowMs: number): string {
  const now = Math.floor(nowMs / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { iss: appId, iat: now - BEFORE_SECONDS, exp: now + LIFE_SECONDS };
  const unsigned = `${part({ alg: "RS256", typ: "JWT" })}.${part(claims)}`;
  return `${unsigned}.${createSign("RSA-SHA256").update(unsigned).sign(privateKey, "base64url")}`;
}
