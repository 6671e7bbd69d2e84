/** Where a command's words go. Results to `out`, everything else to `err`, so that pipes stay clean. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  readonly paint: Paint;
}

export interface Paint {
  heading(text: string): string;
  faint(text: string): string;
  warning(text: string): string;
}

export function openTerminal(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Terminal {
  return {
    out: (line) => stdout.write(`${line}\n`),
    err: (line) => stderr.write(`${line}\n`),
    paint: wantsColour(stdout) ? COLOURED : PLAIN,
  };
}

/** Colour only where a person looks, and never against their wish. */
function wantsColour(stream: NodeJS.WriteStream): boolean {
  if (process.env.NO_COLOR) return false;
  return stream.isTTY === true && process.env.TERM !== "dumb";
}

const PLAIN: Paint = { heading: (text) => text, faint: (text) => text, warning: (text) => text };

const COLOURED: Paint = {
  heading: (text) => `\u001b[1m${text}\u001b[22m`,
  faint: (text) => `\u001b[2m${text}\u001b[22m`,
  warning: (text) => `\u001b[33m${text}\u001b[39m`,
};
