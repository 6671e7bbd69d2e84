import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { tempFolder } from "../support/temp-folder.js";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const FLAGS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];
/** A desk's, and a phone's. */
const WIDTHS = [1280, 400];

/** Where the browser lies; null on a machine without one. */
export function findChromium(): string | null {
  for (const name of NAMES) {
    try {
      return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {}
  }
  return null;
}

/** Where the pictures go: `KORYPH_PICTURES`, or a folder of this run's own. */
export function picturesFolder(): string {
  const named = process.env.KORYPH_PICTURES;
  if (named === undefined || named === "") return mkdtempSync(join(tmpdir(), "koryph-pictures-"));
  mkdirSync(named, { recursive: true });
  return named;
}

export interface Watched {
  readonly page: Page;
  /** What the browser complained of since the last look: words on its console, and requests that failed. */
  readonly complaints: string[];
}

/** A browser that nobody has used before. It goes with the test. */
export async function openBrowser(executablePath: string): Promise<Watched> {
  const context: BrowserContext = await chromium.launchPersistentContext(tempFolder(), {
    executablePath,
    headless: true,
    args: FLAGS,
    viewport: { width: 1280, height: 900 },
  });
  onTestFinished(() => context.close());
  const page = context.pages()[0] ?? (await context.newPage());
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("requestfailed", (request) => {
    // A page that is left asks for nothing more, and its requests are cut.
    const why = request.failure()?.errorText ?? "";
    if (why !== "net::ERR_ABORTED") complaints.push(`${request.url()}: ${why}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()}: ${response.status()}`);
  });
  return { page, complaints };
}

interface Seen {
  /** Pixels that a person would have to scroll sideways. */
  readonly beyond: number;
  readonly words: number;
  readonly emptyTables: number;
}

/** For the browser, which has another world than the one this file is checked in. */
const SEEN = `({
  beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  words: document.body.innerText.trim().length,
  emptyTables: [...document.querySelectorAll("table")].filter((table) =>
    [...table.querySelectorAll("tbody tr")].every((row) => row.textContent.trim() === "")).length,
})`;

/** Takes a picture of the page at each width, and finds nothing that a person would complain of. */
export async function lookAt({ page, complaints }: Watched, folder: string, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: true });
    const seen = await page.evaluate<Seen>(SEEN);
    expect({ name, width, ...seen, words: seen.words > 0 }).toEqual({
      ...{ name, width, words: true },
      ...{ beyond: 0, emptyTables: 0 },
    });
  }
  expect(complaints.splice(0), name).toEqual([]);
}
