import { expect, test } from "vitest";
import { compareSignatures, signaturesToKeep } from "../../../src/core/jobs/keep-signatures.js";
import type { SignatureLetter } from "../../../src/core/land/commit-signature.js";

const judged = (letters: string) =>
  [...letters].map((letter, at) => ({ letter: letter as SignatureLetter, sha: `${at}` }));

test.each([
  { before: "GNG", kept: [true, false, true] },
  { before: "N", kept: [false] },
  { before: "GU", kept: null },
  { before: "B", kept: null },
  { before: "E", kept: null },
])("of $before are signed again: $kept", ({ before, kept }) =>
  expect(signaturesToKeep(judged(before))).toEqual(kept),
);

test.each([
  { name: "the same ones come back signed", before: "GN", after: "GN", fault: undefined },
  { name: "an unsigned one comes back signed", before: "GN", after: "GG", fault: "gained" },
  {
    name: "an unsigned one comes back with a signature of whomever",
    before: "GN",
    after: "GU",
    fault: "gained",
  },
  { name: "a signed one comes back unsigned", before: "GN", after: "NN", fault: "lost" },
  { name: "a signed one comes back signed by a stranger", before: "G", after: "U", fault: "lost" },
  { name: "one is missing", before: "GN", after: "G", fault: "other-commits" },
  { name: "one is new", before: "G", after: "GN", fault: "other-commits" },
  { name: "one could not be judged before", before: "U", after: "G", fault: "other-commits" },
])("$name", ({ before, after, fault }) =>
  expect(compareSignatures(judged(before), judged(after))?.kind).toBe(fault),
);
