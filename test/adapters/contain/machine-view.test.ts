import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { machineView } from "../../../src/adapters/contain/machine-view.js";
import { tempFolder } from "../../support/temp-folder.js";

/** Folders below a person's home that a PATH leads to, and what lies beside them. */
async function shown(...path: string[]): Promise<string[]> {
  const home = tempFolder();
  for (const name of ["bin", "lib", "go/bin", "go/lib", ".koryph/bin", "checkout"])
    mkdirSync(join(home, name), { recursive: true });
  const env = { PATH: path.map((name) => `${home}${name}`).join(":") };
  const { readable } = await machineView(env, [home, join(home, ".koryph")]);
  return readable.flatMap((each) => (each.startsWith(home) ? [each.slice(home.length)] : []));
}

test("a toolchain on the PATH is shown with what lies beside its programs", async () => {
  expect(await shown("/go/bin")).toEqual(["/go/bin", "/go/lib"]);
});

test("a home's own programs are shown, and nothing that lies beside them", async () => {
  expect(await shown("/bin")).toEqual(["/bin"]);
  expect(await shown("/bin/")).toEqual(["/bin"]);
});

test.each(["", "/", "/.", "/.koryph", "/go/..", "/../"])(
  "a home is not shown because it is on the PATH: ~%s",
  async (entry) => {
    expect(await shown(entry)).toEqual([]);
  },
);
