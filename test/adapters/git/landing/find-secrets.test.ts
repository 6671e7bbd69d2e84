import { expect, test } from "vitest";
import { commit, git } from "../../../support/engine/clone-world.js";
import { LandingWorld } from "../../../support/landing/landing-world.js";

/** Put together here, so that no file holds one. */
const TOKEN = ["ghp", "a8Kd03jfLq92mZx7Rt5W"].join("_");

test("a secret counts wherever it was added, and however it was hidden", async () => {
  const world = await LandingWorld.open();
  const landing = world.landing();
  const clone = await world.ready("b-1");
  commit(clone, "no secret", { ".gitattributes": "* -diff\n", "key.txt": "sk_test\n" });
  commit(clone, `feat: ${TOKEN}`, { "a b.txt": `one\n${"x".repeat(2_000_000)} ${TOKEN}\n` });
  git(clone, "rm", "--quiet", "a b.txt");
  commit(clone, "chore: gone again", { "image.bin": Buffer.from(`\0${TOKEN}`).toString() });
  const candidate = await landing.candidate("b-1");
  if (candidate === null) throw new Error("no candidate");
  const { secrets } = await landing.range(candidate);
  expect(secrets.map(({ path, kind }) => `${kind} in ${path}`)).toEqual([
    expect.stringMatching(/^GitHub token in the message of [0-9a-f]{12}$/),
    "GitHub token in a b.txt",
  ]);
});
