import { expect, test } from "vitest";
import {
  type LedgerEvent,
  type NewEvent,
  readEvent,
  writeEvent,
} from "../../../../src/core/run/ledger/ledger-event.js";
import { isSameEvent } from "../../../../src/core/run/ledger/same-event.js";
import { sha } from "../../../support/core/slots.js";

const own: NewEvent = {
  ...{ type: "pull.landing", id: "0".repeat(26), bead: "pull-7", actor: "@maria" },
  data: { pull: 7, branch: "main", base: sha("1"), head: sha("2"), method: "ff" },
};

function found(given: object): LedgerEvent {
  const stamped = { ...own, id: own.id ?? "", actor: "@maria", at: "2026-01-01T00:00:00.000Z", ...given };
  const reading = readEvent(writeEvent(stamped as never));
  if (reading.kind !== "event") throw new Error(reading.kind);
  return reading.event;
}

test("what was written before is known again, whenever that was", () => {
  expect(isSameEvent(own, found({ at: "9999-01-01T00:00:00.000Z" }))).toBe(true);
  expect(isSameEvent(own, found({ data: { allow_protected: false, ...own.data } }))).toBe(true);
});

test.each([
  { name: "another method", given: { data: { ...own.data, method: "squash" } } },
  { name: "more rights", given: { data: { ...own.data, allow_protected: true } } },
  { name: "another bead", given: { bead: "gh-9" } },
  { name: "somebody else's name", given: { actor: "@mallory" } },
  { name: "a lease under which it counts for nothing", given: { lease: "x" } },
  { name: "another kind", given: { type: "control.drain", data: {} } },
])("an event with $name is another one", ({ given }) => {
  expect(isSameEvent(own, found(given))).toBe(false);
});
