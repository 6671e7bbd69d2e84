import fc from "fast-check";
import { expect, test } from "vitest";
import { footprintOf, UNKNOWN_TOKEN } from "../../../src/core/schedule/footprint.js";
import { TokenBook } from "../../../src/core/schedule/token-book.js";
import { AREAS, footprint, footprintLabels } from "../../support/core/beads.js";

const labels = fc
  .tuple(footprintLabels, fc.constantFrom([], [`fp:${UNKNOWN_TOKEN}`], [`fp:read:${UNKNOWN_TOKEN}`]))
  .map((lists) => lists.flat());

test("each row says what its labels declare, whatever other rows say", () => {
  fc.assert(
    fc.property(fc.array(labels, { maxLength: 8 }), (beads) => {
      const book = new TokenBook(AREAS);
      const rows = beads.map((each) => {
        const row = book.open();
        book.fillFrom(each);
        return row;
      });
      const footprints = beads.map((each) => footprintOf(each, AREAS));
      expect(rows.map((row) => book.footprint(row))).toEqual(footprints);
      const only = { reads: [], writes: [UNKNOWN_TOKEN] };
      expect(rows.map((row) => book.isUnknown(row))).toEqual(
        footprints.map((each) => JSON.stringify(each) === JSON.stringify(only)),
      );
      // Tokens of labels that others hide are nobody's.
      const tokens = new Set(footprints.flatMap(({ reads, writes }) => [...reads, ...writes]));
      expect(new Set(book.tokens())).toEqual(tokens);
      const written = new Set(footprints.flatMap(({ writes }) => writes));
      expect(new Set(book.tokens().filter((token) => book.isWritten(token)))).toEqual(written);
    }),
  );
});

test("a footprint is the same in a row", () => {
  fc.assert(
    fc.property(footprint, (given) => {
      const book = new TokenBook();
      const row = book.open();
      book.fill(given);
      expect(book.footprint(row)).toEqual(given);
    }),
  );
});
