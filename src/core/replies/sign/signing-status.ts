import { plainText } from "../../../lib/plain-text.js";
import { table } from "../../../lib/table.js";
import type { Advice } from "../../../lib/user-error.js";
import { PROJECT_FILE } from "../../config/project-file.js";
import { redactText } from "../../redact.js";
import { linesNaming } from "../../sign/allowed-signers.js";
import { isForReceipts } from "../../sign/receipt-signers.js";
import {
  type SigningFacts,
  type SigningProblem,
  type SigningState,
  signingState,
} from "../../sign/signing-state.js";
import { ALLOWED_SIGNERS, signingAdvice, signingBlock } from "./signing.js";

/** What `koryph signing status` prints. */
export function signingStatusText(facts: SigningFacts): string[] {
  const { required, provider, keyRef, key, base } = facts;
  const rows = [["required", required ? "yes: only commits with a good signature land" : "no"]];
  if (provider !== null) rows.push(["provider", provider], ["key", shown(keyRef ?? "")]);
  if (key?.kind === "seen")
    rows.push(["fingerprint", key.value.fingerprint], ["public key", key.value.publicKey]);
  if (base?.kind === "seen") {
    const { branch, allowed } = base.value;
    const count = allowed?.signers.length;
    const lines = allowed === null ? "absent" : `${count} ${count === 1 ? "signer" : "signers"}`;
    rows.push([`${ALLOWED_SIGNERS} on ${plainText(branch)}`, lines]);
    if (
      key?.kind === "seen" &&
      allowed !== null &&
      !linesNaming(key.value.publicKey, allowed).some(isForReceipts)
    )
      rows.push([
        "",
        "no line names the key for koryph-receipt, so its receipts do not verify; `koryph signing init` adds one",
      ]);
    for (const { line, problem } of allowed?.problems ?? [])
      rows.push(["", `line ${line} names nobody: ${plainText(problem)}`]);
  }
  return [`${facts.project}: ${stateText(signingState(facts), facts)}`, ...table(rows.map(indented))];
}

function indented([name = "", ...rest]: string[]): string[] {
  return [`  ${name}`, ...rest];
}

function stateText(state: SigningState, { ownKey }: SigningFacts): string {
  switch (state.kind) {
    case "off":
      return ownKey === null ? "signing is off; `koryph signing init` sets it up" : unnamedText(ownKey);
    case "ready":
      return `ready: ${plainText(state.branch)} allows the key as ${plainText(state.principal)}`;
    case "not-ready": {
      const { message, hint } = signingProblemAdvice(state.why);
      return `not ready: ${message}\n  next: ${hint}`;
    }
  }
}

/** What stands in the way of signing, and how to mend it. */
export function signingProblemAdvice(problem: SigningProblem): Advice {
  switch (problem.code) {
    case "failed":
      return problem.advice;
    case "no-provider":
      return signingAdvice.noProvider(problem.ownKey);
    case "base-unknown":
      return signingAdvice.baseUnknown();
    case "no-allowed-signers":
      return signingAdvice.noAllowedSigners(problem.branch);
    case "not-allowed":
      return signingAdvice.notAllowed(problem.branch, problem.fingerprint);
    case "does-not-hold":
      return signingAdvice.doesNotHold(problem.branch, problem.line, problem.forGit);
  }
}

function unnamedText(ownKey: string): string {
  return [
    `signing is off: there is a key ${shown(ownKey)}, and ${PROJECT_FILE} does not name it`,
    `  next: put this into ${PROJECT_FILE}:`,
    `    ${signingBlock("file", ownKey)}`,
  ].join("\n");
}

/** A promise to programs, as docs/signing.md describes it. */
export function signingStatusJson(facts: SigningFacts) {
  const { project, required, provider, keyRef, key, base } = facts;
  const state = signingState(facts);
  const seen = base?.kind === "seen" ? base.value : null;
  return {
    project_id: project,
    required,
    provider,
    key_ref: keyRef === null ? null : redactText(keyRef),
    fingerprint: key?.kind === "seen" ? key.value.fingerprint : null,
    public_key: key?.kind === "seen" ? key.value.publicKey : null,
    base_branch: seen?.branch ?? null,
    signers: seen?.allowed?.signers.length ?? null,
    unreadable_lines: seen?.allowed?.problems ?? [],
    principal: seen?.principal ?? null,
    state: state.kind,
    problem: state.kind === "not-ready" ? signingProblemAdvice(state.why) : null,
  };
}

export interface InitDone {
  readonly provider: string;
  readonly keyRef: string;
  readonly fingerprint: string;
  readonly principal: string;
  readonly keyMade: boolean;
  readonly allowed: { readonly path: string; readonly added: boolean; readonly committed: boolean };
  readonly configured: boolean;
}

/** What `koryph signing init` prints: what it did, and what is left to do by hand. */
export function signingInitText(done: InitDone): string[] {
  const { provider, keyRef, allowed } = done;
  const path = plainText(allowed.path);
  const steps: string[] = [];
  if (!done.configured) {
    steps.push(
      `put this into ${PROJECT_FILE}:`,
      `  ${signingBlock(provider, keyRef)}`,
      "  (with required false koryph signs what agents made, and lets people's unsigned commits land, too)",
    );
  }
  const files = [...(allowed.committed ? [] : [ALLOWED_SIGNERS]), ...(done.configured ? [] : [PROJECT_FILE])];
  if (files.length > 0) steps.push(`commit ${files.join(" and ")} to the default branch, and push`);
  return [
    done.keyMade ? `made the key ${shown(keyRef)}` : `kept the key ${shown(keyRef)} as it is`,
    `  ${done.fingerprint}`,
    allowed.added
      ? `added ${plainText(done.principal)} to ${path}`
      : `kept ${path} as it is: it names the key already`,
    ...(steps.length === 0 ? ["nothing is left to do in this checkout"] : ["next:", ...steps.map(deeper)]),
    "  then: koryph signing status",
  ];
}

function deeper(line: string): string {
  return `  ${line}`;
}

/** A command may have been written with a password in it. */
function shown(keyRef: string): string {
  return plainText(redactText(keyRef));
}
