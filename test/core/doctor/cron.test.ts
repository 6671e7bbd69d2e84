import { expect, test } from "vitest";
import { dueTimes, readCron } from "../../../src/core/doctor/cron.js";

const NOW = Date.parse("2026-03-04T10:30:00Z"); // a Wednesday

test.each([
  { cron: "23 */2 * * *", due: ["2026-03-04T10:23", "2026-03-04T08:23"] },
  { cron: "17 6 * * 1-5", due: ["2026-03-04T06:17", "2026-03-03T06:17"] },
  { cron: "5,35 10 * * *", due: ["2026-03-04T10:05", "2026-03-03T10:35"] },
  { cron: "7 0 1 jan *", due: ["2026-01-01T00:07"] },
  { cron: "7 0 * * SUN", due: ["2026-03-01T00:07", "2026-02-22T00:07"] },
  { cron: "7 0 * * 7", due: ["2026-03-01T00:07", "2026-02-22T00:07"] },
  { cron: "7 0 2 * 0", due: ["2026-03-02T00:07", "2026-03-01T00:07"] },
  { cron: "50/5 10 * * *", due: ["2026-03-03T10:55", "2026-03-03T10:50"] },
  { cron: "30 10 29 2 *", due: [] },
])("$cron", ({ cron, due }) => {
  const read = readCron(cron);
  const found = read === null ? null : dueTimes(read, { before: NOW, count: 2 });
  expect(found?.map((at) => new Date(at).toISOString().slice(0, 16))).toEqual(due);
});

test.each(["", "1 2 3 4", "1 2 3 4 5 6", "60 * * * *", "* 24 * * *", "*/0 * * * *", "@daily", "5-1 * * * *"])(
  "%j is no schedule",
  (text) => expect(readCron(text)).toBeNull(),
);
