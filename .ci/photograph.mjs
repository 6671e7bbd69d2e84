import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** A picture of a page, by Chromium. `size` is its width and height in pixels. */
export function photograph(address, target, size) {
  const profile = mkdtempSync(join(tmpdir(), "koryph-picture-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"];
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
  const picture = [`--screenshot=${resolve(target)}`, `--window-size=${size}`, `--user-data-dir=${profile}`];
  const args = [...flags, ...quiet, ...picture, "--virtual-time-budget=2000", address];
  const { error } = spawnSync("chromium", args, { stdio: "ignore" });
  rmSync(profile, { recursive: true, force: true });
  if (error) throw error;
}
