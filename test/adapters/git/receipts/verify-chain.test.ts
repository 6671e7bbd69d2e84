import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, asyncProperty, constantFrom } from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { readChain } from "../../../../src/adapters/git/receipts/read-chain.js";
import {
  type ReceiptCommit,
  writeReceiptCommit,
} from "../../../../src/adapters/git/receipts/receipt-objects.js";
import { type VerifyQuestion, verifyChain } from "../../../../src/adapters/git/receipts/verify-chain.js";
import { canonicalJson } from "../../../../src/core/receipts/canonical-json.js";
import { preAuthEncoding } from "../../../../src/core/receipts/envelope.js";
import { onFileEnd } from "../../../support/file-end.js";
import { QuickKey, ReceiptWorld } from "../../../support/git/receipt-world.js";
import { LONG } from "../../../support/long.js";
import { tempFolder } from "../../../support/temp-folder.js";

const LANDINGS = 3;
const MANY_LANDINGS = LONG ? 1_000 : 20;
const TAMPERINGS = LONG ? 300 : 30;

let world: ReceiptWorld;
/** The newest receipt, whole. */
let last: { readonly statement: string; readonly signature: string; readonly parent: string | null };

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "koryph-chain-"));
  onFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  world = new ReceiptWorld(folder);
  await world.begin();
  for (let left = LANDINGS; left > 0; left -= 1) await world.land();
  const [newest] = (await readChain(world.repo, world.receipt ?? "")).slice(-1);
  last = {
    statement: String(newest?.payload),
    signature: String(newest?.signature),
    parent: newest?.parents[0] ?? null,
  };
});

function verify(changes: Partial<VerifyQuestion> = {}, of = world) {
  const { repo, tip, receipt } = of;
  return verifyChain({
    repo,
    tip: receipt,
    branch: { name: "main", tip },
    about: "all",
    anchor: null,
    ...changes,
  });
}

/** The chain with another receipt in the place of the newest one. */
async function replaced(changes: Partial<ReceiptCommit>): Promise<string> {
  return writeReceiptCommit(world.repo, { ...last, subject: "receipt", at: 0, ...changes });
}

async function codes(changes: Partial<VerifyQuestion>): Promise<(string | undefined)[]> {
  const { receipts } = await verify(changes);
  return receipts.flatMap(({ finding }) => (finding === null ? [] : [finding.code]));
}

test("a history of landings verifies in one go", async () => {
  const own = new ReceiptWorld(join(tempFolder(), "own"));
  await own.begin();
  for (let left = MANY_LANDINGS; left > 0; left -= 1) await own.land();
  const { holds, receipts, commits, uncovered } = await verify({}, own);
  expect({ holds, receipts: receipts.length, commits, uncovered }).toEqual({
    holds: true,
    receipts: MANY_LANDINGS,
    commits: 2 * MANY_LANDINGS,
    uncovered: [],
  });
});

test("git and ssh-keygen accept the signatures that these tests make", async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, "signers"), world.allowed);
  writeFileSync(join(folder, "signature"), last.signature);
  const settings = ["-c", "gpg.format=ssh", "-c", `gpg.ssh.allowedSignersFile=${folder}/signers`];
  const letter = execFileSync("git", [...settings, "log", "-1", "--format=%G?", world.tip], {
    cwd: world.repo,
  });
  expect(letter.toString()).toBe("G\n");
  const args = `-Y verify -n koryph-receipt -I koryph@shop -f ${folder}/signers -s ${folder}/signature`;
  const input = preAuthEncoding(Buffer.from(last.statement));
  expect(execFileSync("ssh-keygen", args.split(" "), { input }).toString()).toContain("Good");
});

/** Every text, number and switch in a value, by the way that leads to it. */
function leaves(value: unknown, way: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [way];
  return Object.entries(value).flatMap(([name, held]) => leaves(held, [...way, name]));
}

function changedAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return other(value);
  const copy: Record<string, unknown> = Object.assign(Array.isArray(value) ? [] : {}, value);
  copy[name] = changedAt(copy[name], rest);
  return copy;
}

/** Another value that could stand there as well. */
function other(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return "1".repeat(40);
  const at = value.search(/[0-9a-f](?!.*[0-9a-f])/);
  return at === -1 ? `${value}x` : value.slice(0, at) + (value[at] === "0" ? "1" : "0") + value.slice(at + 1);
}

