import { expect, test } from "vitest";
import type { NewEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import { redactEvent } from "../../../../src/core/run/ledger/redact-event.js";
import { dispatching } from "../../../support/core/ledgers.js";

const TOKEN = "ghp_0123456789abcdefghij0123456789";
const sha = "0123456789abcdef0123456789abcdef01234567";

test.each<[name: string, event: NewEvent]>([
  ["a title", { type: "slot.dispatching", bead: "b-1", data: { ...dispatching, title: `use ${TOKEN}` } }],
  ["a token in a list", { type: "slot.dispatching", data: { ...dispatching, resources: [TOKEN] } }],
  ["a nudge", { type: "control.nudge", bead: "b-1", data: { text: `push with ${TOKEN}` } }],
  ["a hold", { type: "hold.placed", bead: "b-1", data: { reason: TOKEN } }],
  ["whoever asked", { type: "control.drain", actor: `me ${TOKEN}`, data: {} }],
  [
    "evidence",
    {
      type: "control.drain",
      evidence: {
        url: `https://me:${TOKEN}@github.com/o/r`,
        source: "comment 1",
        body_sha256: sha.padEnd(64, "0"),
        login: "me",
        user_id: 1,
      },
      data: {},
    },
  ],
])("%s holds no secret once it is recorded", (_, event) => {
  const text = JSON.stringify(redactEvent(event));
  expect(text).toContain("[redacted]");
  expect(text).not.toContain(TOKEN);
});

test.each<[name: string, event: NewEvent]>([
  ["a dispatch", { type: "slot.dispatching", bead: "token-1", run: "r", data: dispatching }],
  ["a machine named like a secret", { type: "lease.claimed", data: lease("xoxb-1234567890-abcdef") }],
  [
    "a bead named like a secret",
    {
      type: "slot.accepted",
      bead: "sk-proj-0123456789ab",
      data: { branch: "agent/sk-proj-0123456789ab", from: sha, base: sha, head: sha, commits: 1 },
    },
  ],
])("%s is recorded as it is", (_, event) => {
  expect(redactEvent(event)).toEqual(event);
});

function lease(host: string) {
  return { holder: `${host}#abc/12/f`, host, ttl_seconds: 60 };
}
