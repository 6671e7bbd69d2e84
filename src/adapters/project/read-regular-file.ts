import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** The text of a file. Throws for anything else: a pipe would be waited for, and a device may never end. */
export async function readRegularFile(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Error("it is not a regular file");
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
