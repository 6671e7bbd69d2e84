import { expect, test } from "vitest";
import type { NetworkWish } from "../../../src/core/contain/containment.js";
import {
  hostOfAddress,
  isHostAllowed,
  isHostPattern,
  networkAccess,
} from "../../../src/core/contain/network-access.js";

test.each<{ wish: NetworkWish; provider: string[]; comes: object }>([
  { wish: "off", provider: ["api.test"], comes: { kind: "off" } },
  { wish: "on", provider: ["api.test"], comes: { kind: "on" } },
  { wish: "provider", provider: ["api.test"], comes: { kind: "hosts", hosts: ["api.test"] } },
  { wish: "provider", provider: [], comes: { kind: "off" } },
  { wish: [], provider: [], comes: { kind: "off" } },
  {
    wish: ["npm.test", "api.test"],
    provider: ["api.test"],
    comes: { kind: "hosts", hosts: ["api.test", "npm.test"] },
  },
])("$wish with $provider", ({ wish, provider, comes }) =>
  expect(networkAccess(wish, provider)).toEqual(comes),
);

test.each<{ hosts: string[]; host: string; port: number; comes: boolean }>([
  { hosts: ["api.test"], host: "api.test", port: 443, comes: true },
  { hosts: ["api.test"], host: "API.TEST.", port: 80, comes: true },
  { hosts: ["api.test"], host: "api.test", port: 22, comes: false },
  { hosts: ["api.test:8443"], host: "api.test", port: 8443, comes: true },
  { hosts: ["api.test:8443"], host: "api.test", port: 443, comes: false },
  { hosts: ["api.test"], host: "evil-api.test", port: 443, comes: false },
  { hosts: ["api.test"], host: "api.test.evil", port: 443, comes: false },
  { hosts: ["*.test"], host: "a.b.test", port: 443, comes: true },
  { hosts: ["*.test"], host: "test", port: 443, comes: false },
  { hosts: ["*.test"], host: "eviltest", port: 443, comes: false },
  { hosts: ["*.test:81"], host: "a.test", port: 81, comes: true },
  { hosts: ["127.0.0.1:4000"], host: "127.0.0.1", port: 4000, comes: true },
  { hosts: [], host: "api.test", port: 443, comes: false },
  { hosts: ["api.test"], host: "", port: 443, comes: false },
  { hosts: ["api.test"], host: "api.test", port: Number.NaN, comes: false },
])("$host:$port of $hosts: $comes", ({ hosts, host, port, comes }) =>
  expect(isHostAllowed(hosts, host, port)).toBe(comes),
);

test.each([
  ["https://gateway.test", "gateway.test"],
  ["http://127.0.0.1:4010/v1", "127.0.0.1:4010"],
  ["https://gateway.test:443/x", "gateway.test"],
  ["ftp://gateway.test", null],
  ["gateway.test", null],
  ["", null],
])("the host of %s is %s", (address, host) => expect(hostOfAddress(address)).toBe(host));

test.each([
  ["registry.npmjs.org", true],
  ["*.example.com", true],
  ["localhost:8080", true],
  ["*", false],
  ["a b", false],
  ["a.*.b", false],
  ["https://a.b", false],
  ["a.b/", false],
  ["a.b:port", false],
  ["-a", false],
])("%s names hosts: %s", (text, comes) => expect(isHostPattern(text)).toBe(comes));
