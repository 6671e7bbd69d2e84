import { expect, onTestFinished, test, vi } from "vitest";
import { writeSummary } from "../../src/action/annotate.js";

test("a runner that takes no summary is a warning, and the run is what it was", async () => {
  delete process.env.GITHUB_STEP_SUMMARY;
  const said: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => said.push(String(text)) > 0);
  onTestFinished(() => write.mockRestore());

  await writeSummary("## Run");

  expect(said.join("")).toMatch(
    /^::warning title=koryph::the runner did not take the job summary: .*GITHUB_STEP_SUMMARY/,
  );
});
