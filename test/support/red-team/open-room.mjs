// Runs one command where nothing shuts it in but a machine of its own, with an engine and a listener beside it.
// Says at the end what became of those. Arguments: the port, the name of an abstract socket, the command.
import { spawn } from "node:child_process";
import { createServer } from "node:net";

const [, , port = "", abstract = "", command = ""] = process.argv;
let connections = 0;
const note = (socket) => {
  connections += 1;
  socket.on("error", () => {});
  socket.end();
};
for (const address of [{ port: Number(port), host: "127.0.0.1" }, { path: `\0${abstract}` }])
  await new Promise((done) => createServer(note).listen(address, done));

const engine = spawn("sleep", ["1000"], { argv0: "koryph-engine", stdio: "ignore" });
let isAlive = true;
engine.once("exit", () => {
  isAlive = false;
});
// The engine's own; no command is given it.
const { KORYPH_ENGINE_TOKEN: _, ...env } = process.env;
const child = spawn("/bin/bash", ["-c", command], { env, stdio: ["ignore", "inherit", "inherit"] });
child.once("exit", () => {
  // What was sent into the background goes on for a while.
  setTimeout(() => {
    process.stdout.write(`\n${JSON.stringify({ connections, isAlive })}\n`, () => process.exit(0));
  }, 100);
});
