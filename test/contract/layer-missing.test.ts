import { expect, test, vi } from "vitest";
import ClosingLine from "../support/closing-line.js";
import { LAYER_MISSING } from "../support/layer-missing.js";

test("a run ends by saying which layers this machine lacks, once each", () => {
  const atExit: (() => void)[] = [];
  vi.spyOn(process, "once").mockImplementation((_, listener) => {
    atExit.push(listener as () => void);
    return process;
  });
  const said: unknown[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => said.push(text) > 0);
  try {
    const closing = new ClosingLine();
    const content = `${LAYER_MISSING}: no containment on this machine\n`;
    for (const time of [1, 2])
      closing.onUserConsoleLog({ content, type: "stdout", browser: false, time, size: content.length });
    closing.onTestRunEnd([]);
    for (const listener of atExit) listener();
  } finally {
    vi.restoreAllMocks();
  }
  expect(said).toEqual([
    `${LAYER_MISSING}: no containment on this machine\n`,
    "0 passed, 0 failed, 0 skipped\n",
  ]);
});
