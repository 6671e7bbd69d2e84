import nock from "nock";
import { describe, expect, test } from "vitest";
import { AppDirectory } from "../../../src/adapters/github/app-directory.js";
import { GitCredentials } from "../../../src/adapters/github/git-credentials.js";
import { cutComment } from "../../../src/core/replies/app/github.js";
import { UserError } from "../../../src/lib/user-error.js";
import {
  API,
  bot,
  github,
  giveToken,
  INSTALLATION,
  nockWorld,
  person,
  ref,
  threads,
  useNock,
} from "../../support/app/github-nock.js";

useNock();
const written = { id: 5, node_id: "PRR_5", body: "hello", user: person, html_url: "https://github.test/5" };
const createdAt = "2026-01-02T00:00:00Z";
const paths = {
  comment: "/repos/o/r/issues/comments/5",
  review: "/repos/o/r/pulls/1/reviews/5",
  "review-comment": "/repos/o/r/pulls/comments/5",
} as const;
const kinds = ["comment", "review", "review-comment"] as const;

describe("reading", () => {
  test.each(kinds)("a %s says what it says now", async (kind) => {
    const when = kind === "review" ? { submitted_at: createdAt } : { created_at: createdAt };
    github()
      .get(paths[kind])
      .reply(200, { ...written, ...when });
    expect(await threads().read(ref(kind))).toEqual({
      body: "hello",
      author: { login: "alice", id: 3, type: "User" },
      createdAt,
      url: "https://github.test/5",
      viaApp: null,
      edited: expect.any(Function),
    });
  });

  test.each(kinds)("GitHub is asked whether anybody has changed a %s", async (kind) => {
    const when = kind === "review" ? { submitted_at: createdAt } : { created_at: createdAt };
    const shows = async (node: object | null) => {
      const asks = ({ variables }: { variables?: object }) =>
        JSON.stringify(variables) === JSON.stringify({ writing: written.node_id });
      github()
        .get(paths[kind])
        .reply(200, { ...written, ...when })
        .post("/graphql", asks)
        .reply(200, { data: { node } });
      return (await threads().read(ref(kind)))?.edited();
    };
    expect(await shows({ lastEditedAt: null })).toBe(false);
    expect(await shows({ lastEditedAt: createdAt })).toBe(true);
    expect(await shows(null)).toBe(true);
  });

  test("a comment says which app wrote it in a person's name", async () => {
    const via = { performed_via_github_app: { id: 13 } };
    github()
      .get(paths.comment)
      .reply(200, { ...written, ...via, created_at: createdAt });
    expect(await threads().read(ref("comment"))).toMatchObject({ author: { login: "alice" }, viaApp: 13 });
  });

  test.each(kinds)("a %s that was deleted is not there", async (kind) => {
    github().get(paths[kind]).reply(404, { message: "Not Found" });
    expect(await threads().read(ref(kind))).toBeNull();
  });

  test("an answer that is no answer is an error", async () => {
    github().get(paths.comment).reply(200, "<html>", { "content-type": "text/html" });
    await expect(threads().read(ref("comment"))).rejects.toThrow();
  });
});

describe("reacting", () => {
  test.each(["comment", "review-comment"] as const)("to a %s", async (kind) => {
    github().post(`${paths[kind]}/reactions`, { content: "eyes" }).reply(200, { id: 1 });
    await threads().react(ref(kind), "eyes");
  });

  test("to a review goes by GraphQL", async () => {
    github()
      .get(paths.review)
      .reply(200, { ...written, submitted_at: createdAt });
    github()
      .post(
        "/graphql",
        ({ variables }) => variables?.subject === "PRR_5" && variables.content === "THUMBS_DOWN",
      )
      .reply(200, { data: { addReaction: { reaction: { content: "THUMBS_DOWN" } } } });
    await threads().react(ref("review"), "-1");
  });

  test.each(kinds)("to a %s that is gone does nothing", async (kind) => {
    if (kind === "review") github().get(paths.review).reply(404, {});
    else github().post(`${paths[kind]}/reactions`).reply(404, {});
    await threads().react(ref(kind), "eyes");
  });

  test("to a review that goes in between does nothing, and any other failure is one", async () => {
    const talk = threads();
    for (const type of ["NOT_FOUND", "FORBIDDEN"]) {
      github()
        .get(paths.review)
        .reply(200, { ...written, submitted_at: createdAt });
      github()
        .post("/graphql")
        .reply(200, { data: null, errors: [{ type, message: "no" }] });
      const reacted = talk.react(ref("review"), "eyes");
      if (type === "NOT_FOUND") await reacted;
      else await expect(reacted).rejects.toThrow("no");
    }
  });
});

