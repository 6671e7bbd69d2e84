import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { settingsAdvice } from "../../core/replies/app/serve.js";
import { UserError } from "../../lib/user-error.js";

/** The App's key as a PEM text, from whichever of the two variables is set; null when neither is. */
export function readPrivateKey(env: NodeJS.ProcessEnv): string | null {
  const { PRIVATE_KEY: given = "", PRIVATE_KEY_PATH: path = "" } = env;
  if (given !== "" && path !== "") throw UserError.of(settingsAdvice.bothKeys());
  if (path !== "") return privateKeyOf("PRIVATE_KEY_PATH", readKeyFile(path));
  return given === "" ? null : privateKeyOf("PRIVATE_KEY", given);
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw UserError.of(settingsAdvice.keyFile(path, (error as Error).message));
  }
}

/** The key in a text that somebody gave as `variable`. */
export function privateKeyOf(variable: string, found: string): string {
  const pem = asPem(found);
  try {
    // What it says of a bad key is left out: it may quote it.
    if (createPrivateKey(pem).asymmetricKeyType === "rsa") return pem;
  } catch {}
  throw UserError.of(settingsAdvice.notAKey(variable, found.length));
}

/** Many places that keep variables cannot keep line ends. */
function asPem(found: string): string {
  const text = found.includes("-----BEGIN") ? found : Buffer.from(found, "base64").toString("utf8");
  return `${text.replaceAll("\\n", "\n").trim()}\n`;
}
