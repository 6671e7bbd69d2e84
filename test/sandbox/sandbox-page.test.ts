import { describe, expect, onTestFinished, test } from "vitest";
import { renderMarkdown } from "../../src/sandbox/page/markdown.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/sandbox.js";
import { act } from "../../src/sandbox/world/act.js";
import { type Asked, askPage } from "../support/ask-page.js";

const shown = (source: string) => renderMarkdown(source).text;

test.each<{ name: string; source: string; holds: string }>([
  { name: "line ends are kept, as GitHub does in comments", source: "one\ntwo", holds: "<p>one<br>two</p>" },
  { name: "code is code", source: "```sh\na < b\n```", holds: "<pre><code>a &lt; b</code></pre>" },
  { name: "lists and emphasis", source: "- **a**\n- `b`", holds: "<strong>a</strong>" },
  {
    name: "a link to a page",
    source: "[x](https://example.com/?a=1&b=2)",
    holds: '<a href="https://example.com/?a=1&amp;b=2" rel="noreferrer">x</a>',
  },
  {
    name: "an address in the text",
    source: "see http://127.0.0.1/a.",
    holds: '<a href="http://127.0.0.1/a" rel="noreferrer">http://127.0.0.1/a</a>.',
  },
  {
    name: "a table",
    source: "| a | b |\n|---|:-:|\n| `x` | **y** |",
    holds: "<td><code>x</code></td><td><strong>y</strong></td>",
  },
  {
    name: "a table right after a sentence",
    source: "Look:\n| a | b |\n|---|---|\n| 1 | 2 |",
    holds: "<p>Look:</p><table>",
  },
  { name: "a bar inside a cell", source: "| a |\n|---|\n| x \\| y |", holds: "<td>x | y</td>" },
  { name: "struck text", source: "a ~~b~~", holds: "<p>a <del>b</del></p>" },
  { name: "a footnote", source: "a[^1]\n\n[^1]: b", holds: "<p>a<sup>1</sup></p><p>b</p>" },
  {
    name: "code that is written as a tag",
    source: "| a |\n|---|\n| <code>&lt;b&gt;</code> |",
    holds: "<td><code>&lt;b&gt;</code></td>",
  },
  {
    name: "a character reference inside a tag",
    source: "<pre>\n&quot;held by &#64;alice&quot; &#x3c;b&gt; &#0; &what;\n</pre>",
    holds: "<pre>\n&quot;held by @alice&quot; &lt;b&gt; \ufffd &amp;what;\n</pre>",
  },
  {
    name: "a folded part",
    source: "<details>\n<summary>more</summary>\n\ntext\n\n</details>",
    holds: "<details>\n<summary>more</summary>",
  },
])("$name", ({ source, holds }) => expect(shown(source)).toContain(holds));

test.each([
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '<details open onclick="alert(1)">',
  "[x](javascript:alert(1))",
  "![x](javascript:alert(1))",
  "[x](data:text/html,hi)",
  "| a |\n|---|\n| <script>alert(1)</script> |",
  '[x](https://e.com/"onmouseover="alert(1))',
  "a <b onclick=alert(1)> b",
  "<pre>&lt;script&gt;alert(1)&#60;/script&#x3e;</pre>",
  `${">".repeat(500)} <script>alert(1)</script>`,
])("nothing written in a comment becomes live markup: %s", (source) => {
  const tags = shown(source).match(/<[a-z]+[^>]*>/g) ?? [];
  const harmless =
    /^<(p|pre|br|table|thead|tbody|tr|th|td|blockquote|a href="https?:\/\/[^"<>]*" rel="noreferrer")>$/;
  expect(tags.filter((tag) => !harmless.test(tag))).toEqual([]);
});

test("a comment that GitHub would hide is hidden", () => {
  expect(shown("<!-- koryph:reply 7 -->\nDone.")).not.toContain("koryph");
});

