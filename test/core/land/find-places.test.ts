import { describe, expect, test } from "vitest";
import { findPlaces, withoutEscapes } from "../../../src/core/land/find-places.js";
import { gateRed, placeLines } from "../../../src/core/replies/land/gate.js";

const root = "/home/ci/.koryph/projects/acme/checks/gh-12-gate";
const short = (output: string, knownFiles?: readonly string[]) =>
  findPlaces(output, {
    roots: [root],
    ...(knownFiles === undefined ? {} : { knownFiles: new Set(knownFiles) }),
  }).map(({ file, line, message }) => `${file}:${line} ${message}`.trim());

describe("places in the output of", () => {
  test.each<{ tool: string; output: string; places: string[]; known?: string[] }>([
    {
      tool: "tsc",
      output: `src/land.ts(12,7): error TS2322: Type 'string' is not assignable to type 'number'.
test/my file.ts(3,1): error TS1005: ';' expected.
Found 2 errors.`,
      places: [
        "src/land.ts:12 error TS2322: Type 'string' is not assignable to type 'number'.",
        "test/my file.ts:3 error TS1005: ';' expected.",
      ],
    },
    {
      tool: "tsc --pretty",
      output: `\u001b[96msrc/land.ts\u001b[0m:\u001b[93m12\u001b[0m:\u001b[93m7\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS2322: \u001b[0mType 'a'.

\u001b[7m12\u001b[0m const x: number = "a";
\u001b[7m  \u001b[0m \u001b[91m      ~\u001b[0m`,
      places: ["src/land.ts:12 error TS2322: Type 'a'."],
    },
    {
      tool: "eslint, errors before warnings",
      output: `
${root}/src/a.js
  1:7   warning  'x' is assigned a value but never used  no-unused-vars
  12:3  error    'y' is not defined                      no-undef

${root}/src/b.js
  4:1  error  Parsing error: Unexpected token

✖ 3 problems (2 errors, 1 warning)`,
      places: [
        "src/a.js:12 error 'y' is not defined no-undef",
        "src/b.js:4 error Parsing error: Unexpected token",
        "src/a.js:1 warning 'x' is assigned a value but never used no-unused-vars",
      ],
    },
    {
      tool: "biome",
      output:
        "src/cli/run.ts:30:7 lint/style/useConst  FIXABLE  ━━━━━━━━\n\n  × This let declares a variable.",
      places: ["src/cli/run.ts:30 lint/style/useConst FIXABLE ━━━━━━━━"],
    },
    {
      tool: "gcc",
      output: `main.c: In function 'main':
main.c:3:5: warning: unused variable 'b' [-Wunused-variable]
main.c:4:5: error: expected ';' before 'return'
    4 |     return 0
      |     ^~~~~~`,
      places: [
        "main.c:4 error: expected ';' before 'return'",
        "main.c:3 warning: unused variable 'b' [-Wunused-variable]",
      ],
    },
    {
      tool: "go build and go vet",
      output:
        "# example.com/acme/api\n./api/main.go:5:2: undefined: x\nvet: api/z.go:7:1: expected declaration",
      places: ["api/main.go:5 undefined: x"],
    },
    {
      tool: "go test, which leaves out the folder",
      output: `--- FAIL: TestAdd (0.00s)
    add_test.go:12: Add(1, 2) = 4, want 3
    twice_test.go:3: in two packages
FAIL
FAIL	example.com/acme/calc	0.002s`,
      known: ["calc/add_test.go", "a/twice_test.go", "b/twice_test.go"],
      places: ["calc/add_test.go:12 Add(1, 2) = 4, want 3"],
    },
    {
      tool: "a panic in Go",
      output: `panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
main.main()
	${root}/cmd/main.go:10 +0x1d
	/usr/local/go/src/runtime/proc.go:271 +0x29d`,
      places: ["cmd/main.go:10 panic: runtime error: index out of range [3] with length 3"],
    },
    {
      tool: "pytest",
      output: `    def test_add():
>       assert add(1, 2) == 4
E       assert 3 == 4
E        +  where 3 = add(1, 2)

tests/test_add.py:5: AssertionError
=========== short test summary info ===========
FAILED tests/test_add.py::test_add - assert 3 == 4`,
      places: ["tests/test_add.py:5 assert 3 == 4"],
    },
    {
      tool: "a traceback of Python",
      output: `Traceback (most recent call last):
  File "${root}/run.py", line 9, in <module>
    main()
  File "/usr/lib/python3.12/json/__init__.py", line 346, in loads
    return _default_decoder.decode(s)
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)`,
      places: ["run.py:9 json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)"],
    },
    {
      tool: "mypy and ruff",
      output: `app/db.py:14: error: Incompatible return value type  [return-value]
app/db.py:14: note: see the docs
app/x.py:1:8: F401 [*] \`os\` imported but unused`,
      places: [
        "app/db.py:14 error: Incompatible return value type [return-value]",
        "app/x.py:1 F401 [*] `os` imported but unused",
      ],
    },
    {
      tool: "rustc",
      output: `error[E0308]: mismatched types
 --> src/main.rs:2:18
  |
2 |     let x: i32 = "a";
  |            ---   ^^^ expected \`i32\`, found \`&str\``,
      places: ["src/main.rs:2 error[E0308]: mismatched types"],
    },
    {
      tool: "cargo test",
      output: `---- tests::adds stdout ----

thread 'tests::adds' panicked at src/lib.rs:14:9:
assertion \`left == right\` failed
  left: 3
 right: 4`,
      places: ["src/lib.rs:14 assertion `left == right` failed"],
    },
    {
      tool: "vitest",
      output: ` FAIL  test/add.test.ts > adds
AssertionError: expected 3 to be 4 // Object.is equality

- Expected
+ Received

 ❯ check test/support/check.ts:3:9
 ❯ test/add.test.ts:5:21
      3|
      4| test("adds", () => {
      5|   expect(add(1, 2)).toBe(4);
       |                     ^`,
      places: [
        "test/support/check.ts:3 AssertionError: expected 3 to be 4 // Object.is equality",
        "test/add.test.ts:5 AssertionError: expected 3 to be 4 // Object.is equality",
      ],
    },
    {
      tool: "a stack of Node",
      output: `${root}/src/a.js:3
  throw new TypeError("no such bead");
  ^

TypeError: no such bead
    at find (${root}/src/a.js:3:9)
    at async run (file://${root}/src/b.js:8:3)
    at file://${root}/src/c.js:1:1
    at Object.<anonymous> (${root}/node_modules/x/index.js:1:1)
    at node:internal/main/run_main_module:28:49`,
      places: [
        "src/a.js:3 TypeError: no such bead",
        "src/b.js:8 TypeError: no such bead",
        "src/c.js:1 TypeError: no such bead",
      ],
    },
    {
      tool: "node --test",
      output: `not ok 1 - adds
  ---
  location: '${root}/test/add.test.js:3:1'
  failureType: 'testCodeFailure'
  error: 'Expected values to be strictly equal'
  code: 'ERR_ASSERTION'`,
      places: ["test/add.test.js:3 error: 'Expected values to be strictly equal'"],
    },
    {
      tool: "jest",
      output: `  ● adds
    TypeError: add is not a function
      at Object.add (src/add.test.js:3:17)`,
      places: ["src/add.test.js:3 TypeError: add is not a function"],
    },
    {
      tool: "make",
      output: "Makefile:12: *** missing separator.  Stop.",
      places: ["Makefile:12 *** missing separator. Stop."],
    },
  ])("$tool", ({ output, places, known }) => expect(short(output, known)).toEqual(places));
});

