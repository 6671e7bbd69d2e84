// Runs one command line of the built koryph after the other, each in its own folder and environment as if it were a
// process of its own. Starting one takes longer than most commands do.
import { chdir, env, exit, send } from "node:process";

const dist = new URL("../../../dist/cli/", import.meta.url);
const { runCli } = await import(new URL("run-cli.js", dist).href);
const { openTerminal } = await import(new URL("text/terminal.js", dist).href);
const tell = send.bind(process);

/** What a command writes to, as far as a terminal needs it. */
function stream(name) {
  return { on: () => {}, write: (text) => tell({ [name]: text }) };
}

process.on("message", async ({ folder, variables, args }) => {
  chdir(folder);
  for (const name of Object.keys(env)) delete env[name];
  Object.assign(env, variables);
  const code = await runCli(
    args,
    openTerminal(stream("stdout"), stream("stderr"), () => {}),
  );
  // The folder may go before the next command comes.
  chdir("/");
  tell({ code });
});
// Whoever asked is gone.
process.on("disconnect", () => exit());
