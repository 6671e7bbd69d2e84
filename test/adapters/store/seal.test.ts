import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { seal, unseal } from "../../../src/adapters/store/seal.js";

const KEY = randomBytes(32);
const SECRET = "ghu_0123456789abcdef";
const ABOUT = "https://github.com 17";

test("whatever was sealed opens again with its key, for what it is about, and with nothing else", () => {
  const text = fc.string({ unit: "binary", maxLength: 200 });
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(text, text, text, key, key, (secret, about, other, right, wrong) => {
      const sealed = seal(right, secret, about);
      expect(unseal(right, sealed, about)).toBe(secret);
      if (other !== about) expect(unseal(right, sealed, other)).toBeNull();
      if (!Buffer.from(wrong).equals(right)) expect(unseal(wrong, sealed, about)).toBeNull();
    }),
    { numRuns: 100 },
  );
});

test("no byte of it can be changed, left out or added", () => {
  const sealed = seal(KEY, SECRET, ABOUT);
  for (let at = 0; at < sealed.length; at += 1) {
    for (const bit of [1, 16, 128]) {
      const changed = Uint8Array.from(sealed, (byte, place) => (place === at ? byte ^ bit : byte));
      expect(unseal(KEY, changed, ABOUT), `byte ${at}`).toBeNull();
    }
    expect(unseal(KEY, sealed.subarray(0, at), ABOUT), `the first ${at} bytes`).toBeNull();
  }
  expect(unseal(KEY, Buffer.concat([sealed, Buffer.of(0)]), ABOUT)).toBeNull();
});

test("bytes of any kind are no reason to throw", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(unseal(KEY, bytes, ABOUT)).toBeNull();
      expect(unseal(KEY, Uint8Array.of(1, ...bytes), ABOUT)).toBeNull();
    }),
  );
});

test("sealing the same twice gives different bytes, and neither shows the secret", () => {
  const [one, two] = [seal(KEY, SECRET, ABOUT), seal(KEY, SECRET, ABOUT)].map((bytes) => Buffer.from(bytes));
  expect(one?.equals(two ?? one)).toBe(false);
  expect(one?.includes(SECRET)).toBe(false);
  expect(one?.includes(ABOUT)).toBe(false);
});

test("a key of another length seals nothing and opens nothing", () => {
  expect(() => seal(KEY.subarray(0, 31), SECRET, ABOUT)).toThrow();
  expect(unseal(KEY.subarray(0, 16), seal(KEY, SECRET, ABOUT), ABOUT)).toBeNull();
});
