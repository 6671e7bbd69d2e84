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
  comes: object;
  mark: string | null;
}>([
  {
    level: "required",
    usual: "preferred",
    reached: "namespaces",
    comes: { kind: "contained" },
    mark: "namespaces",
  },
  {
    level: "preferred",
    usual: "required",
    reached: "namespaces",
    comes: { kind: "contained" },
    mark: "namespaces",
  },
  { usual: "preferred", reached: "namespaces", comes: { kind: "contained" }, mark: "namespaces" },
  {
    level: "off",
    usual: "required",
    reached: "namespaces",
    comes: { kind: "bare", why: "off" },
    mark: "none",
  },
  {
    level: "off",
    missing: "refuse",
    usual: "required",
    reached: "none",
    comes: { kind: "bare", why: "off" },
    mark: "none",
  },
  { usual: "preferred", reached: "none", comes: { kind: "bare", why: "preferred" }, mark: "none" },
  { level: "required", usual: "preferred", reached: "none", comes: { kind: "refuse" }, mark: null },
  {
    level: "required",
    missing: "manual",
    usual: "preferred",
    reached: "none",
    comes: { kind: "manual" },
    mark: "missing",
  },
  { usual: "required", reached: "none", comes: { kind: "manual" }, mark: "missing" },
  { missing: "refuse", usual: "required", reached: "none", comes: { kind: "refuse" }, mark: null },
])(
  "level $level, missing $missing, usually $usual, and $reached is to be had",
  ({ usual, reached, comes, mark, ...settings }) => {
    const decision = decideContainment(settings, usual, reached);
    expect(decision).toEqual(comes);
    expect(containedMark(decision)).toBe(mark);
  },
);
