import { SIGNATURE_FILE, STATEMENT_FILE } from "../../../core/receipts/envelope.js";
import { writeObject } from "../ledger/ledger-object.js";

export interface ReceiptCommit {
  /** The commit before; null for the first. */
  readonly parent: string | null;
  readonly subject: string;
  readonly statement: string;
  /** Null where there is no key. */
  readonly signature: string | null;
  readonly at: number;
}

const WHO = "koryph <koryph@localhost>";

/** Writes a receipt as a commit that nothing points to yet, without a process: a landing is not to wait for four of them. */
export async function writeReceiptCommit(gitDir: string, receipt: ReceiptCommit): Promise<string> {
  const { parent, subject, statement, signature, at } = receipt;
  const files: [name: string, text: string][] = [[STATEMENT_FILE, statement]];
  if (signature !== null) files.push([SIGNATURE_FILE, signature]);
  const entries = files.map(async ([name, text]) => {
    const blob = await writeObject(gitDir, "blob", text);
    return Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, "hex")]);
  });
  const tree = await writeObject(gitDir, "tree", Buffer.concat(await Promise.all(entries)));
  const time = `${Math.floor(at / 1000)} +0000`;
  const head = [
    `tree ${tree}`,
    ...(parent === null ? [] : [`parent ${parent}`]),
    `author ${WHO} ${time}`,
    `committer ${WHO} ${time}`,
  ];
  return writeObject(gitDir, "commit", `${head.join("\n")}\n\n${subject}\n`);
}
