import { expect, test } from "vitest";
import { coAuthorAccounts } from "../../../../src/core/land/pull/co-authors.js";
import {
  pullSquashMessage,
  type SquashedCommit,
} from "../../../../src/core/land/pull/pull-squash-message.js";

const ann = { name: "Ann", email: "ann@x.test" };
const bob = { name: "Bob", email: "bob@x.test" };
const commit = (message: string, author = ann, id?: number): SquashedCommit => ({
  ...{ message, author },
  account: id === undefined ? null : { id, login: author.name.toLowerCase() },
});
const made = (title: string, ...commits: SquashedCommit[]) =>
  pullSquashMessage({ title, host: "github.com", commits });

test("the pull request's title, what became one, and the other authors by their accounts", () => {
  const text = made(
    "feat: shoes",
    commit("feat: shoes\n\nCo-authored-by: Eve <eve@x.test>", ann, 1),
    commit("wip", bob, 2),
    commit("more", ann, 1),
    commit("last", bob, 2),
  );
  expect(text).toMatchInlineSnapshot(`
    "feat: shoes

    - feat: shoes
    - wip
    - more
    - last

    Co-authored-by: Eve <eve@x.test>
    Co-authored-by: Bob <2+bob@users.noreply.github.com>
    "
  `);
  expect(coAuthorAccounts(text)).toEqual([{ id: 2, login: "bob" }]);
});

test.each([
  {
    name: "a title that is not conventional gives way to a subject that is",
    title: "Shoes",
    subjects: ["wip", "fix: it"],
    first: "fix: it",
  },
  { name: "where none is, the title stays", title: "Shoes", subjects: ["wip", "more"], first: "Shoes" },
  {
    name: "a title of several lines is one line",
    title: "feat: a\nCo-authored-by: x <y>",
    subjects: ["wip"],
    first: "feat: a Co-authored-by: x <y>",
  },
])("$name", ({ title, subjects, first }) => {
  const [line, empty, ...rest] = made(title, ...subjects.map((subject) => commit(subject))).split("\n");
  expect([line, empty]).toEqual([first, ""]);
  expect(rest.join("\n")).not.toContain("Co-authored-by");
});
