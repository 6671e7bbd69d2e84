import { readFileSync } from "node:fs";

/** The version this build belongs to. package.json is the only place that says it. */
export function packageVersion(): string {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
