/*
 * A program of its own, which runs as long as one contained process: it starts that process, and connects it to the hosts
 * that are allowed and to nothing else. Arguments: the folder for its socket, hosts and a proxy on the way as JSON, and the command.
 */
import { spawn } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { allowProxy } from "./allow-proxy.js";
import { endAs } from "./end-as.js";

const [, , folder = "", settings = "", command = "", ...rest] = process.argv;
const { hosts, upstream } = JSON.parse(settings) as { hosts: string[]; upstream: string | null };
/** Relative, since the path of a socket may have a hundred letters only. */
const SOCKET = "proxy.sock";

// They are for the process inside, which gets them itself.
for (const signal of ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"] as const) process.on(signal, () => {});

const cwd = process.cwd();
process.chdir(folder);
rmSync(SOCKET, { force: true });
const server = allowProxy(hosts, upstreamOf(upstream));
server.listen(SOCKET, () => {
  // Whoever is inside may be somebody else than who made it.
  chmodSync(SOCKET, 0o666);
  process.chdir(cwd);
  const child = spawn(command, rest, { stdio: "inherit" });
  endAs(child);
});

function upstreamOf(address: string | null) {
  if (address === null || !URL.canParse(address)) return null;
  const { hostname, port, protocol } = new URL(address);
  return { host: hostname, port: Number(port || (protocol === "https:" ? 443 : 80)) };
}
