import { plainText } from "../../../lib/plain-text.js";
import { shellWord } from "../../../lib/shell-word.js";
import type { Advice } from "../../../lib/user-error.js";
import { PROJECT_FILE } from "../../config/project-file.js";
import type { CommitSignature } from "../../land/commit-signature.js";

export const ALLOWED_SIGNERS = ".allowed_signers";

const KEY_REF = `signing.key_ref in ${PROJECT_FILE}`;
const OTHER_PROVIDERS =
  'add it to your ssh-agent and set signing.provider to "ssh-agent", or to "command" with a command that prints the open key';

/** The lines of the project file that name a key. */
export function signingBlock(provider: string, keyRef: string): string {
  const block = JSON.stringify({ required: true, provider, key_ref: keyRef }, null, 1);
  return `"signing": ${block.replace(/\n */g, " ")}`;
}

/** Explains the letter of a commit's signature to the person who has to mend it. */
export function explainSignature({ letter, signer, fingerprint }: CommitSignature): string {
  const key = fingerprint === "" ? "" : ` ${plainText(fingerprint)}`;
  switch (letter) {
    case "G":
      return `good signature by ${plainText(signer)}`;
    case "B":
      return `bad signature: the commit is not what was signed, the signature is damaged, or ${ALLOWED_SIGNERS} on the base branch does not name the key for git`;
    case "U":
      return `signed with the key${key}, which ${ALLOWED_SIGNERS} on the base branch does not name, or not for the time of the commit`;
    case "X":
      return `good signature by ${plainText(signer)} that has expired`;
    case "Y":
      return `signature with the key${key}, which has expired`;
    case "R":
      return `signature with the key${key}, which was revoked`;
    case "E":
      return "the signature cannot be checked: koryph reads SSH signatures alone, not those of OpenPGP or X.509";
    case "N":
      return "not signed";
  }
}

/** This cannot tell whether the checkout has the line already: `init` keeps what is there. */
function commitSigners(branch: string): string {
  return `commit ${ALLOWED_SIGNERS} to ${plainText(branch)} and push; where it is not in your checkout yet, \`koryph signing init\` writes it`;
}

