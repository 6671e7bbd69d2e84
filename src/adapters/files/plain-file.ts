import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Empty unless it is an ordinary file. */
export async function readBytes(path: string, from: number, length: number): Promise<Buffer> {
  const read = async (file: FileHandle) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  };
  return (await ifPlain(path, Number.POSITIVE_INFINITY, read)) ?? Buffer.alloc(0);
}

/** Null unless it is an ordinary file of at most so many bytes. */
export function readPlainFile(path: string, most: number): Promise<Buffer | null> {
  return ifPlain(path, most, (file) => file.readFile());
}

/** A link would have us read something else, and opening a pipe would wait for ever. */
async function ifPlain(
  path: string,
  most: number,
  read: (file: FileHandle) => Promise<Buffer>,
): Promise<Buffer | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (file === null) return null;
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= most ? await read(file) : null;
  } finally {
    await file.close();
  }
}