describe("writing", () => {
  test("a comment is said, and its id is known", async () => {
    github().post("/repos/o/r/issues/1/comments", { body: "hello" }).reply(201, { id: 99 });
    expect(await threads().say(1, "hello")).toBe(99);
  });

  test.each([
    { status: 403, message: "Unable to create comment because issue is locked." },
    { status: 403, message: "Repository was archived so is read-only." },
    { status: 410, message: "Issues are disabled for this repo" },
  ])("nothing is said where nobody may: $message", async ({ status, message }) => {
    github().post("/repos/o/r/issues/1/comments").reply(status, { message });
    expect(await threads().say(1, "hello")).toBeNull();
  });

  test("any other refusal is none of these", async () => {
    github()
      .post("/repos/o/r/issues/1/comments")
      .reply(403, { message: "Resource not accessible by integration" });
    await expect(threads().say(1, "hello")).rejects.toMatchObject({ status: 403 });
  });

  test("a comment is edited, unless it is gone", async () => {
    const talk = threads();
    github().patch("/repos/o/r/issues/comments/99", { body: "two" }).reply(200, { id: 99 });
    expect(await talk.edit(99, "two")).toBe("edited");
    github().patch("/repos/o/r/issues/comments/99").reply(404, {});
    expect(await talk.edit(99, "three")).toBe("gone");
    github().patch("/repos/o/r/issues/comments/99").reply(502, {});
    await expect(talk.edit(99, "four")).rejects.toMatchObject({ status: 502 });
  });

  const said = { id: 99, node_id: "IC_99", created_at: createdAt, body: "koryph:7 hello", user: bot };
  test.each([
    { name: "our own with the text", shown: {}, own: true },
    { name: "our own with another text", shown: { body: "hello koryph:7" }, own: false },
    { name: "somebody else's", shown: { user: person }, own: false },
    { name: "another bot's", shown: { user: { ...bot, login: "x[bot]" } }, own: false },
  ])("a number is asked about, and only our own is folded away: $name", async ({ shown, own }) => {
    const talk = threads();
    github()
      .get("/repos/o/r/issues/comments/99")
      .times(2)
      .reply(200, { ...said, ...shown });
    if (own)
      github()
        .post("/graphql", ({ variables }) => variables?.subject === "IC_99")
        .reply(200, { data: { minimizeComment: { minimizedComment: { isMinimized: true } } } });
    expect(await talk.isOwn(99, "koryph:7")).toBe(own);
    await talk.hide(99, "koryph:7");
  });

  test.each([
    { name: "one that fits stays as it is", body: "x".repeat(60_000), whole: true },
    { name: "letters of several bytes count as such", body: "ä".repeat(30_001), whole: false },
    { name: "no letter is cut in two", body: `x${"🌍".repeat(20_000)}`, whole: false },
    { name: "code that is cut off is closed", body: `\`\`\`\n${"x\n".repeat(40_000)}`, whole: false },
  ])("comments are cut to what GitHub takes: $name", ({ body, whole }) => {
    const cut = cutComment(body);
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(60_000);
    expect(Buffer.byteLength(cut)).toBeGreaterThan(59_000);
    expect(cut === body).toBe(whole);
    expect(cut).not.toContain("\u{FFFD}");
    expect((cut.match(/^```/gm)?.length ?? 0) % 2).toBe(0);
  });
});

describe("finding our own comment", () => {
  const since = "2026-01-01T00:00:00Z";
  const own = {
    id: 1,
    created_at: createdAt,
    body: "koryph:7",
    user: bot,
    performed_via_github_app: { id: 12 },
  };
  const find = async (...pages: object[][]) => {
    for (const [index, page] of pages.entries())
      github()
        .get("/repos/o/r/issues/1/comments")
        .query({ since, per_page: 100, page: index + 1 })
        .reply(200, page);
    return threads().findOwn(1, "2026-01-01T00:00:00.900Z", "koryph:7");
  };

  test.each([
    { name: "the newest of several", comments: [own, { ...own, id: 2 }], found: 2 },
    { name: "by its author alone", comments: [{ ...own, performed_via_github_app: null }], found: 1 },
    { name: "none that has the text further on", comments: [{ ...own, body: "> koryph:7" }], found: null },
    { name: "none without the text", comments: [{ ...own, body: "hello" }], found: null },
    {
      name: "none of another bot",
      comments: [{ ...own, user: { ...bot, login: "x[bot]" }, performed_via_github_app: { id: 13 } }],
      found: null,
    },
    { name: "none that a person wrote through the App", comments: [{ ...own, user: person }], found: null },
    {
      name: "none that is older, but was changed since",
      comments: [{ ...own, created_at: "2025-12-31T00:00:00Z" }],
      found: null,
    },
    { name: "none of a deleted account", comments: [{ ...own, user: null }], found: null },
  ])("$name", async ({ comments, found }) => {
    expect(await find(comments)).toBe(found);
  });

  test("on whichever page", async () => {
    const others = Array.from({ length: 100 }, (_, id) => ({ ...own, id: id + 10, user: person }));
    expect(await find(others, others, [own])).toBe(1);
  });
});

describe("what people may do", () => {
  const path = "/repos/o/r/collaborators/alice/permission";
  test.each([
    { answer: { permission: "write", role_name: "maintain" }, role: "maintain" },
    { answer: { permission: "read", role_name: "triage" }, role: "triage" },
    { answer: { permission: "write", role_name: "release captain" }, role: "write" },
    { answer: { permission: "admin" }, role: "admin" },
  ])("$answer.permission and $answer.role_name is $role", async ({ answer, role }) => {
    github().get(path).reply(200, answer);
    expect(await threads().role("alice")).toBe(role);
  });

  test("who is unknown may do nothing", async () => {
    github().get(path).reply(404, {});
    expect(await threads().role("alice")).toBe("none");
  });

  test.each([
    { name: "403", status: 403, body: { message: "Resource not accessible by integration" } },
    { name: "502", status: 502, body: "<html>" },
    { name: "an answer without a role", status: 200, body: {} },
  ])("$name is no answer", async ({ status, body }) => {
    github().get(path).reply(status, body);
    await expect(threads().role("alice")).rejects.toThrow();
  });
});

describe("a pull request's head", () => {
  const head = { ref: "agent/gh-1", sha: "a".repeat(40), repo: { id: 1 } };
  test.each([
    { name: "of the repository itself", repo: { id: 1 }, fork: false },
    { name: "of a fork", repo: { id: 2 }, fork: true },
    { name: "of a fork that was deleted", repo: null, fork: true },
  ])("$name", async ({ repo, fork }) => {
    github()
      .get("/repos/o/r/pulls/1")
      .reply(200, { head: { ...head, repo }, base: { repo: { id: 1 } } });
    expect(await threads().head(1)).toEqual({ branch: "agent/gh-1", sha: head.sha, fork });
  });

  test("of an issue is null", async () => {
    github().get("/repos/o/r/pulls/1").reply(404, {});
    expect(await threads().head(1)).toBeNull();
  });
});

describe("a file of the default branch", () => {
  const path = "/repos/o/r/contents/koryph.project.json";
  const content = Buffer.from('{"ä":1}').toString("base64");
  const file = {
    type: "file",
    size: 8,
    encoding: "base64",
    content: `${content.slice(0, 4)}\n${content.slice(4)}`,
  };

  test("is read, and read again only when it changed", async () => {
    const talk = threads();
    github().get(path).reply(200, file, { etag: '"one"' });
    nock(API, { reqheaders: { "if-none-match": '"one"' } })
      .get(path)
      .reply(304);
    expect(await talk.file("koryph.project.json")).toBe('{"ä":1}');
    expect(await talk.file("koryph.project.json")).toBe('{"ä":1}');
  });

  test("that is not there is null", async () => {
    github().get(path).reply(404, {});
    expect(await threads().file("koryph.project.json")).toBeNull();
  });

  test.each([
    { name: "a folder", body: [file], says: "a folder" },
    { name: "a link", body: { type: "symlink", size: 3, target: "x" }, says: "a symlink" },
    { name: "a submodule", body: { type: "submodule", size: 0 }, says: "a submodule" },
    {
      name: "a huge file",
      body: { ...file, size: 1_048_577, encoding: "none", content: "" },
      says: "1048577",
    },
  ])("is not $name", async ({ body, says }) => {
    github().get(path).reply(200, body);
    const read = threads().file("koryph.project.json");
    await expect(read).rejects.toThrow(UserError);
    await expect(read).rejects.toThrow(says);
  });
});

test("a repository tells its id", async () => {
  github().get("/repos/o/r").reply(200, { id: 2, default_branch: "trunk", private: true, name: "r" });
  expect(await threads().repositoryId()).toBe(2);
});

describe("the App", () => {
  test("knows itself", async () => {
    github().get("/app").reply(200, { id: 12, slug: "koryph", client_id: "Iv1.x", name: "Koryph" });
    expect(await new AppDirectory(nockWorld().app).identity()).toEqual({
      ...{ id: 12, slug: "koryph", clientId: "Iv1.x", botLogin: "koryph[bot]" },
    });
  });

  test("knows where it is installed, on however many pages", async () => {
    const directory = new AppDirectory(nockWorld().app);
    const many = Array.from({ length: 100 }, (_, id) => ({ id: id + 1, suspended_at: null }));
    github().get("/app/installations").query({ per_page: 100, page: 1 }).reply(200, many);
    const last = [{ id: 101 }, { id: 102, suspended_at: createdAt }];
    github().get("/app/installations").query({ per_page: 100, page: 2 }).reply(200, last);
    expect((await directory.installations()).slice(-2)).toEqual([100, 101]);
    github().get("/repos/o/r/installation").reply(200, { id: 7 });
    expect(await directory.installationOf("o", "r")).toBe(7);
    github().get("/repos/o/x/installation").reply(404, {});
    expect(await directory.installationOf("o", "x")).toBeNull();
  });

  test("knows an installation's repositories that can be written to", async () => {
    giveToken();
    const entry = { id: 2, full_name: "o/r", private: false, default_branch: "main", archived: false };
    github()
      .get("/installation/repositories")
      .query({ per_page: 100, page: 1 })
      .reply(200, {
        total_count: 2,
        repositories: [entry, { ...entry, full_name: "o/old", archived: true }],
      });
    expect(await new AppDirectory(nockWorld().app).repositoriesOf(INSTALLATION)).toEqual(["o/r"]);
  });
});

describe("credentials for git", () => {
  const path = `/app/installations/${INSTALLATION}/access_tokens`;
  const asked = { repositories: ["r"], permissions: { contents: "write", metadata: "read" } };

  test("are for one repository and kept until shortly before they expire", async () => {
    const world = nockWorld();
    const credentials = new GitCredentials(world.app, () => world.now);
    const expires = (ms: number) => new Date(world.now + ms).toISOString();
    github()
      .post(path, asked)
      .reply(201, { token: "ghs_one", expires_at: expires(3_600_000) });

    const [env, same] = await Promise.all([
      credentials.env(INSTALLATION, "o/r"),
      credentials.env(INSTALLATION, "O/R"),
    ]);
    expect(env).toEqual({
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: `http.${API}/.extraheader`,
      GIT_CONFIG_VALUE_0: `AUTHORIZATION: basic ${Buffer.from("x-access-token:ghs_one").toString("base64")}`,
    });
    expect(same).toBe(env);
    world.now += 3_299_000;
    expect(await credentials.env(INSTALLATION, "o/r")).toBe(env);
    world.now += 2_000;
    github()
      .post(path, asked)
      .reply(201, { token: "ghs_two", expires_at: expires(3_600_000) });
    expect(await credentials.env(INSTALLATION, "o/r")).not.toEqual(env);
    expect(world.logged.join("")).not.toMatch(/ghs_|eC1hY2Nlc3MtdG9rZW/);
  });

  test("that GitHub did not give are asked for again", async () => {
    const credentials = new GitCredentials(nockWorld().app);
    github().post(path).reply(502, {});
    await expect(credentials.env(INSTALLATION, "o/r")).rejects.toMatchObject({ status: 502 });
    github().post(path).reply(201, { token: "ghs_one", expires_at: "2099-01-01T00:00:00Z" });
    expect(await credentials.env(INSTALLATION, "o/r")).toHaveProperty("GIT_CONFIG_COUNT");
  });
});
