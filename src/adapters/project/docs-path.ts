import { packagePath } from "./package-path.js";

/** Where a page of the documentation lies on this machine: people run koryph from folders that have none. */
export function docsPath(page: string): string {
  return packagePath(`docs/${page}`);
}
