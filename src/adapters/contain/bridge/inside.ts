/*
 * A program of its own, the first one in a network that leads nowhere: it answers at a port there, passes everything on
 * to the socket of the one outside, and runs the command. One file without imports of ours: it is all that is shown of
 * koryph inside. Arguments: the folder with the socket, the port, and the command.
 */
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { constants } from "node:os";

const [, , folder = "", port = "", command = "", ...rest] = process.argv;

for (const signal of ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"] as const) process.on(signal, () => {});

const server = createServer((socket) => {
  const out = connect(`${folder}/proxy.sock`);
  socket.on("error", () => out.destroy());
  out.on("error", () => socket.destroy());
  socket.on("close", () => out.destroy());
  out.on("close", () => socket.destroy());
  socket.pipe(out);
  out.pipe(socket);
});
server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(command, rest, { stdio: "inherit" });
  child.once("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(127);
  });
  child.once("exit", (code, signal) => {
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
  });
});
