import { expect, test } from "vitest";
import { ledgerAdvice, offlineLine } from "../../../../src/core/replies/ledger/ledger.js";

test.each([
  {
    name: "ssh",
    said: "ssh: Could not resolve hostname gone.example: Name or service not known\r\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n",
    cause: "ssh: Could not resolve hostname gone.example: Name or service not known",
  },
  {
    name: "https",
    said: "fatal: unable to access 'https://ann:hunter2@gone.example/a.git/': Could not resolve host: gone.example\n",
    cause: "fatal: unable to access 'https://gone.example/a.git/': Could not resolve host: gone.example",
  },
  { name: "a silent git", said: "", cause: "git gave no reason" },
])(
  "a remote that is away is told in one line, with its cause and the next step: $name",
  ({ said, cause }) => {
    expect(offlineLine(ledgerAdvice.unreachable(said).message)).toBe(
      `koryph: the ledger's remote did not answer: ${cause}; what follows is this machine's copy of the ledger; \`git ls-remote\` tells when it answers again`,
    );
  },
);