const frame = (file: string, line: number) => `at f (${file}:${line}:1)`;
const python = (file: string, line: number) => `File "${file}", line ${line}`;

describe("of several places", () => {
  test.each<{ name: string; lines: string[]; places: string[] }>([
    {
      name: "the first frame after a complaint comes before the others",
      lines: ["Error: x", frame("a.js", 1), frame("b.js", 2), "c.c:3: error y"],
      places: ["a.js:1 Error: x", "c.c:3 error y", "b.js:2 Error: x"],
    },
    {
      name: "a frame without a complaint comes last, and has nothing to say",
      lines: [frame("a.js", 1), "b.c:2: error x"],
      places: ["b.c:2 error x", "a.js:1"],
    },
    {
      name: "the frames of a traceback come last",
      lines: [python("a.py", 1), "b.c:2: error x"],
      places: ["b.c:2 error x", "a.py:1"],
    },
    {
      name: "a complaint makes the frame below it the first",
      lines: [python("p.py", 9), "Error: x", "c.c:3: error y", frame("a.js", 1)],
      places: ["c.c:3 error y", "a.js:1 Error: x", "p.py:9 Error: x"],
    },
    {
      name: "a place that is explained later counts from then on",
      lines: ["q.js:1", "a.js:3", "TypeError: no", frame("a.js", 3)],
      places: ["a.js:3 TypeError: no", "q.js:1"],
    },
    {
      name: "an error that speaks of a warning is an error",
      lines: ["a.c:1: error: a warning", "b.c:2: error: x"],
      places: ["a.c:1 error: a warning", "b.c:2 error: x"],
    },
  ])("$name", ({ lines, places }) => expect(short(lines.join("\n"))).toEqual(places));
});

