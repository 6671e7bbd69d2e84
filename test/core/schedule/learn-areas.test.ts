import fc from "fast-check";
import { expect, test } from "vitest";
import { learntText } from "../../../src/core/replies/schedule/learn.js";
import { type LandedBead, learnAreas } from "../../../src/core/schedule/learn-areas.js";

const bead = (areas: string | string[], ...paths: string[]): LandedBead => ({
  bead: paths.join(),
  areas: [areas].flat(),
  paths,
});

/** The tokens that are proposed for an area, with how many beads changed something there. */
function proposed(landed: LandedBead[], areaMap = {}, area = "cart") {
  const found = learnAreas(landed, areaMap).find((each) => each.area === area);
  return Object.fromEntries((found?.tokens ?? []).map(({ token, beads }) => [token, beads]));
}

test.each<{ name: string; landed: LandedBead[]; map?: Record<string, string[]>; found: object }>([
  {
    name: "a folder that all beads of an area share is its token",
    landed: [bead("cart", "src/cart/a"), bead("cart", "src/cart/b"), bead("cart", "src/cart/c")],
    found: { "src/cart": 3 },
  },
  {
    name: "two beads are too few",
    landed: [bead("cart", "src/cart/a"), bead("cart", "src/cart/b")],
    found: {},
  },
  {
    name: "what one bead alone changed is no habit",
    landed: [bead("cart", "src/cart/a", "README.md"), bead("cart", "src/cart/b"), bead("cart", "src/cart/c")],
    found: { "src/cart": 3 },
  },
  {
    name: "code and its tests are two tokens",
    landed: [
      bead("cart", "src/cart/a", "test/cart/a"),
      bead("cart", "src/cart/b", "test/cart/b"),
      bead("cart", "src/cart/c"),
    ],
    found: { "src/cart": 3, "test/cart": 2 },
  },
  {
    name: "work that spreads over a folder takes it as a whole",
    landed: [bead("cart", "src/a/1", "src/b/1"), bead("cart", "src/a/2"), bead("cart", "src/c/1", "src/b/1")],
    found: { src: 3 },
  },
  {
    name: "a file at the root that is changed again and again is a token",
    landed: [bead("cart", "package.json"), bead("cart", "package.json"), bead("cart", "x")],
    found: { "package.json": 2 },
  },
  {
    name: "a bead of two areas is evidence for neither",
    landed: [bead(["cart", "docs"], "src/cart/a"), bead("cart", "src/cart/b"), bead("cart", "src/cart/c")],
    found: {},
  },
  {
    name: "what the map has already is not made narrower",
    landed: [bead("cart", "src/cart/a"), bead("cart", "src/cart/b"), bead("cart", "src/cart/c")],
    map: { shop: ["src/"] },
    found: { src: 3 },
  },
])("$name", ({ landed, map, found }) => expect(proposed(landed, map)).toEqual(found));

test("what two areas would name at different depths becomes the wider one for both", () => {
  const landed = [
    ...["a", "b", "c"].map((name) => bead("cart", `src/shop/cart/${name}`)),
    ...["d", "e", "f"].map((name) => bead("shop", `src/shop/${name}`)),
  ];
  expect(proposed(landed)).toEqual({ "src/shop": 3 });
});

test("tokens of the map that history does not show are named, and names that are no paths are left alone", () => {
  const landed = ["a", "b", "c"].map((name) => bead("cart", `src/cart/${name}`));
  expect(learnAreas(landed, { "area:cart": ["db", "domain:money", "src/cart/"] })).toEqual([
    {
      ...{ area: "cart", beads: 3, unused: ["db"], names: ["domain:money"] },
      tokens: [{ token: "src/cart", beads: 3, known: true }],
    },
  ]);
});

test("the order of the history does not matter, and no token lies below another", () => {
  const path = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 4 });
  const landed = fc.array(
    fc.record({
      bead: fc.string(),
      areas: fc.array(fc.constantFrom("x", "y"), { maxLength: 2 }),
      paths: fc.array(
        path.map((parts) => parts.join("/")),
        { maxLength: 6 },
      ),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(landed, (beads) => {
      const areas = learnAreas(beads, {});
      expect(learnAreas(beads.toReversed(), {})).toEqual(areas);
      const tokens = areas.flatMap((area) => area.tokens.map(({ token }) => token));
      for (const token of tokens) expect(tokens.some((other) => token.startsWith(`${other}/`))).toBe(false);
    }),
  );
});

test("the proposal is told with its evidence, and says where there is too little", () => {
  const landed = [...["a", "b", "c"].map((name) => bead("cart", `src/cart/${name}`)), bead("docs", "docs/a")];
  const areas = learnAreas(landed, { cart: ["db"] });
  expect(
    learntText({ project: "shop", areas, landed: 6, elsewhere: 1, unlabeled: 1 }),
  ).toMatchInlineSnapshot(`
    [
      "Areas of shop, from 6 landed beads, of which 1 without an area: label and 1 whose commits are not on this machine",
      "",
      "area:cart  3 beads",
      "  +  src/cart  changed by 3 of 3, and not in its area_map",
      "  ?  db        changed by none of 3",
      "",
      "too little history, fewer than 3 beads with this area alone:",
      "  docs  1",
      "",
      "in koryph.project.json that is:",
      "  "area_map": {"cart":["db","src/cart"]}",
    ]
  `);
  const none = learnAreas([], {});
  expect(
    learntText({ project: "shop", areas: none, landed: 0, elsewhere: 0, unlabeled: 0 }).join("\n"),
  ).toContain("too little history: a proposal needs 3 landed beads");
});
