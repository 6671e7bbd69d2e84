import { plainText } from "../../../lib/plain-text.js";
import type { RegistryEntry } from "../../config/registry-entry.js";

/** A promise to programs, as docs/json.md describes it. */
export function registryJson(entries: readonly RegistryEntry[]) {
  return {
    projects: entries.map(({ id, root, remote, registered_at, last_run }) => ({
      project_id: id,
      root,
      remote,
      registered_at,
      last_run,
    })),
  };
}

export function registryRows(entries: readonly RegistryEntry[]): string[][] {
  return entries.map(({ id, last_run, root }) => [
    id,
    last_run === null ? "never run" : `last run ${last_run.at.slice(0, 16).replace("T", " ")}`,
    plainText(root),
  ]);
}

type Registered = "added" | "moved" | "changed" | "unchanged";

export function registered(answer: Registered, id: string, root: string): string {
  const place = plainText(root);
  switch (answer) {
    case "added":
      return `registered ${id} at ${place}`;
    case "moved":
      return `${id} has moved to ${place}`;
    case "changed":
      return `${id} has a new remote`;
    case "unchanged":
      return `${id} is registered at ${place} already`;
  }
}
