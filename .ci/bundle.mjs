// Turns the built programs into a few files each, in place: node 20 takes 0.2 s to find and read some 230 modules,
// and most commands are done sooner than that. The modules stay beside them for whoever imports one by itself.
import { join } from "node:path";
import { rolldown } from "rolldown";

/** Many small modules that every command, or the server, reads. The others bring files of their own, or few. */
const BUNDLED = /^(zod|commander|kysely|execa|simple-git|mdast-util-[a-z-]+|micromark-extension-gfm)(\/|$)/;
const PACKAGE = /^[^./]/;

const [out] = process.argv.slice(2);
const bundle = await rolldown({
  input: { "cli/main": join(out, "cli/main.js"), "action/main": join(out, "action/main.js") },
  platform: "node",
  // What a bundled package needs comes with it.
  external: (id, importer) => PACKAGE.test(id) && !BUNDLED.test(id) && !importer?.includes("/node_modules/"),
});
await bundle.write({ dir: out, format: "esm", chunkFileNames: "chunks/[name]-[hash].js" });
await bundle.close();
