// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the shell's.
import fc from "fast-check";
import { expect, test } from "vitest";
import { shellWord } from "../../../src/lib/shell-word.js";
import { LONG } from "../../support/long.js";
import { judged, PLACES } from "../../support/red-team/guard-bench.js";
import { typed } from "../../support/red-team/spelling.js";
import { SPELLINGS } from "../../support/red-team/spellings.js";

const DENIED = SPELLINGS.filter(({ guard }) => guard === "deny").map((spelling) => typed(spelling, PLACES));

/** What a shell runs all the same. A line break at the end closes here-documents. */
const WRAPPINGS: readonly ((line: string) => string)[] = [
  (line) => `true; ${line}`,
  (line) => `true && ${line}`,
  (line) => `false ||\n${line}`,
  (line) => `${line}\n`,
  (line) => `${line}\ntrue`,
  (line) => `\n\n  ${line}`,
  (line) => `( ${line}\n)`,
  (line) => `{ ${line}\n}`,
  (line) => `if true; then ${line}\nfi`,
  (line) => `while true; do ${line}\nbreak; done`,
  (line) => `f() { ${line}\n}; f`,
  (line) => `echo "$(${line}\n)"`,
  (line) => `x=$(${line}\n)`,
  (line) => `sh -c ${shellWord(line)}`,
  (line) => `bash -lc ${shellWord(line)}`,
  (line) => `/bin/sh -e -c ${shellWord(line)}`,
  (line) => `eval ${shellWord(line)}`,
  (line) => `env -u NOTHING sh -c ${shellWord(line)}`,
  (line) => `LC_ALL=C nohup bash -c ${shellWord(line)}`,
  (line) => `timeout 5 sh -c ${shellWord(line)}`,
  (line) => hereDocument("bash <<", line, "", ""),
  (line) => hereDocument("cat <<", line, " | sh", ""),
  (line) => hereDocument("cat > it.sh <<", line, "", "\nsh ./it.sh"),
];

/** The word at its end is one that no line inside has. */
function hereDocument(start: string, line: string, rest: string, after: string): string {
  const end = `END-${line.length}`;
  return `${start}'${end}'${rest}\n${line}\n${end}${after}`;
}

test("what is denied stays denied, however it is wrapped", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...DENIED),
      fc.array(fc.constantFrom(...WRAPPINGS), { minLength: 1, maxLength: 3 }),
      (line, wrappings) => {
        const wrapped = wrappings.reduce((inner, wrap) => wrap(inner), line);
        expect({ wrapped, kind: judged(wrapped).kind }).toEqual({ wrapped, kind: "deny" });
      },
    ),
    { numRuns: LONG ? 5000 : 600 },
  );
});

/** Spellings of one git command: each is the same to git. */
const SPELLED = fc.record({
  before: fc.constantFrom(
    "",
    "A=b ",
    "env ",
    "env A=b C=d ",
    "command ",
    "exec ",
    "nice ",
    "nohup ",
    "sudo ",
    "time ",
    "\\",
  ),
  git: fc.constantFrom(
    "git",
    "'git'",
    '"git"',
    "g''it",
    "/usr/bin/git",
    "/bin//git",
    "$(command -v git)",
    "gi$'t'",
  ),
  options: fc.array(
    fc.constantFrom(
      "-C .",
      "-C ./",
      "--no-pager",
      "-c a.b=c",
      "-c 'user.name=x y'",
      "--git-dir=.git",
      "-P",
      "--literal-pathspecs",
    ),
    { maxLength: 3 },
  ),
  verb: fc.constantFrom(
    "push",
    "'push'",
    "pu\\sh",
    'p"us"h',
    "send-pack",
    "switch main",
    "checkout 'main'",
    "branch -f main",
    "credential fill",
  ),
  after: fc.constantFrom(
    "",
    " ",
    " ;",
    " &",
    " | cat",
    " && true",
    " 2>&1",
    " >/dev/null",
    " # a remark",
    "\n",
  ),
});

test("a command of git's is denied in whatever way it is spelled", () => {
  fc.assert(
    fc.property(SPELLED, ({ before, git, options, verb, after }) => {
      const gap = before === "\\" && !/^[a-z]/.test(git) ? "" : before;
      const line = `${gap}${[git, ...options, verb].join(" ")}${after}`;
      expect({ line, kind: judged(line).kind }).toEqual({ line, kind: "deny" });
    }),
    { numRuns: LONG ? 20_000 : 1500 },
  );
});

test("no text makes the guard throw, or take long", () => {
  const piece = fc.constantFrom(
    ..."git push $ ${ $( ) } ` ' \" \\ ; & | < > << <<< E \n ( ( { * ? [ ] ~ ! # = cat /root .ssh eval sh -c x".split(
      " ",
    ),
    " ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const began = performance.now();
      judged(pieces.join(""));
      expect(performance.now() - began).toBeLessThan(2000);
    }),
    { numRuns: LONG ? 20_000 : 1500 },
  );
});
