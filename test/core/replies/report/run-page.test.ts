import { expect, test } from "vitest";
import { HOSTILE_TEXTS } from "../../../support/core/hostile-texts.js";
import { statement } from "../../../support/core/receipts.js";
import { pageOf, receipt } from "../../../support/core/run-pages.js";
import { slot } from "../../../support/core/slots.js";

/** What is between the tags, as a reader sees it. */
function read(page: string): string {
  const body = page.slice(page.indexOf("<body>")).replace(/<[^>]*>/g, " ");
  const text = body.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&lt;", "<");
  return text.replaceAll("&gt;", ">").replaceAll("&amp;", "&").replace(/\s+/g, " ");
}

test("it tells of each bead, its time, its cost, and of each landing with who approved and signed it", () => {
  const done = slot({ bead: "gh-12", title: "Round prices", status: "merged", tries: 2, costUsd: 1.5 });
  const stuck = slot({ bead: "gh-13", status: "blocked", note: "which colour?", model: "opus" });
  const page = pageOf([done, stuck], { receipts: [receipt()] });
  const text = read(page);
  expect(text).toContain("1 of 2");
  expect(text).toContain("1 landed, 1 blocked.");
  expect(text).toContain("gh-12 Round prices x sonnet landed 2 $1.50");
  expect(text).toContain("blocked which colour?");
  expect(text).toMatch(/all 2 3 \$1\.50/);
  expect(text).toContain("gh-12 Round prices cccccccccccc bo ci, gate koryph@shop, nobody ffffffffffff ✓");
  expect(text).toContain("koryph show gh-13");
  expect(page).toContain('aria-label="gh-12: at work 0s to 1m 00s after the start; landed"');
});

test("the timeline says what its colours mean, and of no colour that is not there", () => {
  const one = read(pageOf([slot({ status: "merged" })]));
  expect(one).toContain(
    "in the colour of what became of the bead: finished, open as a pull request, or landed",
  );
  expect(one).not.toContain("waits for a person");
  const two = read(
    pageOf([slot({ bead: "gh-1", status: "merged" }), slot({ bead: "gh-2", status: "blocked" })]),
  );
  expect(two).toContain("or landed waits for a person");
});

test("a receipt that does not hold says why", () => {
  const bad = receipt({ finding: { code: "unsigned" } });
  const page = pageOf([slot({ status: "merged" })], { receipts: [bad] });
  expect(page).toContain('<span class="bad">✗ ');
  expect(page).not.toContain("signed, and holds");
});

test("a run in which nothing was dispatched says so, and has no empty table", () => {
  const page = pageOf([]);
  expect(read(page)).toContain("Nothing was dispatched.");
  expect(page).not.toMatch(/<tbody>\s*<\/tbody>/);
});

test("whatever strangers write becomes text, and the page names nothing outside itself", () => {
  const plain = pageOf([slot({ status: "blocked", note: "no" })], { receipts: [receipt()] });
  const tags = (page: string) => page.match(/<\/?[a-z][^>\s]*/gi) ?? [];
  for (const text of [
    ...HOSTILE_TEXTS,
    '"><script>alert(1)</script>',
    "</style><img src=x onerror=alert(1)>",
  ]) {
    const own = slot({
      status: "blocked",
      title: text,
      model: text,
      note: text,
      footprint: { reads: [], writes: [text] },
    });
    const claims = receipt({ statement: statement({ bead: { id: "gh-12", title: text } }) });
    const page = pageOf([own], { receipts: [claims], project: text });
    // A note that is nothing but white space leaves out the lines that it would stand in.
    if (text.trim() !== "") expect(tags(page)).toEqual(tags(plain));
    const inTags = (page.match(/<[^>]*>/g) ?? []).join("\n");
    expect(inTags).not.toMatch(/\s(?:src|onerror|onload)=/);
  }
});

test("an address becomes a link only where it leads to the web", () => {
  const url = "javascript:alert(1)";
  const page = pageOf([slot({ status: "pr-opened", pull: { number: 7, url } })]);
  expect(page).not.toContain("javascript:");
  expect(read(page)).toContain("#7");
});

test("two hundred beads are all there, and the page stays small", () => {
  const page = pageOf(
    Array.from({ length: 200 }, (_, at) => slot({ bead: `gh-${at}`, title: `Work on part ${at}` })),
  );
  expect(page.match(/class="track"/g)).toHaveLength(200);
  expect(page.match(/<th scope="row"><code>/g)).toHaveLength(200);
  expect(page.length).toBeLessThan(200_000);
});
