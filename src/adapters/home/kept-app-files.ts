import { existsSync, readFileSync } from "node:fs";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { KeptAnswer, KeptApp, readKeptAnswer } from "../../core/config/kept-app.js";
import { keptAppAdvice } from "../../core/replies/app/kept-app.js";
import { UserError } from "../../lib/user-error.js";
import { writeAtomically } from "../files/write-atomically.js";
import { syncFolder } from "../files/write-synced.js";
import { type KoryphHome, makeFolder } from "./koryph-home.js";

/**
 * The App that `koryph serve --setup` made for this home: a folder with two files, which comes all at once or not at
 * all and is never written again, and until then GitHub's answer. All of it is for the owner alone.
 */
export class KeptAppFiles {
  readonly folder: string;
  readonly keyFile: string;
  /** What GitHub said, while nothing was made of it. */
  readonly answerFile: string;

  constructor(home: KoryphHome) {
    this.folder = home.keptApp;
    this.keyFile = join(this.folder, "private-key.pem");
    this.answerFile = `${this.folder}.answer.json`;
  }

  get isThere(): boolean {
    return existsSync(this.folder);
  }

  get isUnfinished(): boolean {
    return !this.isThere && existsSync(this.answerFile);
  }

  /** Null where there is none. */
  read(): KeptApp | null {
    if (!this.isThere) return null;
    const path = join(this.folder, "app.json");
    try {
      return KeptApp.parse(JSON.parse(readFileSync(path, "utf8")));
    } catch (error) {
      // What a parser says may quote the secret.
      const { code } = error as NodeJS.ErrnoException;
      throw UserError.of(keptAppAdvice.unreadable(path, code ?? null));
    }
  }

  /** Before anything else is done with it. */
  async keepAnswer(answer: Omit<KeptAnswer, "schema_version">): Promise<void> {
    await makeFolder(dirname(this.answerFile));
    await writeAtomically(this.answerFile, `${JSON.stringify({ schema_version: 1, ...answer })}\n`);
    await syncFolder(dirname(this.answerFile));
  }

  /** Makes the App's files of GitHub's answer. A crash at any moment leaves what is needed to do it again. */
  async finish(): Promise<KeptApp> {
    const known = this.read();
    if (known !== null) {
      await rm(this.answerFile, { force: true });
      return known;
    }
    const { app, pem } = await this.#readAnswer();
    const beside = `${this.folder}.new`;
    await rm(beside, { recursive: true, force: true });
    await mkdir(beside, { mode: 0o700 });
    await writeNew(join(beside, "app.json"), `${JSON.stringify(app, null, 2)}\n`);
    await writeNew(join(beside, "private-key.pem"), pem);
    await syncFolder(beside);
    // Where another App was put meanwhile, this fails: a folder with something in it is not replaced.
    await rename(beside, this.folder);
    await syncFolder(dirname(this.folder));
    await rm(this.answerFile, { force: true });
    return app;
  }

  async #readAnswer() {
    let kept: KeptAnswer;
    try {
      kept = KeptAnswer.parse(JSON.parse(await readFile(this.answerFile, "utf8")));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw UserError.of(keptAppAdvice.unreadable(this.answerFile, code ?? null));
    }
    const reading = readKeptAnswer(kept);
    if ("wrong" in reading) throw UserError.of(keptAppAdvice.oddAnswer(this.answerFile, reading.wrong));
    return reading;
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
