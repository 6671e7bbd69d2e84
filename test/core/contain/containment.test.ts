import { expect, test } from "vitest";
import {
  type ContainmentLevel,
  type ContainmentReached,
  type ContainmentSettings,
  containedMark,
  decideContainment,
} from "../../../src/core/contain/containment.js";

test.each<{
  level?: ContainmentLevel;
  missing?: ContainmentSettings["missing"];
  usual: ContainmentLevel;
  reached: ContainmentReached;
  then: object;
  mark: string | null;
}>([
  {
    level: "required",
    usual: "preferred",
    reached: "namespaces",
    then: { kind: "contained" },
    mark: "namespaces",
  },
  {
    level: "preferred",
    usual: "required",
    reached: "namespaces",
    then: { kind: "contained" },
    mark: "namespaces",
  },
  { usual: "preferred", reached: "namespaces", then: { kind: "contained" }, mark: "namespaces" },
  {
    level: "off",
    usual: "required",
    reached: "namespaces",
    then: { kind: "bare", why: "off" },
    mark: "none",
  },
  {
    level: "off",
    missing: "refuse",
    usual: "required",
    reached: "none",
    then: { kind: "bare", why: "off" },
    mark: "none",
  },
  { usual: "preferred", reached: "none", then: { kind: "bare", why: "preferred" }, mark: "none" },
  { level: "required", usual: "preferred", reached: "none", then: { kind: "refuse" }, mark: null },
  {
    level: "required",
    missing: "manual",
    usual: "preferred",
    reached: "none",
    then: { kind: "manual" },
    mark: "missing",
  },
  { usual: "required", reached: "none", then: { kind: "manual" }, mark: "missing" },
  { missing: "refuse", usual: "required", reached: "none", then: { kind: "refuse" }, mark: null },
])(
  "level $level, missing $missing, usually $usual, and $reached is to be had",
  ({ usual, reached, then, mark, ...settings }) => {
    const decision = decideContainment(settings, usual, reached);
    expect(decision).toEqual(then);
    expect(containedMark(decision)).toBe(mark);
  },
);
