import { SIGNATURE_FILE, STATEMENT_FILE } from "../../../core/receipts/envelope.js";
import { objectName, writeObject } from "../ledger/ledger-object.js";

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
  const entries = files.map(([name, text]) =>
    Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(objectName("blob", text), "hex")]),
  );
  // At once: each is on the disk before it has its name, and a disk takes as long for all of them as for one.
  const [tree] = await Promise.all([
    writeObject(gitDir, "tree", Buffer.concat(entries)),
    ...files.map(([, text]) => writeObject(gitDir, "blob", text)),
  ]);
  const time = `${Math.floor(at / 1000)} +0000`;
  const head = [
    `tree ${tree}`,
    ...(parent === null ? [] : [`parent ${parent}`]),
    `author ${WHO} ${time}`,
    `committer ${WHO} ${time}`,
  ];
  return writeObject(gitDir, "commit", `${head.join("\n")}\n\n${subject}\n`);
}
