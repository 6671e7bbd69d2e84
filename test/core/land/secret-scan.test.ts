import { describe, expect, test } from "vitest";
import { SecretScan } from "../../../src/core/land/secret-scan.js";

/** Put together here, so that no file holds one. */
const TOKEN = ["ghp", "a8Kd03jfLq92mZx7Rt5W"].join("_");
const KEY = ["-----BEGIN OPENSSH", "PRIVATE KEY-----"].join(" ");

function scan(text: string) {
  const scan = new SecretScan();
  for (const line of text.split("\n")) scan.read(line);
  return scan.found.map(({ path, kind }) => `${kind} in ${path}`);
}

const header = (path: string) => `diff --git ${path} ${path}\nindex 1..2 100644\n--- ${path}\n+++ ${path}\n`;

describe("a patch", () => {
  test.each<{ name: string; text: string; found: readonly string[] }>([
    {
      name: "names file and kind of what it adds",
      text: `${header("src/a.ts")}@@ -0,0 +1,2 @@\n+const a = "${TOKEN}";\n+${KEY}`,
      found: ["GitHub token in src/a.ts", "private key in src/a.ts"],
    },
    {
      name: "may take a secret out",
      text: `${header("src/a.ts")}@@ -1 +0,0 @@\n-const a = "${TOKEN}";`,
      found: [],
    },
    {
      name: "keeps to the file, whatever its lines pretend to be",
      text: `${header("src/a.ts")}@@ -0,0 +1,2 @@\n+++ docs/harmless.md\n+++ ${TOKEN}\n+@@ x`,
      found: ["GitHub token in src/a.ts"],
    },
    {
      name: "goes on with the next file",
      text: `${header("a")}@@ -0,0 +1 @@\n+x\n${header("b c.txt")}@@ -0,0 +1 @@\n+${TOKEN}`,
      found: ["GitHub token in b c.txt"],
    },
    {
      name: "has a message, which is looked at like a file",
      text: `commit ${"1".repeat(40)}\n    feat: use ${TOKEN}\n    @@ -0,0 +1 @@\n    -${TOKEN}\n${header("a")}`,
      found: ["GitHub token in the message of 111111111111"],
    },
    {
      name: "is told of once for each file and kind",
      text: `${header("a")}@@ -0,0 +1,2 @@\n+${TOKEN}\n+${TOKEN.toUpperCase().replace("GHP", "ghp")}`,
      found: ["GitHub token in a"],
    },
    {
      name: "may show what a token looks like",
      text: `${header("docs/a.md")}@@ -0,0 +1,2 @@\n+ghp_${"x".repeat(36)}\n+AKIAIOSFODNN7EXAMPLE\n+password = "hunter2"`,
      found: [],
    },
  ])("$name", ({ text, found }) => expect(scan(text)).toEqual(found));
});