export const signingAdvice = {
  noTool: (tool: string): Advice => ({
    message: `${tool} was not found or is too old, and signatures need it`,
    hint: "install OpenSSH 8.9 or newer and try again",
  }),
  /** `ownKey` was made for the project, and the project file does not name it yet; null when there is none. */
  noProvider: (ownKey: string | null): Advice => ({
    message: "signing.required is true, and the project names no key to sign with",
    hint:
      ownKey === null
        ? `run \`koryph signing init\`, or set signing.provider and ${KEY_REF}`
        : `let ${PROJECT_FILE} name the key ${plainText(ownKey)}: ${signingBlock("file", ownKey)}`,
  }),
  emptyPath: (): Advice => ({
    message: "--key names no file: its value is empty",
    hint: "give the path of the key, or leave --key out and koryph chooses one",
  }),
  relativePath: (path: string): Advice => ({
    message: `the signing key ${plainText(path)} is a relative path`,
    hint: `write ${KEY_REF} as an absolute path, or begin it with ~/`,
  }),
  insideRepository: (path: string, top: string): Advice => ({
    message: `the signing key ${plainText(path)} is inside the repository ${plainText(top)}, where somebody can commit it and agents can read it`,
    hint: "move it out, for instance below ~/.koryph/keys, and treat it as leaked if it was ever committed",
  }),
  noFile: (path: string): Advice => ({
    message: `the signing key ${plainText(path)} does not exist`,
    hint: `run \`koryph signing init\` to make one, or mend ${KEY_REF}`,
  }),
  unreadable: (path: string, problem: string): Advice => ({
    message: `the signing key ${plainText(path)} cannot be read: ${plainText(problem)}`,
    hint: `mend its permissions or ${KEY_REF}`,
  }),
  openToOthers: (path: string): Advice => ({
    message: `others on this machine can read the signing key ${plainText(path)}`,
    hint: `chmod 600 ${shellWord(plainText(path))}`,
  }),
  locked: (what: string): Advice => ({
    message: `${plainText(what)} has a passphrase, which nobody can type while koryph works`,
    hint: OTHER_PROVIDERS,
  }),
  publicHalf: (what: string): Advice => ({
    message: `${plainText(what)} is a public key, which signs nothing`,
    hint: `name the private key in ${KEY_REF}: as a rule the same name without .pub`,
  }),
  noKey: (what: string): Advice => ({
    message: `${plainText(what)} is no private key that OpenSSH can read`,
    hint: `mend ${KEY_REF}; \`koryph signing init\` makes a new key`,
  }),
  commandFailed: (code: number | null): Advice => ({
    message: `the command for the signing key ended with ${code ?? "a signal"}`,
    hint: `run the command of ${KEY_REF} by hand in /; koryph does not show what it prints`,
  }),
  commandSlow: (seconds: number): Advice => ({
    message: `the command for the signing key did not end within ${seconds} s`,
    hint: `make the command of ${KEY_REF} ask nothing and end by itself`,
  }),
  noAgent: (): Advice => ({
    message: "signing.provider is ssh-agent, and SSH_AUTH_SOCK is not set",
    hint: 'start one with eval "$(ssh-agent)", add the key with ssh-add, and start koryph from that shell',
  }),
  agentSilent: (socket: string, problem: string): Advice => ({
    message: `the ssh-agent at ${plainText(socket)} does not answer: ${plainText(problem)}`,
    hint: "see that `ssh-add -l` works in the shell that starts koryph",
  }),
  notInAgent: (keyRef: string, held: readonly string[]): Advice => ({
    message: `the ssh-agent holds no key with the fingerprint or comment ${plainText(keyRef)}`,
    hint:
      held.length === 0
        ? "it holds none at all: add the key with ssh-add"
        : `it holds ${held.map(plainText).join("; ")}: name one of them in ${KEY_REF}, or add the key with ssh-add`,
  }),
  ambiguous: (keyRef: string, held: readonly string[]): Advice => ({
    message: `the ssh-agent holds ${held.length} keys with the comment ${plainText(keyRef)}`,
    hint: `name one by its fingerprint in ${KEY_REF}: ${held.map(plainText).join(", ")}`,
  }),
  notLoaded: (problem: string): Advice => ({
    message: `ssh-add did not take the signing key: ${plainText(problem)}`,
    hint: `see that \`ssh-keygen -y\` can read the key of ${KEY_REF}`,
  }),
  cannotSign: (problem: string): Advice => ({
    message: `a trial signature failed: ${plainText(problem)}`,
    hint: "see that the key is still there and that its agent lets koryph use it",
  }),
  baseUnknown: (): Advice => ({
    message: "koryph could not look at the default branch",
    hint: "see that the default branch has a commit and that its remote, if there is one, can be reached",
  }),
  noAllowedSigners: (branch: string): Advice => ({
    message: `${plainText(branch)} has no ${ALLOWED_SIGNERS}, so no signature counts`,
    hint: commitSigners(branch),
  }),
  notAllowed: (branch: string, fingerprint: string): Advice => ({
    message: `${ALLOWED_SIGNERS} on ${plainText(branch)} does not name the key ${fingerprint}`,
    hint: commitSigners(branch),
  }),
  doesNotHold: (branch: string, line: number, forGit: boolean): Advice => ({
    message: forGit
      ? `${ALLOWED_SIGNERS} on ${plainText(branch)} names the key in line ${line}, but not for today`
      : `${ALLOWED_SIGNERS} on ${plainText(branch)} names the key in line ${line}, but not for git`,
    hint: forGit
      ? `renew valid-after or valid-before in line ${line}, or make a new key with koryph signing init --key <path>`
      : `let the namespaces of line ${line} include git`,
  }),
  inTheWay: (path: string): Advice => ({
    message: `${plainText(path)} is no regular file, and koryph writes nothing there`,
    hint: "move it out of the way and run `koryph signing init` again",
  }),
  keyInTheWay: (path: string): Advice => ({
    message: `${plainText(path)} exists and is no regular file`,
    hint: "move it out of the way, or name another place with --key",
  }),
  notMade: (path: string, problem: string): Advice => ({
    message: `koryph could not make a key at ${plainText(path)}: ${plainText(problem)}`,
    hint: "mend the folder's permissions, or name another place with --key",
  }),
};
