import { expect, test } from "vitest";
import { backoffSeconds, withVariables } from "../../../src/wiring/run-variables.js";
import { projectWith } from "../../support/core/slots.js";

const config = projectWith({ poll_seconds: 7 });

test.each([
  { name: "the environment comes before the file", value: "3", seconds: 3 },
  { name: "the file counts without it", value: undefined, seconds: 7 },
  { name: "an empty variable is none", value: "", seconds: 7 },
])("$name", ({ value, seconds }) => {
  expect(withVariables(config, { KORYPH_POLL_SEC: value })).toEqual({ ...config, poll_seconds: seconds });
});

test.each(["0", "-1", "1.5", "soon", "12345678"])("a poll of %s is a mistake", (value) => {
  expect(() => withVariables(config, { KORYPH_POLL_SEC: value })).toThrow(
    `KORYPH_POLL_SEC is ${value}, and it must be a whole number of seconds of at least 1, such as 10`,
  );
});

test("a backoff may be nothing", () => {
  expect(backoffSeconds({ KORYPH_BACKOFF_SEC: "0" })).toBe(0);
});
