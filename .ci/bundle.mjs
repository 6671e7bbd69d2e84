// Turns the built programs into a few files each, in place: node 20 takes 0.2 s to find and read some 230 modules,
// and most commands are done sooner than that. The modules stay beside them for whoever imports one by itself.
import { join } from "node:path";
import { rolldown } from "rolldown";
import { bundlePrograms } from "./bundle-programs.mjs";

/** Many small modules that every command, or the server, reads. The others bring files of their own, or few. */
const BUNDLED =
  /^(zod|commander|kysely|execa|simple-git|lru-cache|mdast-util-[a-z-]+|micromark-extension-gfm)(\/|$)/;
const PACKAGE = /^[^./]/;

/** The programs; and what tests start engines and commands from, which share the programs' classes with them. */
const ENTRIES = [
  ...["cli/main", "action/main", "cli/run-cli", "cli/text/terminal"],
  ...["wiring/wire-project", "wiring/start-engine"],
  ...["adapters/git/landing/landing-repo", "adapters/gate/process-gate", "adapters/git/ledger/git-ledger"],
  ...["adapters/home/run-folders", "adapters/process/detached-processes", "adapters/work/file-source"],
  "adapters/git/receipts/git-receipts",
];

const [out] = process.argv.slice(2);
const bundle = await rolldown({
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(out, `${entry}.js`)])),
  platform: "node",
  // What a bundled package needs comes with it.
  external: (id, importer) => PACKAGE.test(id) && !BUNDLED.test(id) && !importer?.includes("/node_modules/"),
});
await bundle.write({
  dir: out,
  format: "esm",
  chunkFileNames: "chunks/[name]-[hash].js",
  codeSplitting: {
    // Each with what it imports, so that these commands read two files and nothing that they have no use for.
    groups: [
      { name: "command-line", test: /\/cli\/(run-cli|keep-compiled|text\/terminal)\.js$/, priority: 3 },
      { name: "look", test: /\/cli\/commands\/(status|record\/log)\.js$/, priority: 2 },
      { name: "tail", test: /\/cli\/commands\/tail\.js$/, priority: 1 },
      // A file costs more than the few modules in it that a command does not need: half as many make a start a sixth
      // shorter.
      { name: "common", minShareCount: 12 },
    ],
  },
});
await bundle.close();

await bundlePrograms(out, out);
