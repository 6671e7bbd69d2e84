import { expect, test } from "vitest";
import { engineSatisfies, isReadableRequirement } from "../../../src/core/config/engine-version.js";

test.each<{ name: string; running?: string; floor: string; expected: boolean }>([
  { name: "no requirement is met", floor: "", expected: true },
  { name: "a blank requirement is met", floor: "  ", expected: true },
  { name: "the same version is enough", floor: "0.2.3", expected: true },
  { name: "an older floor is met", floor: "0.2.2", expected: true },
  { name: "a newer patch is not met", floor: "0.2.4", expected: false },
  { name: "a newer minor is not met", floor: "0.3", expected: false },
  { name: "a newer major is not met", floor: "1", expected: false },
  { name: "a plus is a floor", floor: "0.2+", expected: true },
  { name: "a plus does not lower a floor", floor: "0.3+", expected: false },
  { name: "at least is a floor", floor: ">=0.2.3", expected: true },
  { name: "at least may be spaced", floor: " >= 0.2.4 ", expected: false },
  { name: "a v is read over", floor: "v0.2", expected: true },
  { name: "a bare number is a floor too, not an exact version", floor: "0.1", expected: true },
  { name: "numbers are compared by value", running: "0.10.0", floor: "0.9", expected: true },
  { name: "the running version may have a v", running: "v0.2.3", floor: "0.2.3", expected: true },
  { name: "a pre-release comes before its release", running: "0.2.0-rc.1", floor: "0.2.0", expected: false },
  {
    name: "a pre-release comes after the release before",
    running: "0.2.0-rc.1",
    floor: "0.1.9",
    expected: true,
  },
  { name: "a release meets its pre-release", running: "0.2.0", floor: "0.2.0-rc.1", expected: true },
  { name: "pre-releases compare by number", running: "0.2.0-rc.10", floor: "0.2.0-rc.9", expected: true },
  { name: "pre-releases compare by word", running: "0.2.0-alpha.1", floor: "0.2.0-beta.1", expected: false },
  {
    name: "in a pre-release numbers come before words",
    running: "0.2.0-1",
    floor: "0.2.0-alpha",
    expected: false,
  },
  { name: "a longer pre-release comes later", running: "0.2.0-rc", floor: "0.2.0-rc.1", expected: false },
  { name: "build metadata does not count", running: "0.2.0+abc", floor: "0.2.0+xyz", expected: true },
])("$name", ({ running = "0.2.3", floor, expected }) =>
  expect(engineSatisfies(running, floor)).toBe(expected),
);

const unreadable = [
  "soon",
  "0.2.x",
  "1.2.3.4",
  "^0.2",
  "~0.2",
  "<0.3",
  "0.2 0.3",
  "0.2++",
  ">=",
  "+",
  "-1",
  "0..2",
];

test.each(unreadable.map((floor) => ({ floor })))("the requirement $floor is refused", ({ floor }) => {
  expect(isReadableRequirement(floor)).toBe(false);
  expect(() => engineSatisfies("0.2.3", floor)).toThrow(
    `engine_version ${JSON.stringify(floor)} cannot be read`,
  );
});

test.each([{ floor: "" }, { floor: "0.2+" }, { floor: ">=0.2.3" }, { floor: "v0.2" }])(
  "the requirement '$floor' can be read",
  ({ floor }) => expect(isReadableRequirement(floor)).toBe(true),
);

test.each([{ running: "" }, { running: "dev" }, { running: ">=0.2" }])(
  "a running version '$running' is refused even without a requirement",
  ({ running }) => expect(() => engineSatisfies(running, "")).toThrow(/engine version ".*" cannot be read/),
);
