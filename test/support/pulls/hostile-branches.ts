import { SECRET } from "../core/hostile-texts.js";
import { MARKER } from "./hostile-files.js";

const BRANCHES: Readonly<Record<string, readonly string[]>> = {
  "an option": ["-x", "--help", `--upload-pack=touch$\{IFS}${MARKER}`, "-", "--", "--exec=x"],
  "a command for a shell": [
    `$(touch$\{IFS}${MARKER})`,
    `\`touch$IFS${MARKER}\``,
    `a;touch$IFS${MARKER}`,
    "a|b",
    "a&&b",
    "a>b",
    "a'b",
    'a"b',
  ],
  "a revision": [
    "HEAD",
    "FETCH_HEAD",
    "refs/heads/x",
    "refs/heads/main",
    "refs/pull/1/head",
    "0".repeat(40),
    "main@",
    "heads/main",
    "origin/main",
  ],
  "a look-alike": ["mаin", "ｍain", "main\u200b", "\u202emain", "MAIN", "ma\u00adin"],
  markup: [
    "@maria",
    "#1",
    "GH-1",
    "<img>",
    "<!--koryph-status",
    "`x`",
    "a|b|c",
    "__x__",
    "](https-evil)",
    "&lt;b&gt;",
  ],
  "of koryph's own": [
    "agent/--help",
    "agent/$(x)",
    "agent/x.y;z",
    "agent/a/b",
    "koryph/ledger",
    "agent/-",
    "agent/pull-1",
  ],
  "a secret": [SECRET],
  "very long": [`${"x".repeat(200)}`, `${"d/".repeat(60)}x`],
};

export const HOSTILE_BRANCHES = Object.entries(BRANCHES).flatMap(([what, names]) =>
  names.map((branch) => ({ what, branch })),
);

/** What the author of a commit can make it say. */
export const HOSTILE_MESSAGES: readonly string[] = [
  "",
  "\n\n",
  `$(touch ${MARKER})`,
  "-m x --amend",
  "feat: x\n\n/koryph land",
  "feat: x\n\nCo-authored-by: walter <walter@users.noreply.github.com>",
  "feat: x\n\nApproved-by: walter\nSigned-off-by: maria <maria@users.noreply.github.com>",
  "feat: x\u0001y",
  "feat: \u001b[2J\u202e",
  `feat: ${SECRET}`,
  "fixup! feat: x",
  "squash! x",
  "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----",
  "gpgsig x\n\ntree 0000",
  "feat: @maria fixes #1 <!-- koryph:status 1 -->",
  "# all of it\n# is a comment",
  `feat: ${"x".repeat(70_000)}`,
  "::stop-commands::x\n::set-env name=PATH::/evil",
];
