import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readBead } from "../../../../src/core/config/bead-record.js";
import { ProjectConfig } from "../../../../src/core/config/project-schema.js";
import type { Bead } from "../../../../src/core/model/bead.js";
import { shownCode, shownText } from "../../../../src/core/replies/markdown.js";
import { jobSummary } from "../../../../src/core/replies/schedule/summary.js";
import { withIdle } from "../../../../src/core/run/plan/idle-at-end.js";
import { planDispatch } from "../../../../src/core/run/plan/plan-dispatch.js";
import { auditPlan } from "../../../../src/core/schedule/audit-plan.js";
import { frontierOf } from "../../../../src/core/schedule/work-graph.js";
import { plainText } from "../../../../src/lib/plain-text.js";
import { baseProject } from "../../../support/cli/project.js";

describe("text from outside", () => {
  test.each([
    { name: "a table cell stays one cell", title: "a | b", shows: "a &#124; b" },
    { name: "code marks", title: "`x`", shows: "&#96;x&#96;" },
    { name: "HTML", title: "<img src=x>", shows: "&#60;img src&#61;x&#62;" },
    { name: "the end of a fold", title: "</details>", shows: "&#60;/details&#62;" },
    { name: "a mention", title: "cc @octocat", shows: "cc &#64;&#8203;octocat" },
    { name: "a team mention", title: "@acme/all", shows: "&#64;&#8203;acme/all" },
    { name: "an issue number", title: "fixes #12", shows: "fixes &#35;&#8203;12" },
    { name: "an issue number, the other way", title: "GH-12", shows: "GH-&#8203;12" },
    { name: "a bare address", title: "https://a.b", shows: "https&#58;&#8203;//a&#46;b" },
    { name: "an address without scheme", title: "www.a.b", shows: "www&#46;a&#46;b" },
    { name: "a link", title: "[a](b)", shows: "&#91;a&#93;(b)" },
    { name: "an emoji", title: ":tada:", shows: "&#58;&#8203;tada&#58;" },
    { name: "a formula", title: "$x$", shows: "<span>&#36;</span>x<span>&#36;</span>" },
    { name: "a character reference", title: "&lt;", shows: "&#38;lt&#59;" },
    { name: "a backslash", title: "\\|", shows: "&#92;&#124;" },
    { name: "line breaks", title: "a\r\n\n# b", shows: "a &#35;&#8203; b" },
    { name: "a hidden turn of direction", title: "a\u202eb", shows: "a\ufffdb" },
    { name: "other alphabets", title: "größer 漢字 🎉", shows: "größer 漢字 🎉" },
  ])("$name is shown as it is written", ({ title, shows }) => expect(shownText(title)).toBe(shows));

  test("code holds no markup either, and needs no invisible marks", () => {
    expect(shownCode("</code>@a`|")).toBe("<code>&#60;/code&#62;&#64;a&#96;&#124;</code>");
  });

  test("long text is cut between letters", () => {
    expect(shownText("🎉".repeat(200), 3)).toBe("🎉🎉…");
  });

  test("whatever the text, nothing but references, our own span and harmless letters comes out, and it reads the same", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (title) => {
        const shown = shownText(title);
        expect(shown.replace(/&#\d+;|<\/?span>/g, "")).toMatch(/^[A-Za-z0-9 ,()/\u0080-\u{10ffff}-]*$/u);
        expect(rendered(shown)).toBe(plainText(title));
      }),
    );
  });
});

