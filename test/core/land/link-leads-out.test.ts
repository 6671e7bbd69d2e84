import { expect, test } from "vitest";
import { linkLeadsOut } from "../../../src/core/land/link-leads-out.js";

test.each<[path: string, target: string, out: boolean]>([
  ["link", "README.md", false],
  ["docs/link", "../README.md", false],
  ["a/b/link", "../../c/d", false],
  ["link", "a/../b", false],
  ["link", ".github/x", false],
  ["link", "/etc/passwd", true],
  ["link", "../other", true],
  ["docs/link", "../../other", true],
  ["docs/link", "x/../../../back", true],
  ["link", ".git/hooks", true],
  ["docs/link", "../.GIT/config", true],
  ["link", "C:\\Users", true],
  ["link", "..\\other", true],
])("%s, which says %s, leads out: %s", (path, target, out) => expect(linkLeadsOut(path, target)).toBe(out));
