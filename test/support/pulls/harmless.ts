import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { expect } from "vitest";
import { readCommands } from "../../../src/core/commands/read-commands.js";
import { UNSAFE } from "../../../src/lib/plain-text.js";
import type { AppWorld } from "../app/app-world.js";
import { landed, tip } from "../app/landing-stories.js";
import { shown } from "../app/review-stories.js";
import { SECRET } from "../core/hostile-texts.js";
import { OWN_ELEMENT, OWN_MARK, REFERENCE, seenMarkdown } from "../core/seen-markdown.js";
import { MARKER } from "./hostile-files.js";

/** What koryph's own replies, reviews and check runs are made of. */
const KINDS: ReadonlySet<string> = new Set([
  ...["root", "html", "paragraph", "text", "heading", "strong", "emphasis", "break", "link"],
  ...["table", "tableRow", "tableCell", "list", "listItem"],
]);

/** Whether something ran that stands in a name: its mark lies wherever git or koryph may have worked. */
function marks({ home, repository }: Pick<AppWorld, "home" | "repository">): string[] {
  const deep = [home, dirname(repository.gitDir)].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }),
  );
  const flat = [process.cwd(), tmpdir(), "/"].flatMap((folder) => readdirSync(folder));
  return [...deep, ...flat].filter((path) => path === MARKER || path.endsWith(`/${MARKER}`));
}

/** Everything that the App has written about a pull request, as it was sent. */
export async function postedOn(world: AppWorld, pull: number, head: string): Promise<string[]> {
  const bodies = (all: { body: string; user: { login: string } }[]) =>
    all.filter(({ user }) => user.login === "koryph[bot]").map(({ body }) => body);
  const checks = world.repository.checkRuns.filter(
    ({ headSha, app }) => headSha === head && app === world.appId,
  );
  return [
    ...world
      .issue(pull)
      .comments.filter(({ viaApp }) => viaApp !== null)
      .map(({ body }) => body),
    ...bodies(await shown(world, `/pulls/${pull}/reviews`)),
    ...bodies(await shown(world, `/pulls/${pull}/comments`)),
    ...checks.flatMap(({ output }) => [output.title ?? "", output.summary ?? "", output.text ?? ""]),
  ];
}

/** Where koryph shows commits of strangers in a fence of its own, which must be one piece from begin to end. */
const OWN_FENCE =
  /<details><summary><code>git range-diff<\/code>, which decides nothing<\/summary>\n\n(~{6,}\n[\s\S]*?\n~{6,})\n\n<\/details>/g;

/** What strangers wrote is only ever words in it. */
function readsAsWords(world: AppWorld, body: string): void {
  for (const [, fence = ""] of body.matchAll(OWN_FENCE))
    expect([...seenMarkdown(fence).kinds].sort()).toEqual(["code", "root"]);
  const { text, elements, kinds, links } = seenMarkdown(body.replace(OWN_FENCE, ""));
  expect(readCommands(body).lines).toEqual([]);
  expect([...kinds].filter((kind) => !KINDS.has(kind))).toEqual([]);
  expect(elements.filter((each) => !OWN_ELEMENT.test(each) && !OWN_MARK.test(each))).toEqual([]);
  expect(links.filter((link) => !link.startsWith(`${world.sandbox.url}/`))).toEqual([]);
  expect(text).not.toMatch(REFERENCE);
  expect(body.replaceAll("\n", "")).not.toMatch(new RegExp(UNSAFE.source, "u"));
  const key = world.env.PRIVATE_KEY?.split("\n")[1] ?? "";
  for (const secret of [SECRET, key, world.env.WEBHOOK_SECRET ?? ""]) expect(body).not.toContain(secret);
  expect(body).not.toMatch(/gh[sup]_\w{10}|x-access-token|AUTHORIZATION/);
}

export const beforehand = async (world: AppWorld) => ({
  ...{ base: await tip(world), landed: await landed(world) },
  landings: (await world.state()).landings.length,
});

/** Nothing ran, nothing landed, what was posted is words, and the next command is answered. */
export async function wasHarmless(
  world: AppWorld,
  { pull, head }: { readonly pull: number; readonly head: string },
  before: Awaited<ReturnType<typeof beforehand>>,
): Promise<void> {
  expect(marks(world)).toEqual([]);
  expect(await beforehand(world)).toEqual(before);
  for (const body of await postedOn(world, pull, head)) readsAsWords(world, body);
  await world.as("rita").says(pull, "/koryph help");
  expect(world.replies(pull).at(-1)).toContain("/koryph land");
}