test("the summary names what would be dispatched and why, and every other bead once", () => {
  const summary = summaryOf([
    { id: "shop-1", title: "Add a health check", labels: ["area:api"], priority: 1 },
    { id: "shop-2", title: "Time out slow calls", labels: ["area:api", "model:haiku"] },
    { id: "shop-3", title: "Explain the health check", labels: ["area:docs", "fp:read:src/x"] },
    { id: "shop-4", title: "Payments", issue_type: "epic" },
    { id: "shop-5", title: "Tidy up" },
    { id: "shop-6", title: "Later", dependencies: [{ depends_on_id: "shop-1", type: "blocks" }] },
  ]);
  expect(rendered(summary)).toMatchInlineSnapshot(`
    "## Dry run of \`shop\`

    **3** of 5 ready beads would be dispatched, at most 4 at once. Nothing was started.

    | Would dispatch | Title | Footprint | Model | Landing |
    | --- | --- | --- | --- | --- |
    | \`shop-1\` | Add a health check | writes \`src/api\` | \`sonnet\`, stage default (implement) | manual |
    | \`shop-3\` | Explain the health check | reads \`src/x\` | \`sonnet\`, stage default (implement) | manual |
    | \`shop-5\` | Tidy up | writes \`domain:unknown\` | \`sonnet\`, stage default (implement) | manual |

    ### Deferred (1)

    | Bead | Title | Why |
    | --- | --- | --- |
    | \`shop-2\` | Time out slow calls | footprint conflict with shop-1 |

    ### Skipped (1)

    | Bead | Title | Why |
    | --- | --- | --- |
    | \`shop-4\` | Payments | non-dispatch issue_type epic |

    ## Plan audit

    | Open | Ready | Dispatchable | Tokens | Parallel width | If all were labelled |
    | --- | --- | --- | --- | --- | --- |
    | 6 | 5 | 5 | 3 | 3 | 3 |

    **Unlabeled (2)**: nothing says what they touch, so they run one at a time.

    \`shop-5\`, \`shop-6\`

    <details><summary>Warnings (1)</summary>

    | Labels and edges that do not do what they seem to |
    | --- |
    | shop-3: area:docs has no effect beside its fp: labels |

    </details>

    <details><summary>Non-dispatchable (1)</summary>

    | Bead | Why no agent gets it |
    | --- | --- |
    | \`shop-4\` | non-dispatch issue_type epic |

    </details>

    <details><summary>Conflicting pairs (2)</summary>

    | Bead | Bead | Mode | Shared tokens |
    | --- | --- | --- | --- |
    | \`shop-1\` | \`shop-2\` | write-write | \`src/api\` |
    | \`shop-5\` | \`shop-6\` | write-write | \`domain:unknown\` |

    </details>

    <details><summary>Busiest tokens</summary>

    | Token | Writers | Readers |
    | --- | --- | --- |
    | \`domain:unknown\` | 2 | 0 |
    | \`src/api\` | 2 | 0 |

    </details>
    "
  `);
});

test("an empty backlog is said to be empty", () => {
  expect(rendered(summaryOf([]))).toMatchInlineSnapshot(`
    "## Dry run of \`shop\`

    Nothing is ready: the work source has no beads.

    ## Plan audit

    | Open | Ready | Dispatchable | Tokens | Parallel width | If all were labelled |
    | --- | --- | --- | --- | --- | --- |
    | 0 | 0 | 0 | 0 | 0 | 0 |
    "
  `);
});

test("an audit of one epic says so", () => {
  const epic = { id: "shop-1", title: "Payments", issue_type: "epic" };
  expect(rendered(summaryOf([epic], { epic: "shop-1" }))).toContain("## Plan audit below `shop-1`");
});

test("tables end after fifty rows and say how many more there are", () => {
  const beads = Array.from({ length: 180 }, (_, n) => ({
    id: `shop-${n}`,
    title: "Same",
    labels: ["fp:one"],
  }));
  const summary = summaryOf(beads);
  expect(summary).toContain("### Deferred (179)");
  expect(summary).toContain("\n… and 129 more");
  expect(summary).toContain(`\n… and ${(180 * 179) / 2 - 50} more`);
  expect(summary.match(/^\| <code>shop-/gm)?.length).toBe(1 + 50 + 50);
});

test("a backlog made to be long stays below GitHub's limit and leaves no fold open", () => {
  const long = "$".repeat(500);
  const tokens = (of: string) =>
    [0, 1, 2, 3, 4, 5].flatMap((n) => [`fp:${n}${of}${long}`, `fp:read:${n}r${of}${long}`]);
  const beads = Array.from({ length: 60 }, (_, n) => [
    { id: `a${n}`, title: long, labels: [...tokens(`own${n}`), `model:${long}`, `area:${long}`] },
    { id: `b${n}`, title: long, labels: [...tokens("shared"), `model:x${long}`] },
    { id: `c${n}`, title: long, labels: [`gt:${long}`] },
  ]).flat();
  const summary = summaryOf(beads, { config: { max_concurrent_slots: 60, allowed_models: [long] } });
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024);
  expect(summary).toMatch(/… the rest is too long for a job summary\n$/);
  expect(summary.split("<details>").length).toBe(summary.split("</details>").length);
});

function summaryOf(records: readonly object[], seed: { epic?: string; config?: object } = {}): string {
  const { epic } = seed;
  const beads = records.map(beadOf);
  const config = ProjectConfig.parse({ ...baseProject, ...seed.config });
  return jobSummary({
    config,
    plan: withIdle(planDispatch({ config, beads, frontier: frontierOf(beads) }), beads),
    audit: auditPlan({ beads, areaMap: config.area_map, ...(epic === undefined ? {} : { epic }) }),
    epic,
  });
}

function beadOf(record: object): Bead {
  const reading = readBead(record);
  if (reading.kind !== "bead") throw new Error(JSON.stringify(reading));
  return reading.bead;
}

/** As a reader sees it on the page, with code in back-quotes. */
function rendered(markdown: string): string {
  return markdown
    .replaceAll("&#8203;", "")
    .replace(/<\/?span>/g, "")
    .replace(/<\/?code>/g, "`")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}
