import { readFileSync } from "node:fs";
import { packagePath } from "./package-path.js";

/** The version this build belongs to. package.json is the only place that says it. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as { version: string }).version;
}
