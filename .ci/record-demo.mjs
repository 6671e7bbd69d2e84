// Records `koryph demo` on a terminal of 80 columns as an SVG that plays once and ends on the last screen:
//     npm run build && node .ci/record-demo.mjs docs/images/demo.svg
// Needs `script` of util-linux, for a terminal to run on.
import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";

const COLUMNS = 80;
const ROWS = 32;
const LINE = 17;
const CHARACTER = 7.8;
const PAD = 14;
const BAR = 26;
/** Nobody waits longer than this for the next line, however slow the machine was. */
const LONGEST_GAP_MS = 650;

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error("usage: node .ci/record-demo.mjs <file.svg>");
// Where it would lie by itself is an affair of this machine.
const report = "koryph-demo.html";
const lines = await capture(`node dist/cli/main.js demo --report ${report}`);
rmSync(report);
writeFileSync(target, drawing(paced(lines)));

/** The lines as they came, each with its time. */
async function capture(command) {
  const size = `stty cols ${COLUMNS} rows ${ROWS}`;
  const terminal = spawn("script", ["--quiet", "--flush", "--command", `${size}; ${command}`, "/dev/null"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TERM: "xterm-256color" },
  });
  const found = [{ at: 0, text: "\u001b[2m$ koryph demo\u001b[22m" }];
  const began = performance.now();
  let rest = "";
  for await (const piece of terminal.stdout.setEncoding("utf8")) {
    const [last, ...whole] = (rest + piece).split("\n").reverse();
    rest = last;
    for (const text of whole.reverse())
      found.push({
        at: performance.now() - began,
        text: text.replaceAll("\r", "").replaceAll(`${process.cwd()}/`, ""),
      });
  }
  return found;
}

function paced(lines) {
  let now = 0;
  let before = 0;
  return lines.map(({ at, text }) => {
    now += Math.min(at - before, LONGEST_GAP_MS);
    before = at;
    return { at: Math.round(now), text };
  });
}

function drawing(lines) {
  const shown = Math.min(ROWS, lines.length);
  const width = Math.ceil(COLUMNS * CHARACTER + 2 * PAD);
  const height = BAR + shown * LINE + 2 * PAD;
  const endMs = lines.at(-1).at + 1;
  const scroll = new Map(
    lines.flatMap(({ at }, row) =>
      row < shown ? [] : [[((100 * at) / endMs).toFixed(2), -(row + 1 - shown) * LINE]],
    ),
  );
  const frames = [...scroll].map(([percent, y]) => `${percent}%{transform:translateY(${y}px)}`);
  const last = -(lines.length - shown) * LINE;
  const rows = lines.map(
    ({ at, text }, row) => `<text y="${row * LINE}" style="animation-delay:${at}ms">${spans(text)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="koryph demo, recorded on a terminal">
<style>
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e6edf3;white-space:pre;opacity:0;animation:show 1ms forwards}
.b{font-weight:bold;fill:#fff}.f{fill:#8b949e}.w{fill:#d29922}
@keyframes show{to{opacity:1}}
@keyframes scroll{${frames.join("")}}
#lines{animation:scroll ${endMs}ms step-end forwards;transform:translateY(${last}px)}
@media (prefers-reduced-motion:reduce){text{opacity:1;animation:none}#lines{animation:none}}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<circle cx="18" cy="15" r="5" fill="#f85149"/><circle cx="36" cy="15" r="5" fill="#d29922"/><circle cx="54" cy="15" r="5" fill="#3fb950"/>
<clipPath id="screen"><rect x="0" y="${BAR}" width="${width}" height="${shown * LINE + PAD}"/></clipPath>
<g clip-path="url(#screen)"><g transform="translate(${PAD} ${BAR + LINE})"><g id="lines">
${rows.join("\n")}
</g></g></g>
</svg>
`;
}

/** The three ways of writing that koryph uses: bold, faint and yellow. */
function spans(text) {
  const CLASSES = { 1: "b", 2: "f", 33: "w" };
  let current = "";
  return text
    .split(/(\u001b\[\d+m)/)
    .map((part) => {
      const [, code] = /^\u001b\[(\d+)m$/.exec(part) ?? [];
      if (code !== undefined) {
        current = CLASSES[code] ?? "";
        return "";
      }
      if (part === "") return "";
      return current === "" ? escaped(part) : `<tspan class="${current}">${escaped(part)}</tspan>`;
    })
    .join("");
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
