import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { quotaAdvice } from "../../core/replies/quota/quota-advice.js";
import { type QuotaBook, readQuotaBook } from "../../core/usage/quota-book.js";
import { UserError } from "../../lib/user-error.js";
import { replaceFile } from "../files/replace-file.js";
import { type KoryphHome, makeFolder } from "./koryph-home.js";
import { withLock } from "./lock-file.js";

/** What this machine's accounts hold, as people have found out. */
export class QuotaFile {
  readonly #path: string;

  constructor({ quotaFile }: KoryphHome) {
    this.#path = quotaFile;
  }

  /** Throws a `UserError` when it cannot be understood: a ceiling that is not known bounds nothing. */
  async read(): Promise<QuotaBook> {
    const text = await readFile(this.#path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw UserError.of(quotaAdvice.unreadable(this.#path, error.message));
    });
    const reading = readQuotaBook(text);
    if (reading.kind === "wrong") throw UserError.of(quotaAdvice.unreadable(this.#path, reading.problem));
    return reading.book;
  }

  async change(to: (book: QuotaBook) => QuotaBook): Promise<void> {
    await makeFolder(dirname(this.#path));
    await withLock(`${this.#path}.lock`, { what: "the calibration of the quota" }, async () => {
      const book = to(await this.read());
      await replaceFile(this.#path, `${JSON.stringify(book, null, 2)}\n`, { mode: 0o600 });
    });
  }
}
