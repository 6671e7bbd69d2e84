import { expect, test } from "vitest";
import type { NetworkWish } from "../../../src/core/contain/containment.js";
import {
  hostOfAddress,
  isHostAllowed,
  isHostPattern,
  networkAccess,
} from "../../../src/core/contain/network-access.js";

test.each<{ wish: NetworkWish; provider: string[]; then: object }>([
  { wish: "off", provider: ["api.test"], then: { kind: "off" } },
  { wish: "on", provider: ["api.test"], then: { kind: "on" } },
  { wish: "provider", provider: ["api.test"], then: { kind: "hosts", hosts: ["api.test"] } },
  { wish: "provider", provider: [], then: { kind: "off" } },
  { wish: [], provider: [], then: { kind: "off" } },
  {
    wish: ["npm.test", "api.test"],
    provider: ["api.test"],
    then: { kind: "hosts", hosts: ["api.test", "npm.test"] },
  },
])("$wish with $provider", ({ wish, provider, then }) => expect(networkAccess(wish, provider)).toEqual(then));

test.each<{ hosts: string[]; host: string; port: number; then: boolean }>([
  { hosts: ["api.test"], host: "api.test", port: 443, then: true },
  { hosts: ["api.test"], host: "API.TEST.", port: 80, then: true },
  { hosts: ["api.test"], host: "api.test", port: 22, then: false },
  { hosts: ["api.test:8443"], host: "api.test", port: 8443, then: true },
  { hosts: ["api.test:8443"], host: "api.test", port: 443, then: false },
  { hosts: ["api.test"], host: "evil-api.test", port: 443, then: false },
  { hosts: ["api.test"], host: "api.test.evil", port: 443, then: false },
  { hosts: ["*.test"], host: "a.b.test", port: 443, then: true },
  { hosts: ["*.test"], host: "test", port: 443, then: false },
  { hosts: ["*.test"], host: "eviltest", port: 443, then: false },
  { hosts: ["*.test:81"], host: "a.test", port: 81, then: true },
  { hosts: ["127.0.0.1:4000"], host: "127.0.0.1", port: 4000, then: true },
  { hosts: [], host: "api.test", port: 443, then: false },
  { hosts: ["api.test"], host: "", port: 443, then: false },
  { hosts: ["api.test"], host: "api.test", port: Number.NaN, then: false },
])("$host:$port of $hosts: $then", ({ hosts, host, port, then }) =>
  expect(isHostAllowed(hosts, host, port)).toBe(then),
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
])("%s names hosts: %s", (text, then) => expect(isHostPattern(text)).toBe(then));
