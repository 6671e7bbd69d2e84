import { expect, test } from "vitest";
import {
  type ChangedPullFacts,
  isAnalysedByItself,
} from "../../../../src/core/review/pull/decide-automatic.js";

const facts: ChangedPullFacts = { setting: "all", open: true, draft: false, own: false, served: true };

test.each<{ name: string; given: Partial<ChangedPullFacts>; wanted: boolean }>([
  { name: "all takes anybody's", given: {}, wanted: true },
  { name: "own takes koryph's", given: { setting: "own", own: true }, wanted: true },
  { name: "own leaves other people's alone", given: { setting: "own" }, wanted: false },
  { name: "off takes none, not even koryph's", given: { setting: "off", own: true }, wanted: false },
  { name: "a draft is left alone", given: { draft: true }, wanted: false },
  { name: "what is closed is left alone", given: { open: false }, wanted: false },
  { name: "nobody is there to read it", given: { served: false }, wanted: false },
])("$name", ({ given, wanted }) => expect(isAnalysedByItself({ ...facts, ...given })).toBe(wanted));
