import { plainText } from "../../../lib/plain-text.js";
import { shellWord } from "../../../lib/shell-word.js";
import type { Advice } from "../../../lib/user-error.js";
import { type AccountPin, type PinnedAccounts, pinOf } from "../../govern/account-pin.js";
import type { AccountMark, AccountMode, IdentityRefusal } from "../../govern/verify-identity.js";
import type { RuntimeDescriptor } from "../../runtimes/runtime-descriptor.js";

const MODES: Readonly<Record<AccountMode, string>> = {
  login: "login",
  "api-key": "API key",
  "oauth-token": "token",
};

/** An account as it may be shown to anybody. */
export function accountMarkText({ mode, fingerprint }: AccountMark): string {
  return `${MODES[mode]} ${plainText(fingerprint)}`;
}

export function accountPlaceText({ profile, variable }: Pick<AccountPin, "profile" | "variable">): string {
  return profile === null ? `variable ${variable ?? ""}` : `profile ${plainText(profile)}`;
}

export const accountAdvice = {
  refused: (why: IdentityRefusal, runtime: RuntimeDescriptor, accounts: PinnedAccounts): Advice => {
    const pin = pinOf(accounts, runtime.name);
    const again = pinCommand(accounts.project, runtime, pin);
    if (why.code === "identity_not_expected" || pin === null)
      return {
        message: `project ${accounts.project} pins accounts, and none for runtime ${runtime.name}: nobody knows whose account its agents would work on`,
        hint: `pin it: \`${again}\``,
      };
    const place = accountPlaceText(pin);
    const expected = accountMarkText(why.expected);
    const other = `pin another account: \`${again}\``;
    switch (why.code) {
      case "identity_missing":
        return pin.profile === null
          ? {
              message: `runtime ${runtime.name}: ${place} is not set, and ${expected} is expected in it`,
              hint: `set it where koryph is started, or ${other}`,
            }
          : {
              message: `runtime ${runtime.name}: ${place} is signed in to no account, and ${expected} is expected`,
              hint: `sign in with \`${loginCommand(runtime, pin.profile)}\`, or ${other}`,
            };
      case "identity_unreadable":
        return {
          message: `runtime ${runtime.name}: whose account ${place} is signed in to cannot be read, and ${expected} is expected`,
          hint: `look at its ${filesText(runtime, pin)}, sign in anew with \`${loginCommand(runtime, pin.profile ?? "")}\`, or ${other}`,
        };
      case "identity_differs":
        return {
          message: `runtime ${runtime.name}: ${place} is ${accountMarkText(why.found)}, and ${expected} is expected`,
          hint:
            pin.profile === null
              ? `set it to the expected key, or ${other}`
              : `sign in to the expected account with \`${loginCommand(runtime, pin.profile)}\`, or ${other}`,
        };
    }
  },
  whosePins: (repository: string, project: string): Advice => ({
    message: `the accounts that are pinned on this machine for project ${plainText(project)} are not clearly those of ${plainText(repository)}`,
    hint: "let one registered project name this repository as its remote: `koryph project list` shows them",
  }),
  otherModel: (runtime: string, model: string, { variable }: AccountPin): Advice => ({
    message: `runtime ${runtime}: the key that is pinned, in ${variable ?? ""}, is of no use to model ${plainText(model)}`,
    hint: "name a model of that key's provider, or pin a key of this one's",
  }),
  noCredential: (runtime: string): Advice => ({
    message: `koryph gives agents of runtime ${plainText(runtime)} no credential, so there is no account to pin`,
    hint: "name a built-in runtime with --runtime",
  }),
  noProfile: ({ name, account, credentials }: RuntimeDescriptor): Advice => ({
    message: `no folder of runtime ${name} can be pinned: ${account.noProfile ?? "its log-ins do not say whose they are"}`,
    hint: `put the key of one provider into a variable and pin that: --expect-key, with --variable and one of ${credentials.anyOf.join(", ")}`,
  }),
  notAnAddress: (text: string): Advice => ({
    message: `${plainText(text)} is no e-mail address`,
    hint: "--expect takes the address of the account, such as ann@example.org; --expect-key pins a key",
  }),
  unknownVariable: ({ name, credentials }: RuntimeDescriptor, variable: string): Advice => ({
    message: `runtime ${name} takes no key from ${plainText(variable)}`,
    hint: `use one of ${credentials.anyOf.join(", ")}`,
  }),
  whichVariable: ({ name, credentials }: RuntimeDescriptor, set: readonly string[]): Advice => ({
    message:
      set.length === 0
        ? `no key of runtime ${name} is set, so there is none to pin`
        : `more than one key of runtime ${name} is set: ${set.join(", ")}`,
    hint:
      set.length === 0
        ? `set one of ${credentials.anyOf.join(", ")}, and try again`
        : "name the one that agents are to get with --variable",
  }),
  noKeyThere: ({ name }: RuntimeDescriptor, place: Pick<AccountPin, "profile" | "variable">): Advice => ({
    message: `runtime ${name}: ${accountPlaceText(place)} holds no key, so there is none to pin`,
    hint: "put the key there, and try again; --expect pins a log-in by its address",
  }),
  alone: (first: string, second: string): Advice => ({
    message: `${first} cannot be used with ${second}`,
    hint: "`koryph project account --help` shows what goes together",
  }),
  nothingExpected: (option: string): Advice => ({
    message: `${option} alone says nothing of whose account it must be`,
    hint: "add --expect <email> or --expect-key",
  }),
};

/** What pins the account anew, in the form of the present pin. */
function pinCommand(project: string, runtime: RuntimeDescriptor, pin: AccountPin | null): string {
  const byAddress = pin === null ? false : pin.expect.mode === "login";
  const place = pin?.profile == null ? "" : ` --profile ${shellWord(plainText(pin.profile))}`;
  const expects = byAddress ? "--expect <email>" : "--expect-key";
  return `koryph project account ${project} --runtime ${runtime.name}${place} ${expects}`;
}

function loginCommand({ account }: RuntimeDescriptor, profile: string): string {
  return account.profile === undefined
    ? ""
    : `${account.profile.variable}=${shellWord(plainText(profile))} ${account.profile.login}`;
}

function filesText({ account }: RuntimeDescriptor, { profile }: AccountPin): string {
  const files = profile === null ? [] : (account.profile?.files(profile) ?? []);
  return files.map(plainText).join(" and ");
}
