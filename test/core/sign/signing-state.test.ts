import { expect, test } from "vitest";
import {
  signingInitText,
  signingProblemAdvice,
  signingStatusJson,
  signingStatusText,
} from "../../../src/core/replies/sign/signing-status.js";
import { allowedSigners } from "../../../src/core/sign/allowed-signers.js";
import { type SignedBase, type SigningFacts, signingState } from "../../../src/core/sign/signing-state.js";

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFKfNSW9Dz";
const base: SignedBase = {
  branch: "main",
  allowed: allowedSigners(`koryph@shop namespaces="git" ${publicKey}\nnonsense\n`),
  principal: "koryph@shop",
};
const ready: SigningFacts = {
  project: "shop",
  required: true,
  provider: "file",
  keyRef: "~/.koryph/keys/shop",
  key: { kind: "seen", value: { publicKey, fingerprint: "SHA256:abc" } },
  base: { kind: "seen", value: base },
  ownKey: null,
};
const why = { message: "the remote is away", hint: "wait for it" };

function withAllowed(allowed: string | null): Partial<SigningFacts> {
  const value = { ...base, allowed: allowed === null ? null : allowedSigners(allowed), principal: null };
  return { base: { kind: "seen", value } };
}

test.each<{ name: string; given: Partial<SigningFacts>; expected: string }>([
  { name: "a key that the branch allows", given: {}, expected: "ready" },
  { name: "no key, and none needed", given: { required: false, key: null, base: null }, expected: "off" },
  { name: "no key although one is needed", given: { key: null, base: null }, expected: "names no key" },
  { name: "a key that cannot be opened", given: { key: { kind: "failed", why } }, expected: why.message },
  { name: "a branch that cannot be seen", given: { base: { kind: "failed", why } }, expected: why.message },
  { name: "a branch without the file", given: withAllowed(null), expected: "main has no .allowed_signers" },
  { name: "a file without the key", given: withAllowed(""), expected: "does not name the key SHA256:abc" },
  {
    name: "a line whose time is over",
    given: withAllowed(`# team\nme@x valid-before="20200101" ${publicKey}`),
    expected: "in line 2, but not for today",
  },
  {
    name: "a line for something else",
    given: withAllowed(`me@x namespaces="file" ${publicKey}`),
    expected: "in line 1, but not for git",
  },
])("$name: $expected", ({ given, expected }) => {
  const state = signingState({ ...ready, ...given });
  expect(state.kind === "not-ready" ? signingProblemAdvice(state.why).message : state.kind).toContain(
    expected,
  );
});

test("the status shows what was found", () => {
  expect(signingStatusText(ready).join("\n")).toMatchInlineSnapshot(`
    "shop: ready: main allows the key as koryph@shop
      required                  yes: only commits with a good signature land
      provider                  file
      key                       ~/.koryph/keys/shop
      fingerprint               SHA256:abc
      public key                ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFKfNSW9Dz
      .allowed_signers on main  1 signer
                                no line names the key for koryph-receipt, so its receipts do not verify; \`koryph signing init\` adds one
                                line 2 names nobody: no key type such as ssh-ed25519"
  `);
  const receipts = withAllowed(`koryph@shop namespaces="git,koryph-receipt" ${publicKey}\n`);
  expect(signingStatusText({ ...ready, ...receipts }).join()).not.toContain("no line names the key");
  expect(signingStatusText({ ...ready, ...withAllowed(null) })[0]).toMatchInlineSnapshot(`
    "shop: not ready: main has no .allowed_signers, so no signature counts
      next: commit .allowed_signers to main and push; where it is not in your checkout yet, \`koryph signing init\` writes it"
  `);
});

const unnamed = { ...ready, provider: null, keyRef: null, key: null, base: null, ownKey: "~/keys/shop" };

test("with a key made and not named yet, the status says which lines are missing", () => {
  expect(signingStatusText({ ...unnamed, required: false })[0]).toMatchInlineSnapshot(`
    "shop: signing is off: there is a key ~/keys/shop, and koryph.project.json does not name it
      next: put this into koryph.project.json:
        "signing": { "required": true, "provider": "file", "key_ref": "~/keys/shop" }"
  `);
  expect(signingStatusText(unnamed)[0]).toMatchInlineSnapshot(`
    "shop: not ready: signing.required is true, and the project names no key to sign with
      next: let koryph.project.json name the key ~/keys/shop: "signing": { "required": true, "provider": "file", "key_ref": "~/keys/shop" }"
  `);
  expect(signingStatusText({ ...unnamed, required: false, ownKey: null })[0]).toBe(
    "shop: signing is off; `koryph signing init` sets it up",
  );
});

test("a password in the command is not shown", () => {
  const facts = { ...ready, provider: "command", keyRef: "vault --token=hunter2hunter2 read key" };
  expect(JSON.stringify([signingStatusText(facts), signingStatusJson(facts)])).not.toContain("hunter2");
});

const done = {
  provider: "file",
  keyRef: "~/.koryph/keys/shop",
  fingerprint: "SHA256:abc",
  principal: "koryph@shop",
  keyMade: true,
  allowed: { path: "/shop/.allowed_signers", added: true, committed: false },
  configured: false,
};

test("after init it says what is left to do", () => {
  expect(signingInitText(done).join("\n")).toMatchInlineSnapshot(`
    "made the key ~/.koryph/keys/shop
      SHA256:abc
    added koryph@shop to /shop/.allowed_signers
    next:
      put this into koryph.project.json:
        "signing": { "required": true, "provider": "file", "key_ref": "~/.koryph/keys/shop" }
        (with required false koryph signs what agents made, and lets people's unsigned commits land, too)
      commit .allowed_signers and koryph.project.json to the default branch, and push
      then: koryph signing status"
  `);
  const again = {
    ...done,
    keyMade: false,
    configured: true,
    allowed: { ...done.allowed, added: false, committed: true },
  };
  expect(signingInitText(again).join("\n")).toMatchInlineSnapshot(`
    "kept the key ~/.koryph/keys/shop as it is
      SHA256:abc
    kept /shop/.allowed_signers as it is: it names the key already
    nothing is left to do in this checkout
      then: koryph signing status"
  `);
});
