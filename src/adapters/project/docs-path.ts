import { fileURLToPath } from "node:url";

/** Where a page of the documentation lies on this machine: people run koryph from folders that have none. */
export function docsPath(page: string): string {
  return fileURLToPath(new URL(`../../../docs/${page}`, import.meta.url));
}
