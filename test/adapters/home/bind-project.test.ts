import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bindProject } from "../../../src/adapters/home/bind-project.js";
import { KoryphHome } from "../../../src/adapters/home/koryph-home.js";
import { Registry } from "../../../src/adapters/home/registry.js";
import { tempFolder } from "../../support/temp-folder.js";

function world() {
  const top = tempFolder();
  const home = new KoryphHome(join(top, "home"));
  const checkout = (name: string, id = "dup") => {
    const root = join(top, name);
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, "koryph.project.json"), JSON.stringify({ project_id: id }));
    return root;
  };
  const bind = (root: string, remote = `${root}.git`) => bindProject(home, { id: "dup", root, remote });
  return { home, checkout, bind, folder: home.projectHome("dup") };
}

test("the first repository has the id, as often as it comes", async () => {
  const { checkout, bind, folder } = world();
  const one = checkout("one");
  expect(await bind(one)).toBe(folder);
  expect(await bind(one)).toBe(folder);
});

test("another repository is refused, and told which one has the id", async () => {
  const { checkout, bind, folder } = world();
  const [one, two] = [checkout("one"), checkout("two")];
  await bind(one);
  await expect(bind(two)).rejects.toMatchObject({
    message: `project id dup belongs to ${one} on this machine, which is another repository`,
    hint: expect.stringContaining(folder),
  });
  await expect(bind(one)).resolves.toBe(folder);
});

test("what is registered counts where nothing was bound yet", async () => {
  const { home, checkout, bind } = world();
  const [one, two] = [checkout("one"), checkout("two")];
  await new Registry(home).register({ id: "dup", root: one, remote: `${one}.git` });
  await expect(bind(two)).rejects.toThrow(`belongs to ${one}`);
});

test("forgetting the entry does not give the state away", async () => {
  const { home, checkout, bind } = world();
  const [one, two] = [checkout("one"), checkout("two")];
  await bind(one);
  await new Registry(home).register({ id: "dup", root: one, remote: `${one}.git` });
  await new Registry(home).remove("dup");
  await expect(bind(two)).rejects.toThrow(`belongs to ${one}`);
});

test.each<[name: string, change: (one: string, checkout: (name: string, id?: string) => string) => void]>([
  ["is gone", (one) => rmSync(one, { recursive: true })],
  ["has another id", (_, checkout) => checkout("one", "other")],
])("another one may have it once the first %s", async (_, change) => {
  const { checkout, bind, folder } = world();
  const [one, two] = [checkout("one"), checkout("two")];
  await bind(one);
  change(one, checkout);
  expect(await bind(two)).toBe(folder);
  checkout("one");
  await expect(bind(one)).rejects.toThrow(`belongs to ${two}`);
});

test("checkouts of one remote are one repository, and so is a checkout whose remote moved", async () => {
  const { checkout, bind } = world();
  const [one, two] = [checkout("one"), checkout("two")];
  await bind(one, "https://example.org/o/r.git");
  await bind(two, "https://me:hunter2@example.org/o/r.git");
  await bind(one, "ssh://git@example.org/o/r.git");
  await expect(bind(two, "https://example.org/o/r.git")).rejects.toThrow(`belongs to ${one}`);
});

test("no password is kept, and a damaged binding is made again", async () => {
  const { checkout, bind, folder } = world();
  const [one, file] = [checkout("one"), join(folder, "repository.json")];
  await bind(one, "https://me:hunter2@example.org/o/r.git");
  expect(readFileSync(file, "utf8")).not.toContain("hunter2");
  writeFileSync(file, "{");
  await bind(one);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ root: one, remote: `${one}.git` });
});
