import { expect, test } from "vitest";
import { type GuardChoice, GuardSetting, guardMode } from "../../../src/core/govern/guard-mode.js";
import { NOON } from "../../support/core/governor.js";

const off = (until: number | null = null) => ({ mode: "off", until }) as const;
const on = { mode: "on", until: null } as const;
const advisory = { mode: "advisory", until: null } as const;

type Setting = GuardSetting | null;

test.each<{ name: string; given: [Setting, Setting, Setting]; expected: GuardChoice }>([
  { name: "the guard is on by itself", given: [null, null, null], expected: { ...on, source: "default" } },
  {
    name: "the machine may say otherwise",
    given: [null, null, off()],
    expected: { ...off(), source: "baseline" },
  },
  {
    name: "the project beats it",
    given: [null, advisory, off()],
    expected: { ...advisory, source: "project" },
  },
  { name: "the flag beats both", given: [on, advisory, off()], expected: { ...on, source: "flag" } },
  {
    name: "what expires later holds",
    given: [off(NOON + 1), advisory, null],
    expected: { ...off(NOON + 1), source: "flag" },
  },
  {
    name: "what has expired was not set",
    given: [off(NOON), advisory, null],
    expected: { ...advisory, source: "project" },
  },
  {
    name: "when all have expired it is on",
    given: [off(NOON - 1), off(NOON), off(0)],
    expected: { ...on, source: "default" },
  },
])("$name", ({ given: [flag, project, baseline], expected }) => {
  expect(guardMode(flag, project, baseline, NOON)).toEqual(expected);
});

test.each([{ mode: "maybe", until: null }, { mode: "off" }, { ...off(), forever: true }])(
  "%j is no setting",
  (setting) => expect(GuardSetting.safeParse(setting).success).toBe(false),
);
