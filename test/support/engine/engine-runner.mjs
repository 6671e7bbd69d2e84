// The real engine, wired as `koryph run` wires it, in a process of its own. Takes one JSON argument:
//   folder   the project
//   point    optional: where it kills itself, as `part.method`; with a tail, as in
//            `ledger.observe:slot.finished`, only calls that carry this text count
//   when, n  before or after the n-th such call has done its work
//   lease, interrupt, resume, options   as startEngine takes them
import { argv, exit, kill, pid, stdout } from "node:process";

const { folder, point = ".", when, n, lease, interrupt, resume = false, options = {} } = JSON.parse(argv[2]);
const [path, wanted] = point.split(":");
const [partName, method] = path.split(".");
const dist = new URL("../../../dist/", import.meta.url);
const { wireProject } = await import(new URL("wiring/wire-project.js", dist).href);
const { startEngine } = await import(new URL("wiring/start-engine.js", dist).href);

let calls = 0;

function mined(part) {
  return new Proxy(part, {
    get(target, name) {
      const value = target[name];
      if (typeof value !== "function") return value;
      if (name !== method) return value.bind(target);
      return async (...args) => {
        const counts = wanted === undefined || JSON.stringify(args).includes(wanted);
        if (counts) calls += 1;
        const now = counts && calls === n;
        if (now && when === "before") kill(pid, "SIGKILL");
        const result = await value.apply(target, args);
        if (now) kill(pid, "SIGKILL");
        return result;
      };
    },
  });
}

const project = await wireProject(folder, "0.1.0");
const summary = await startEngine(project, {
  options: { mode: "rolling", once: false, backoffSeconds: 0, ...options },
  resume,
  lease,
  interrupt,
  version: "0.1.0",
  report: (news) => stdout.write(`${JSON.stringify(news)}\n`),
  onTick: () => {},
  decorate: (parts) => (method ? { ...parts, [partName]: mined(parts[partName]) } : parts),
});
stdout.write(`${JSON.stringify({ kind: "end", ...summary })}\n`);
// As the command line does: what could not be ended keeps nobody here.
setTimeout(() => exit(), 2_000).unref();