test("a receipt with any one field changed does not verify", () => {
  const said = JSON.parse(last.statement);
  return assert(
    asyncProperty(constantFrom(...leaves(said)), async (way) => {
      const statement = canonicalJson(changedAt(said, way));
      expect(statement).not.toBe(last.statement);
      expect((await verify({ tip: await replaced({ statement }) })).holds, way.join(".")).toBe(false);
    }),
    { numRuns: TAMPERINGS },
  );
});

describe("a receipt does not verify", () => {
  const resigned = (change: (predicate: Record<string, unknown>) => void, by: QuickKey = world.key) => {
    const said = JSON.parse(last.statement);
    change(said.predicate);
    const statement = canonicalJson(said);
    const signature = by.sign(preAuthEncoding(Buffer.from(statement)), "koryph-receipt");
    return { statement, signature };
  };

  test.each<{ name: string; change: () => Partial<ReceiptCommit>; code: string }>([
    { name: "without its signature", change: () => ({ signature: null }), code: "unsigned" },
    {
      name: "with half of it",
      change: () => ({ signature: last.signature.slice(0, 80) }),
      code: "bad-signature",
    },
    {
      name: "signed by a stranger",
      change: () => resigned(() => {}, new QuickKey()),
      code: "unknown-signer",
    },
    {
      name: "signed as a commit is",
      change: () => ({
        signature: world.key.sign(preAuthEncoding(Buffer.from(last.statement)), "git"),
      }),
      code: "bad-signature",
    },
    {
      name: "whose bare payload was signed",
      change: () => ({ signature: world.key.sign(Buffer.from(last.statement), "koryph-receipt") }),
      code: "bad-signature",
    },
    { name: "in another place", change: () => ({ parent: null }), code: "out-of-place" },
    {
      name: "that leaves a commit out, though signed",
      change: () => resigned((said) => void (said.commits as unknown[]).pop()),
      code: "commits-differ",
    },
    {
      name: "that names another signer of a commit, though signed",
      change: () =>
        resigned((said) => {
          const [first] = said.commits as Record<string, unknown>[];
          Object.assign(first ?? {}, { fingerprint: "SHA256:other" });
        }),
      code: "signer-differs",
    },
    { name: "that is no JSON", change: () => ({ statement: "{" }), code: "malformed" },
  ])("$name: $code", async ({ change, code }) => {
    expect(await codes({ tip: await replaced(change()) })).toEqual([code]);
  });
});

test("a commit that somebody pushed past koryph is named, with who made it and when", async () => {
  const own = new ReceiptWorld(join(tempFolder(), "own"));
  await own.begin();
  await own.land();
  const pushed = await own.pushBesides();
  await own.land(1);
  const answer = await verify({}, own);
  expect(answer.holds).toBe(false);
  expect(answer.receipts.every(({ finding }) => finding === null)).toBe(true);
  expect(answer.uncovered).toEqual([
    {
      sha: pushed,
      author: "Ann",
      email: "ann@example.com",
      at: "2023-11-14T23:13:24+01:00",
      subject: "feat: 4",
    },
  ]);
  expect((await verify({ about: { from: pushed, to: own.tip } }, own)).holds).toBe(true);
  expect((await verify({ about: { commit: pushed } }, own)).holds).toBe(false);
});

test("a branch without any receipt does not hold", async () => {
  expect(await verify({ tip: null })).toMatchObject({ holds: false, receipts: [], commits: 0 });
});

test("the base before a landing says who may sign it, whatever a later one says", async () => {
  const own = new ReceiptWorld(join(tempFolder(), "own"));
  await own.begin(`koryph@shop namespaces="git" ${own.key.publicKey}\n`);
  await own.land();
  expect((await verify({}, own)).receipts.map(({ finding }) => finding?.code)).toEqual(["unknown-signer"]);
});

test("a branch that was rewound below a landing is named", async () => {
  const { receipts } = await verify({ branch: { name: "main", tip: `${world.tip}~2` } });
  expect(receipts.flatMap(({ finding }) => finding?.code ?? [])).toEqual(["taken-back"]);
});
