import { expect, test } from "vitest";
import { bubblewrapCommand } from "../../../src/core/contain/bubblewrap-command.js";
import { sandboxView } from "../../../src/core/contain/sandbox-view.js";

const MACHINE = { links: [["/bin", "usr/bin"]], readable: ["/usr", "/etc/hosts"] } as const;

test("shows the system, then what a process works with, by parents that are made by name", () => {
  const view = sandboxView(MACHINE, {
    writable: ["/srv/home/clones/b-1"],
    readable: ["/srv/home/repo.git/objects"],
  });
  expect(view.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    "link /bin",
    "scratch /tmp",
    "scratch /var/tmp",
    "scratch /dev/shm",
    "folder /etc",
    "folder /srv",
    "folder /srv/home",
    "folder /srv/home/repo.git",
    "folder /srv/home/clones",
    "read /usr",
    "read /etc/hosts",
    "read /srv/home/repo.git/objects",
    "write /srv/home/clones/b-1",
  ]);
});

test("what lies in a folder that is shown is not shown again, unless it may be written", () => {
  const view = sandboxView(MACHINE, {
    writable: ["/work/own", "/work/own/home", "/usr/src/own"],
    readable: ["/usr/local/bin", "/work/own/notes", "/work"],
  });
  const shown = view.filter(({ kind }) => kind === "read" || kind === "write");
  expect(shown.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    "read /usr",
    "read /work",
    "read /etc/hosts",
    "write /work/own",
    "write /usr/src/own",
  ]);
});

test("a home of koryph's in a folder that is shown is not there, but what a process works with below it is", () => {
  const home = "/usr/local/koryph";
  const view = sandboxView(
    MACHINE,
    { writable: [`${home}/clones/b-1`], readable: [`${home}/repo.git/objects`, home] },
    [home, "/srv/checkout"],
  );
  expect(view.slice(5).map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    "read /usr",
    "read /etc/hosts",
    `hidden ${home}`,
    `folder ${home}/repo.git`,
    `folder ${home}/clones`,
    `read ${home}/repo.git/objects`,
    `write ${home}/clones/b-1`,
  ]);
});

const FACTS = {
  bwrap: "/usr/bin/bwrap",
  env: "/usr/bin/env",
  bash: "/bin/bash",
  mounts: [],
  cwd: "/work",
} as const;
const SAME = { kind: "same", uid: 1000, gid: 1000 } as const;

test.each([
  { network: "off", cut: true },
  { network: "hosts", cut: true },
  { network: "on", cut: false },
] as const)("network $network has one of its own: $cut", ({ network, cut }) => {
  const argv = bubblewrapCommand(["true"], { ...FACTS, network, user: SAME });
  expect(argv.includes("--unshare-net")).toBe(cut);
  for (const flag of ["--unshare-pid", "--unshare-ipc", "--die-with-parent", "--disable-userns"])
    expect(argv).toContain(flag);
});

test("root gives its rights away inside, where the mounts are made", () => {
  const user = { kind: "dropped", uid: 65_534, gid: 65_534, setpriv: "/usr/bin/setpriv" } as const;
  const argv = bubblewrapCommand(["agent", "-p"], { ...FACTS, network: "off", user });
  const inside = argv.slice(argv.indexOf("--") + 1).join(" ");
  expect(inside).toMatch(/^\/usr\/bin\/setpriv --reuid 65534 .*--no-new-privs .*--bounding-set=-all/);
  expect(inside).toMatch(/ -- agent -p$/);
  expect(argv).not.toContain("--unshare-user");
});
