// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the shell's.
import { expect, test } from "vitest";
import { readShell } from "../../../src/lib/shell/read-shell.js";

/** The commands as words, with a dot for what only the shell knows. */
function commandsIn(text: string): string[] {
  return readShell(text).commands.map(({ words }) =>
    words
      .map((word) =>
        word
          .map((piece) => (piece.kind === "text" ? piece.text : "text" in piece ? piece.text : "·"))
          .join(""),
      )
      .join(" "),
  );
}

test.each<{ text: string; found: string[] }>([
  { text: "a b; c && d || e", found: ["a b", "c", "d", "e"] },
  { text: "a | b |& c", found: ["a", "b", "c"] },
  { text: "(a; { b; })", found: ["a", "b"] },
  { text: "a $(b) `c`", found: ["b", "c", "a · ·"] },
  { text: 'a "$(b)" <(c)', found: ["b", "c", "a · /dev/fd/63"] },
  { text: "if a; then b; elif c; then d; else e; fi", found: ["a", "b", "c", "d", "e"] },
  { text: "case $(a) in b) c;; esac", found: ["a", "c"] },
  { text: "for x in $(a); do b; done", found: ["a", "", "b"] },
  { text: "[[ -n $(a) ]] && (( $(b) ))", found: ["a", "b"] },
  { text: "f() { a; }; f", found: ["a", "f"] },
  { text: "cat <<E\n$(a)\nE", found: ["a", "cat"] },
  { text: "cat <<'E'\n$(a)\nE", found: ["cat"] },
  { text: "echo ${x:-$(a)} ${x/$(b)/c} $((1 + $(d)))", found: ["a", "b", "d", "echo · · ·"] },
  { text: "coproc a; ! b; time c", found: ["a", "b", "c"] },
  { text: "x=$(a) b", found: ["a", "b"] },
  { text: "g\"i\"t $'pu\\x73h' \\\n x", found: ["git push x"] },
])("finds every command of $text", ({ text, found }) => {
  expect(commandsIn(text)).toEqual(found);
});

test("a pipe's reader knows who writes, and a here-document's reader its text", () => {
  const [, reader] = readShell("echo x | sh").commands;
  expect(reader?.pipedFrom).toHaveLength(1);
  const [shell] = readShell("sh <<'E'\ngit push\nE").commands;
  expect(shell?.input).toEqual([{ kind: "text", text: "git push\n", quoted: true }]);
});

test("a redirection to a descriptor names no file", () => {
  const [command] = readShell("a 2>&1 >b <c").commands;
  expect(command?.redirections.map(({ way }) => way)).toEqual(["write", "read"]);
});

test("a text that no shell takes is not whole, and neither is one that is too long", () => {
  expect(readShell("if a").whole).toBe(false);
  expect(readShell("a 'b").whole).toBe(false);
  expect(readShell("a".repeat(300_000))).toEqual({ commands: [], functions: [], whole: false });
  expect(readShell("a").whole).toBe(true);
});
