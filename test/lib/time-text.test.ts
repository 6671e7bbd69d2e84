import { expect, test } from "vitest";
import { agoText, clockText, durationText } from "../../src/lib/time-text.js";

const [S, M, H, D] = [1000, 60_000, 3_600_000, 86_400_000];

test.each([
  { ms: 0, says: "0s" },
  { ms: -5 * S, says: "0s" },
  { ms: 59 * S + 999, says: "59s" },
  { ms: 60 * S, says: "1m 00s" },
  { ms: H - 1, says: "59m 59s" },
  { ms: 2 * H + 5 * M, says: "2h 05m" },
  { ms: 3 * D + 4 * H, says: "3d 04h" },
])("$ms ms are $says", ({ ms, says }) => expect(durationText(ms)).toBe(says));

test("a time that cannot be read is shown as it is", () => {
  expect(agoText("2026-01-01T00:00:00Z", Date.parse("2026-01-01T00:02:00Z"))).toBe("2m 00s ago");
  expect(agoText("soon", 0)).toBe("soon");
});

test("the time of day has two digits each", () => {
  expect(clockText(new Date(2026, 0, 2, 3, 4, 5).getTime())).toBe("03:04:05");
});