describe("a place's message", () => {
  test.each<{ name: string; lines: string[]; place: string }>([
    {
      name: "is the complaint that the output begins with",
      lines: ["E       assert 3 == 4", "", "t.py:5: AssertionError"],
      place: "t.py:5 assert 3 == 4",
    },
    { name: "is its own where no complaint is known", lines: ["t.py:5: KeyError"], place: "t.py:5 KeyError" },
    {
      name: "is its own, whatever was said above",
      lines: ["Error: old", "a.c:1: real"],
      place: "a.c:1 real",
    },
    {
      name: "is not what was said before its traceback began",
      lines: ["Error: old", python("a.py", 3)],
      place: "a.py:3",
    },
    {
      name: "of a panic is the next line with words",
      lines: ["thread 'x' panicked at a.rs:1:1:", "", "assertion failed"],
      place: "a.rs:1 assertion failed",
    },
  ])("$name", ({ lines, place }) => expect(short(lines.join("\n"))).toEqual([place]));
});

describe("a file that stands above its places", () => {
  const row = "  1:2  error  x";
  const long = (length: number) => `${"f".repeat(length - 3)}.js`;
  test.each<{ name: string; lines: string[]; places: string[] }>([
    { name: "counts over what is indented", lines: ["a.js", "  a note", row], places: ["a.js:1 error x"] },
    { name: "counts over empty lines", lines: ["a.js", "", row], places: ["a.js:1 error x"] },
    { name: "may have blanks", lines: ["a.js", "my b.js", row], places: ["my b.js:1 error x"] },
    { name: "may be long", lines: [long(400), row], places: [`${long(400)}:1 error x`] },
    { name: "is no file when it is longer", lines: [long(401), row], places: [] },
    {
      name: "is no place itself",
      lines: ["src/b.js:4:1: see x.js", row],
      places: ["src/b.js:4 see x.js"],
    },
    { name: "is forgotten at the next sentence", lines: ["a.js", "2 problems", row], places: [] },
  ])("$name", ({ lines, places }) => expect(short(lines.join("\n"))).toEqual(places));
});

test("a line of a thousand characters is read, a longer one is not", () => {
  const line = (length: number) => "a.c:1: error ".padEnd(length, "x");
  expect(short(line(1_000))).toHaveLength(1);
  expect(short(line(1_001))).toEqual([]);
});

test.each([[["/srv", "/srv/checks"]], [["/srv/checks", "/srv"]]])(
  "of checkouts inside one another the inner one is taken away: %j",
  (roots) =>
    expect(findPlaces("/srv/checks/a.c:1: x", { roots })).toEqual([{ file: "a.c", line: 1, message: "x" }]),
);

test("neither the root of the disk nor an empty path is a checkout", () =>
  expect(findPlaces("src//a.c:1: x", { roots: ["/", ""] })).toMatchObject([{ file: "src/a.c" }]));

test("the end of a path names a file among fifty namesakes, and not among more", () => {
  const files = (count: number) => Array.from({ length: count }, (_, n) => `x/p${n}/index.ts`);
  expect(short("p7/index.ts:1: x", files(50))).toEqual(["x/p7/index.ts:1 x"]);
  expect(short("p7/index.ts:1: x", files(51))).toEqual([]);
});

