import { expect, test } from "vitest";
import { pullToLand, readLandTarget } from "../../../../src/core/land/pull/land-target.js";

const place = { host: "github.com", repository: "team/shop" };

test.each([
  { text: "gh-12", target: { kind: "bead", bead: "gh-12" } },
  { text: "17", target: { kind: "either", bead: "17", pull: 17 } },
  { text: "#17", target: { kind: "pull", pull: 17, place: null } },
  { text: "https://github.com/team/shop/pull/17", target: { kind: "pull", pull: 17, place } },
  { text: "https://GitHub.com/team/shop/pull/17/files?w=1#diff", target: { kind: "pull", pull: 17, place } },
  { text: "https://github.com/team/shop/issues/17", target: null },
  { text: "#0", target: null },
  { text: "017", target: { kind: "bead", bead: "017" } },
  { text: "a b", target: null },
])("$text", ({ text, target }) => expect(readLandTarget(text)).toEqual(target));

const slot = { status: "pr-opened", settled: false, pull: { number: 4 } };

test.each([
  { name: "digits that no run knows are a pull request", text: "17", slots: {}, pull: 17 },
  {
    name: "digits that name a bead are the bead",
    text: "17",
    slots: { "17": { ...slot, pull: null } },
    pull: null,
  },
  { name: "a mark settles it", text: "#17", slots: { "17": { ...slot, pull: null } }, pull: 17 },
  { name: "a bead that nobody has taken stays one", text: "gh-1", slots: {}, pull: null },
  { name: "a bead with an open pull request is that", text: "gh-1", slots: { "gh-1": slot }, pull: 4 },
  {
    name: "also while it lands",
    text: "gh-1",
    slots: { "gh-1": { ...slot, status: "landing" } },
    pull: 4,
  },
  {
    name: "one that was closed is a bead again",
    text: "gh-1",
    slots: { "gh-1": { ...slot, status: "blocked" } },
    pull: null,
  },
  {
    name: "what landed and was not tidied up is gone on with",
    text: "gh-1",
    slots: { "gh-1": { ...slot, status: "merged" } },
    pull: 4,
  },
  {
    name: "what is over is over",
    text: "gh-1",
    slots: { "gh-1": { ...slot, status: "merged", settled: true } },
    pull: null,
  },
])("$name", ({ text, slots, pull }) => {
  const target = readLandTarget(text);
  expect(target && pullToLand(target, slots)).toBe(pull);
});