describe("pages", () => {
  const NAME = "you/playground";
  const THREAD = `/_/${NAME}/1`;

  async function start(): Promise<Sandbox> {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    await sandbox.addRepository({ owner: "you", name: "playground", files: { "a.txt": "one\n" } });
    for (const [login, role] of [
      ["you", "admin"],
      ["alice", "write"],
      ["mallory", "read"],
    ] as const)
      sandbox.setRole(NAME, login, role);
    await sandbox.commit(NAME, "agent/two", { "a.txt": "<two>\n" }, { author: "alice", message: "fix: two" });
    await sandbox.openPull(NAME, { author: "alice", head: "agent/two", title: "Make it <two>", body: "" });
    return sandbox;
  }

  const ask = ({ url }: Sandbox, path: string, given: Asked = {}) => askPage(url + path, given);
  const press = (sandbox: Sandbox, path: string, form: Record<string, string>) =>
    ask(sandbox, path, { form });
  const comments = ({ world }: Sandbox) => world.repository(NAME)?.issues[0]?.comments ?? [];

  test("every page is there, with what people wrote as text", async () => {
    const sandbox = await start();
    const workings = ["authorizations", "deliveries", "faults", "login", "problems"];
    for (const path of ["/_/", `/_/${NAME}`, THREAD, ...workings.map((name) => `/_/${name}`)]) {
      const { status, text } = await ask(sandbox, path);
      expect(status, path).toBe(200);
      expect(text).not.toContain("<two>");
    }
    expect((await ask(sandbox, THREAD)).text).toContain("+&lt;two&gt;");
    expect((await ask(sandbox, `/_/${NAME}/99`)).status).toBe(404);
    expect((await ask(sandbox, "/_/no/where")).status).toBe(404);
    expect(sandbox.problems).toEqual([]);
  });

  test("a thread's forms do what people do there, and lead back", async () => {
    const sandbox = await start();
    expect(
      await press(sandbox, THREAD, { do: "comment", as: "alice", body: "/koryph help\r\nplease" }),
    ).toMatchObject({
      status: 303,
      location: `${THREAD}#issuecomment-${comments(sandbox)[0]?.id}`,
    });
    const id = String(comments(sandbox)[0]?.id);
    await press(sandbox, THREAD, { do: "react", as: "you", id, content: "eyes" });
    await press(sandbox, THREAD, { do: "edit", as: "alice", id, body: "/koryph status" });
    expect(comments(sandbox)).toMatchObject([
      { author: "alice", body: "/koryph status", reactions: [{ content: "eyes", user: "you" }] },
    ]);
    expect((await ask(sandbox, THREAD)).text).toContain("👀 you");
    await press(sandbox, THREAD, { do: "delete", as: "alice", id });
    expect(comments(sandbox)).toEqual([]);
    await press(sandbox, THREAD, { do: "label", as: "you", label: "bug" });
    await press(sandbox, THREAD, { do: "review", as: "you", event: "APPROVE", body: "" });
    await press(sandbox, THREAD, { do: "close", as: "you" });
    const repository = sandbox.world.repository(NAME);
    expect(repository?.issues[0]).toMatchObject({ state: "closed", labels: ["bug"] });
    expect(repository?.reviews).toMatchObject([{ author: "you", state: "APPROVED" }]);
    const opened = await press(sandbox, `/_/${NAME}`, {
      do: "issue",
      as: "mallory",
      title: "A wish",
      body: "",
    });
    expect(opened.location).toBe(`/_/${NAME}/2`);
    expect(sandbox.problems).toEqual([]);
  });

  test("a conversation about a line is resolved by a button, by whom GitHub lets do it", async () => {
    const sandbox = await start();
    const comment = { path: "a.txt", line: 1, side: "RIGHT", body: "Why two?" };
    const sent = { event: "COMMENT", body: "", comments: [comment] };
    await act(sandbox.world, "alice", { method: "POST", path: `/repos/${NAME}/pulls/1/reviews`, sent });
    const [first] = sandbox.world.repository(NAME)?.reviewComments ?? [];
    const id = String(first?.id);
    expect((await ask(sandbox, THREAD)).text).toContain("not resolved");
    expect(await press(sandbox, THREAD, { do: "resolve", as: "mallory", id })).toMatchObject({ status: 403 });
    expect(first?.resolved).toBe(false);
    await press(sandbox, THREAD, { do: "resolve", as: "you", id });
    expect(first).toMatchObject({ resolved: true, resolvedBy: "you" });
    expect((await ask(sandbox, THREAD)).text).toContain("open again as");
    await press(sandbox, THREAD, { do: "unresolve", as: "you", id });
    expect(first?.resolved).toBe(false);
  });

  test("a thread's page follows what is said there, until a command has its answer", async () => {
    const sandbox = await start();
    const said = async () => (await ask(sandbox, `${THREAD}/said`)).text;
    const version = (text: string) => /data-version="(\w+)"/.exec(text)?.[1];
    const before = await said();
    await press(sandbox, THREAD, { do: "comment", as: "alice", body: "/koryph help" });
    const asked = await said();
    expect(asked).toContain("/koryph help");
    expect(asked).toContain("has not answered yet");
    expect(asked).toContain(`action="${THREAD}"`);
    expect(version(asked)).not.toBe(version(before));
    await press(sandbox, THREAD, { do: "comment", as: "you", body: "patience" });
    expect(await said()).not.toContain("has not answered yet");
    const page = await ask(sandbox, THREAD);
    expect(version(page.text)).toBe(version(await said()));
    expect(page.text).toContain('<script src="/_/live.js" defer></script>');
    const script = await ask(sandbox, "/_/live.js");
    expect(() => new Function(script.text)).not.toThrow();
    expect((await ask(sandbox, `${THREAD}/other`)).status).toBe(404);
  });

  test.each<{ name: string; path?: string; form: Record<string, string>; status: number; says: string }>([
    {
      name: "a right that is lacking",
      form: { do: "label", as: "mallory", label: "bug" },
      status: 403,
      says: "rights",
    },
    {
      name: "a comment that is gone",
      form: { do: "delete", as: "you", id: "7" },
      status: 404,
      says: "Not Found",
    },
    { name: "a comment without a text", form: { do: "comment", as: "you", body: "" }, status: 422, says: "" },
    {
      name: "a person who is nobody",
      form: { do: "comment", as: "eve", body: "x" },
      status: 400,
      says: "Nobody here has that name",
    },
    {
      name: "a bot",
      form: { do: "comment", as: "koryph[bot]", body: "x" },
      status: 400,
      says: "Nobody here has that name",
    },
    {
      name: "a button that is not there",
      form: { do: "explode", as: "you" },
      status: 400,
      says: "not a button",
    },
    {
      name: "a code of no device",
      path: "/_/login",
      form: { do: "approve", as: "you", code: "AAAA-BBBB" },
      status: 404,
      says: "No device waits",
    },
    {
      name: "a delivery that is forgotten",
      path: "/_/deliveries",
      form: { do: "redeliver", id: "1" },
      status: 404,
      says: "forgotten",
    },
    {
      name: "a fault of no kind",
      path: "/_/faults",
      form: { do: "request", kind: "constructor" },
      status: 400,
      says: "no such fault",
    },
  ])("$name is told and changes nothing", async ({ path = THREAD, form, status, says }) => {
    const sandbox = await start();
    const answer = await press(sandbox, path, form);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(says);
    expect(comments(sandbox)).toEqual([]);
    expect(sandbox.faults.list()).toEqual([]);
  });

  test("faults and logins are set by form", async () => {
    const sandbox = await start();
    await press(sandbox, "/_/faults", { do: "webhooks", webhooks: "doubled", times: "3" });
    await press(sandbox, "/_/faults", {
      do: "request",
      operation: "graphql",
      kind: "do it, answer 502",
      times: "x",
    });
    expect(sandbox.faults.list()).toEqual([
      { webhooks: "doubled", times: 3 },
      { operation: "graphql", times: 1, kind: { applyThen: 502 } },
    ]);
    await press(sandbox, "/_/faults", { do: "clear" });
    expect(sandbox.faults.list()).toEqual([]);
    const login = { deviceCode: "d", userCode: "BCDF-GHJK", app: 1, expiresAt: "2999-01-01T00:00:00Z" };
    sandbox.state.deviceLogins.push({ ...login, intervalSeconds: 5, approvedBy: null, denied: false });
    await press(sandbox, "/_/login", { do: "approve", as: "alice", code: "bcdf-ghjk" });
    expect(sandbox.state.deviceLogins).toMatchObject([{ approvedBy: "alice" }]);
  });

  test("a page under another name, and a form from another page, are refused", async () => {
    const sandbox = await start();
    const form = { do: "comment", as: "you", body: "x" };
    const evil = { origin: "http://evil.example" };
    expect((await ask(sandbox, "/_/", { headers: { host: "evil.example" } })).status).toBe(403);
    expect((await ask(sandbox, THREAD, { form, headers: { host: "evil.example", ...evil } })).status).toBe(
      403,
    );
    expect((await ask(sandbox, THREAD, { form, headers: evil })).status).toBe(403);
    expect((await ask(sandbox, THREAD, { form, headers: { origin: "null" } })).status).toBe(403);
    expect(comments(sandbox)).toEqual([]);
    expect((await ask(sandbox, THREAD, { form, headers: { origin: sandbox.url } })).status).toBe(303);
  });

  test.each([
    ["/you/playground/pull/1", THREAD],
    ["/you/playground/issues/1", THREAD],
    ["/you/playground", `/_/${NAME}`],
    ["/login/device?user_code=A", "/_/login?user_code=A"],
    ["/settings/apps/authorizations", "/_/authorizations"],
  ])("GitHub's own address %s leads to the page", async (path, location) => {
    const answer = await ask(await start(), path, { headers: { accept: "text/html" } });
    expect(answer).toMatchObject({ status: 303, location });
  });

  test("choosing a person leads back only to a page of the sandbox", async () => {
    const sandbox = await start();
    const back = async (path: string) =>
      (await press(sandbox, "/_/as", { as: "alice", back: path })).location;
    expect(await back(THREAD)).toBe(THREAD);
    expect(await back("//evil.example")).toBe("/_/");
    expect(await back("https://evil.example/_/")).toBe("/_/");
  });
});
