import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";

/** Ends this process when the child has ended, and as a shell would report it. */
export function endAs(child: ChildProcess): void {
  child.once("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(127);
  });
  child.once("exit", (code, signal) => {
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
  });
}
