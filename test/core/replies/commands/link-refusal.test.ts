import { expect, test } from "vitest";
import { linkRefusal } from "../../../../src/core/replies/app/link.js";

test("whoever entered another person's code is told that their permission stays, and where to revoke it", () => {
  const { next } = linkRefusal.somebodyElse("maria", "walter", "https://github.com");
  expect(next).toContain(
    "the permission that <code>&#64;walter</code> gave on GitHub stays until it is revoked at https://github.com/settings/apps/authorizations",
  );
});
