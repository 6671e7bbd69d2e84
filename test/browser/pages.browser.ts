import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { KeptAppFiles } from "../../src/adapters/home/kept-app-files.js";
import { KoryphHome } from "../../src/adapters/home/koryph-home.js";
import { prepareSample } from "../../src/cli/demo/prepare-sample.js";
import type { Sandbox } from "../../src/sandbox/sandbox.js";
import { beginSetup, modesBelow, setupLab } from "../support/app/setup-lab.js";
import { HOSTILE_TEXTS } from "../support/core/hostile-texts.js";
import { pageOf, receipt } from "../support/core/run-pages.js";
import { slot } from "../support/core/slots.js";
import { tempFolder } from "../support/temp-folder.js";
import { findChromium, lookAt, openBrowser, picturesFolder } from "./chromium.js";

const executable = findChromium();
if (executable === null)
  console.log("koryph: no Chromium on this machine, so nothing is looked at (apt-get install chromium)");

/** Nobody listens there: what is looked at is GitHub's side. */
const NOWHERE = "http://127.0.0.1:1";
const REPOSITORY = "/_/you/playground";

async function sampleLab() {
  const lab = await setupLab();
  await prepareSample(lab.sandbox, { folder: tempFolder(), appUrl: NOWHERE });
  return lab;
}

/** Each page that is looked at, and where it is. */
const PAGES: readonly { readonly name: string; readonly at: (sandbox: Sandbox) => string }[] = [
  { name: "home", at: ({ url }) => `${url}/_/` },
  { name: "repository", at: ({ url }) => url + REPOSITORY },
  { name: "issue", at: ({ url }) => `${url}${REPOSITORY}/1` },
  { name: "pull-request", at: ({ url }) => `${url}${REPOSITORY}/4` },
  { name: "app", at: ({ url }) => `${url}/_/apps/koryph` },
];

/** Beads in every state that a report tells of, and strangers' titles. */
const SLOTS = [
  slot({ bead: "gh-12", title: "Round prices", status: "merged", tries: 2, costUsd: 1.5 }),
  slot({ bead: "gh-13", status: "blocked", note: "which colour?", model: "opus" }),
  ...HOSTILE_TEXTS.map((title, at) => slot({ bead: `gh-${100 + at}`, title, status: "pr-opened" })),
];

describe.skipIf(executable === null)("in Chromium", () => {
  const pictures = executable === null ? "" : picturesFolder();
  afterAll(() => {
    if (executable !== null) console.log(`koryph: pictures of the pages are in ${pictures}`);
  });

  test.each(PAGES)("the sandbox's page $name", async ({ name, at }) => {
    const { sandbox } = await sampleLab();
    const browser = await openBrowser(executable ?? "");
    await browser.page.goto(at(sandbox));
    for (const folded of await browser.page.locator("details").all())
      await folded.evaluate((it) => it.setAttribute("open", ""));
    await lookAt(browser, pictures, `sandbox-${name}`);
    await browser.page.goto("about:blank");
  });

  test.each(["light", "dark"] as const)("the report of a run, %s", async (scheme) => {
    const path = join(tempFolder(), "report.html");
    writeFileSync(path, pageOf(SLOTS, { receipts: [receipt(), receipt({ finding: { code: "unsigned" } })] }));
    const browser = await openBrowser(executable ?? "");
    await browser.page.emulateMedia({ colorScheme: scheme });
    await browser.page.goto(pathToFileURL(path).href);
    await lookAt(browser, pictures, `report-${scheme}`);
  });

  test("the set-up of an App, from the link to its installation", async () => {
    const lab = await sampleLab();
    const setup = await beginSetup(lab);
    const browser = await openBrowser(executable ?? "");
    const { page } = browser;
    const look = (name: string) => lookAt(browser, pictures, `setup-${name}`);

    await page.goto(setup.link);
    await look("1-form");
    await page.getByText("through a smee.io channel").click();
    await page.getByText("an organisation's").click();
    await look("2-form-other");
    await page.getByText("mine: it belongs").click();
    await page.getByText("under an address of its own").click();
    await page.locator("[name=name]").fill("Acme koryph");
    await page.locator("[name=address]").fill("not an address");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("alert").waitFor();
    // A form that cannot be sent is answered with 422, which the browser tells of.
    expect(browser.complaints.splice(0)).toHaveLength(2);
    await look("3-form-wrong");
    await page.locator("[name=address]").fill(NOWHERE);
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("heading", { name: "Send it to GitHub" }).waitFor();
    await look("4-send");
    await page.getByRole("button", { name: "Go to 127.0.0.1" }).click();
    await page.getByRole("heading", { name: "Create GitHub App" }).waitFor();
    await look("5-github");
    await page.getByRole("button", { name: "Create GitHub App" }).click();
    await page.getByRole("heading", { name: "acme-koryph is set up" }).waitFor();
    await setup.ended;
    await look("6-done");
    expect(modesBelow(lab.kept)).toEqual({ ".": "700", "app.json": "600", "private-key.pem": "600" });
    expect(new KeptAppFiles(new KoryphHome(lab.home)).read()?.slug).toBe("acme-koryph");

    await page.getByRole("link", { name: "Install the App" }).click();
    await page.getByRole("button", { name: "Install" }).click();
    await page.getByText("you/playground", { exact: true }).waitFor();
    await look("7-installed");
    const app = lab.sandbox.state.apps.find(({ slug }) => slug === "acme-koryph");
    expect(app?.installations).toMatchObject([{ repositories: ["you/playground"] }]);
  });
});