describe("no place is", () => {
  test.each([
    ["a path above the repository", "../../etc/passwd.txt:1:1: error"],
    ["a path that leaves and comes back", "src/../../gh-12-gate/a.ts:1:1: error"],
    ["an absolute path elsewhere", "/etc/ssl/openssl.cnf:3: error"],
    ["one whose name only begins like the checkout", `${root}-2/a.ts:1:1: error`],
    ["a home", "~/.bashrc.sh:3: error"],
    ["a path of another system", "C:\\src\\a.ts(1,2): error TS1: x"],
    ["an address", "http://localhost:3000/a.ts:1:1"],
    ["a host and port", "127.0.0.1:5432: connection refused"],
    ["a time", "12:30:45 tests began"],
    ["a package", "at run (node_modules/vitest/dist/cli.js:3:9)"],
    ["a package of Python", 'File ".venv/lib/python3.12/site-packages/x.py", line 3'],
    ["git's own", ".git/hooks/x.sh:3: error"],
    ["a line zero", "a.ts:0: error"],
    ["a sentence", "3:5 error is what happened"],
    ["the folder itself", ".:1: error"],
    ["nothing", ""],
  ])("%s", (_, output) => expect(short(output)).toEqual([]));

  test("a file that the repository does not have", () =>
    expect(short("a.ts:1: error\nb.ts:2: error", ["b.ts"])).toEqual(["b.ts:2 error"]));
});

test("each place is named once, the first word on it counts, and there are at most twenty", () => {
  const lines = Array.from({ length: 100 }, (_, index) => `a.c:${index + 1}: error ${index}`);
  const places = short(["a.c:1: error first", ...lines].join("\n"));
  expect(places).toHaveLength(20);
  expect(places.slice(0, 2)).toEqual(["a.c:1 error first", "a.c:2 error 1"]);
});

test("a message is one safe line of at most 300 characters", () => {
  const [place] = findPlaces(`a.c:1: error\u0007 \u202e${"x".repeat(500)}`);
  expect(place?.message).toMatch(/^error\u{FFFD} \u{FFFD}x+…$/u);
  expect(Array.from(place?.message ?? "")).toHaveLength(300);
});

test("a checkout whose path has blanks and brackets is recognised", () => {
  const odd = "/srv/my (old) checks/é";
  const output = `at f (${odd}/a.ts:1:1)\nat file://${encodeURI(odd)}/b.ts:2:2\n${odd}/c.ts:3:3: error\nfile://${odd}/d.ts:4: error`;
  expect(
    findPlaces(output, { roots: [odd] })
      .map(({ file }) => file)
      .sort(),
  ).toEqual(["a.ts", "b.ts", "c.ts", "d.ts"]);
});

test("escapes go, an unfinished one takes no more than its line", () =>
  expect(
    withoutEscapes("\u001b[1;31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]0;title\nnext\r10%\r20%"),
  ).toBe("red link\nnext\n10%\n20%"));

describe("time grows with the text, not faster", () => {
  test.each([
    ["blanks", " "],
    ["brackets", "("],
    ["colons", "a:1"],
    ["frames", "at a "],
    ["quotes", 'File "'],
    ["escapes", "\u001b["],
    ["titles", "\u001b]"],
    ["lines of brackets", `${"(1,".repeat(300)}\n`],
    ["lines of blanks and frames", `at ${"a ".repeat(400)}\n`],
    ["panics", `thread ${" panicked at".repeat(70)}\n`],
    ["names of errors", `${"aError".repeat(150)}\n`],
  ])("%s", (_, piece) => {
    const output = piece.repeat(Math.ceil(300_000 / piece.length));
    // What took quadratic time would not be done before the test's own limit.
    expect(findPlaces(output).length).toBeLessThanOrEqual(1);
  });

  test("frames that wait for their message", () => {
    const frames = Array.from({ length: 100_000 }, (_, index) => `File "a.py", line ${index + 1}`);
    const [first] = findPlaces([...frames, "ValueError: no"].join("\n"));
    expect(first).toEqual({ file: "a.py", line: 1, message: "ValueError: no" });
  });

  test("names that many files have", () => {
    const knownFiles = new Set(Array.from({ length: 100_000 }, (_, index) => `p${index}/index.ts`));
    const output = "index.ts:1: error\n".repeat(100_000);
    expect(findPlaces(output, { knownFiles })).toEqual([]);
  });
});

test("a red gate is told in one line, with the first place and without what a terminal would obey", () => {
  const places = findPlaces("a.ts:3: error one\nb.ts:4:");
  expect(placeLines(places)).toEqual(["a.ts:3: error one", "b.ts:4"]);
  expect(gateRed({ command: "npm\u001b test", code: 1, places })).toBe(
    "the gate is red: `npm\u{FFFD} test` ended with exit code 1 (a.ts:3: error one)",
  );
  expect(gateRed({ command: "make", code: null, places: [] })).toBe(
    "the gate is red: `make` did not end by itself",
  );
});
