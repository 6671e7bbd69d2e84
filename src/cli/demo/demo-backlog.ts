/** A small web shop's repository and backlog: enough to meet every rule once, few enough to read. */
export const DEMO_PROJECT = {
  schema_version: 1,
  project_id: "kiosk",
  work_source: "file",
  area_map: {
    catalog: ["src/catalog"],
    checkout: ["src/checkout", "src/payments"],
    docs: ["docs"],
    search: ["src/search"],
  },
  resources: { browser: { capacity: 1, mem_mb: 1500 } },
  gate: ["node --test"],
  merge_policy: "auto",
  max_concurrent_slots: 4,
  dispatch_stagger_seconds: 0,
  poll_seconds: 2,
  default_runtime: "demo",
} as const;

export const DEMO_FILES: Readonly<Record<string, string>> = {
  "README.md": "# Kiosk\n\nA corner shop on the web.\n",
  "package.json": `${JSON.stringify({ name: "kiosk", type: "module" }, null, 2)}\n`,
  "test/total.test.js": `import assert from 'node:assert/strict';
import test from 'node:test';
import { total } from '../src/checkout/index.js';
test("an empty basket costs nothing", () => assert.equal(total([]), 0));
`,
  "src/catalog/index.js": "export const articles = [];\n",
  "src/checkout/index.js":
    "export function total(basket) {\n  return basket.reduce((sum, { price }) => sum + price, 0);\n}\n",
};

interface More {
  readonly issue_type?: string;
  readonly status?: string;
  readonly parent?: string;
  readonly acceptance_criteria?: string;
  readonly dependencies?: readonly { readonly depends_on_id: string; readonly type: string }[];
}

function bead(id: string, title: string, priority: number, labels: readonly string[], more: More = {}) {
  return { id, title, priority, labels, ...more };
}

const ABROAD = "kiosk-1";

function abroadAfter(...ids: string[]): More {
  return { parent: ABROAD, dependencies: ids.map((id) => ({ depends_on_id: id, type: "blocks" })) };
}

export const DEMO_BEADS = [
  bead(ABROAD, "Open the shop abroad", 1, ["merge:auto"], { issue_type: "epic" }),
  bead("kiosk-2", "Prices carry a currency", 1, ["area:catalog"], { status: "closed", parent: ABROAD }),
  bead("kiosk-3", "Convert the basket at checkout", 1, ["area:checkout", "rt:3"], abroadAfter("kiosk-2")),
  bead("kiosk-4", "Show shipping costs before payment", 2, ["area:checkout"], abroadAfter("kiosk-2")),
  bead("kiosk-5", "Print the VAT number on receipts", 2, ["fp:src/receipts"], abroadAfter("kiosk-3")),
  bead("kiosk-6", "Search finds plurals", 1, ["area:search", "model:implement:opus"]),
  bead("kiosk-7", "Rank articles in stock first", 2, ["fp:src/search", "fp:read:src/catalog"]),
  bead("kiosk-8", "Categories can be nested", 2, ["area:catalog"]),
  bead("kiosk-9", "Explain returns in the handbook", 2, ["area:docs", "model:implement:haiku"], {
    acceptance_criteria: "- the handbook says how long articles can be returned",
  }),
  bead("kiosk-10", "Check out with a keyboard alone", 2, [
    "fp:test/e2e",
    "fp:read:src/catalog",
    "res:browser",
  ]),
  bead("kiosk-11", "Screenshots of the front page", 3, ["fp:test/shots", "res:browser"]),
  bead("kiosk-12", "The log is too chatty", 2, []),
  bead("kiosk-13", "Make the footer less sad", 3, []),
  bead("kiosk-14", "Split the basket from the session", 2, ["refactor-core", "fp:src/checkout"]),
  bead("kiosk-15", "Which payment provider next year?", 2, [], { issue_type: "decision" }),
  bead("kiosk-16", "Wish lists", 4, ["no-dispatch", "area:catalog"]),
  bead("kiosk-17", "Voucher codes", 3, ["fp:src/vouchers", "area:checkout"]),
  bead("kiosk-18", "Newsletter sign-up", 4, ["area:marketing"]),
  bead("kiosk-19", "Gift wrapping", 4, ["fp:src/gifts", "model:fable"]),
];

/**
 * The part that is really run, with the epic, so that everything is as the dry run said: kiosk-3 and kiosk-4 want the same files, the agent of kiosk-8 dies once, kiosk-6
 * breaks the gate once, kiosk-9 is sent back by the review, and kiosk-12 touches what no agent may.
 */
export const DEMO_RUN = DEMO_BEADS.filter(({ id }) =>
  [ABROAD, "kiosk-2", "kiosk-3", "kiosk-4", "kiosk-6", "kiosk-8", "kiosk-9", "kiosk-12"].includes(id),
);
