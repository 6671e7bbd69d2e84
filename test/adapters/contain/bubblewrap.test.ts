import { execFile } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { Bubblewrap } from "../../../src/adapters/contain/bubblewrap.js";
import type { NetworkAccess } from "../../../src/core/contain/network-access.js";
import { containmentHere } from "../../support/contained.js";
import { tempFolder } from "../../support/temp-folder.js";

const run = promisify(execFile);
/** Where root runs the tests, they are told a second time by somebody who is not. */
const SELVES = process.getuid?.() === 0 ? ["root", "a plain user"] : ["a plain user"];
const PLAIN = { uid: 65_534, gid: 65_534 };
const isHere = (await containmentHere()) !== null;
const OFF: NetworkAccess = { kind: "off" };

describe.runIf(isHere).each(SELVES)("a process that is contained by %s", (self) => {
  const drops = self !== "root" && process.getuid?.() === 0;

  function world() {
    const root = tempFolder();
    const place = (name: string) => {
      mkdirSync(join(root, name), { recursive: true });
      return join(root, name);
    };
    return { root, own: place("own"), shown: place("shown"), other: place("other"), folder: place("slot") };
  }

  async function contained(
    script: string,
    places: ReturnType<typeof world>,
    network: NetworkAccess = OFF,
    hidden: readonly string[] = [],
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: places.own };
    const bubblewrap = new Bubblewrap(process.env.PATH, hidden, drops ? PLAIN : undefined);
    const command = await bubblewrap.contain(
      { argv: ["/bin/sh", "-c", script], env, cwd: places.own },
      { writable: [places.own], shared: [], readable: [places.shown], folder: places.folder, network },
    );
    if (drops)
      for (const path of [places.root, places.own, places.folder, join(places.folder, "network")])
        if (existsSync(path)) chownSync(path, PLAIN.uid, PLAIN.gid);
    // Whoever starts koryph may have something open that it passes on.
    const opening = ["-c", 'exec 200<"$0"; exec "$@"', places.other, ...command.argv];
    return run("/bin/bash", opening, { env: command.env, cwd: places.own, ...(drops && PLAIN) }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error) => ({ code: error.code as number, stdout: error.stdout, stderr: error.stderr }),
    );
  }

  test("writes its own folders, reads what it is shown, and sees nothing else", async () => {
    const places = world();
    writeFileSync(join(places.shown, "notes"), "for all");
    writeFileSync(join(places.other, "secret"), "of another");
    const script = `
      echo mine > kept; cat ${places.shown}/notes; echo x > ${places.shown}/new || echo not written
      cat ${places.other}/secret || echo not seen; ls /root /home /var/run 2>&1 | grep -v "No such"; cat /etc/shadow || echo no shadow; ls /etc/ssl/private || echo no keys
      exit 7`;
    const { code, stdout } = await contained(script, places);
    expect(code).toBe(7);
    expect(stdout).toBe("for allnot written\nnot seen\nno shadow\nno keys\n");
    expect(readFileSync(join(places.own, "kept"), "utf8")).toBe("mine\n");
  });

  test("does not see what is hidden in a folder that it is shown, but its own folders there", async () => {
    const { root, ...places } = world();
    const home = join(places.shown, "koryph");
    const own = join(home, "clones", "own");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(home, "secret"), "of the engine");
    writeFileSync(join(home, "clones", "secret"), "of another bead");
    writeFileSync(join(places.shown, "notes"), "for all");
    if (drops) chownSync(own, PLAIN.uid, PLAIN.gid);
    const script = `cat ${places.shown}/notes; cat ${home}/secret ${home}/clones/secret || echo not seen; ls ${home}; echo x >kept; cat kept`;
    const { stdout } = await contained(script, { ...places, root, own }, OFF, [home]);
    expect(stdout).toBe("for allnot seen\nclones\nx\n");
  });

  test("is nobody: it sees no other process, and changes no setting of the kernel's", async () => {
    const script = `
      id -u; ls /proc | grep -c '^[0-9]'
      grep -h CapEff /proc/self/status
      echo x > /proc/sys/kernel/core_pattern || echo refused`;
    const { stdout } = await contained(script, world());
    const [uid, processes, rights, refused] = stdout.split("\n");
    expect(uid).not.toBe("0");
    expect(Number(processes)).toBeLessThan(8);
    expect(rights).toMatch(/0000000000000000$/);
    expect(refused).toBe("refused");
  });

  test.each<{ network: NetworkAccess }>([
    { network: OFF },
    { network: { kind: "hosts", hosts: ["model.invalid"] } },
  ])(
    "inherits three descriptors, no open folder and no terminal, with the network $network.kind",
    async ({ network }) => {
      const places = world();
      writeFileSync(join(places.other, "secret"), "of another");
      // The fourth one is what the list itself reads.
      const script = `ls /proc/self/fd | tr '\\n' ' '; cat /proc/self/fd/200/secret 2>/dev/null; sh -c ': </dev/tty' 2>/dev/null || echo no terminal`;
      const { stdout } = await contained(script, places, network);
      expect(stdout).toBe("0 1 2 3 no terminal\n");
    },
  );

  test("connects to hosts that are allowed, and to no other", async () => {
    const server = createServer((_, answer) => answer.end("hello"));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as { port: number };
    const ask = `
      const get = (url) => fetch(url).then((r) => r.text(), (e) => "failed");
      const http = require("node:http");
      const proxied = (host) => new Promise((done) => {
        const { hostname, port } = new URL(process.env.HTTP_PROXY);
        http.get({ hostname, port, path: "http://" + host + "/" }, (r) => { let t = ""; r.on("data", (d) => { t += d; }); r.on("end", () => done(r.statusCode + " " + t.trim())); });
      });
      (async () => { console.log(await get("http://127.0.0.1:${port}/")); console.log(await proxied("127.0.0.1:${port}")); console.log(await proxied("127.0.0.1:${port + 1}")); })();`;
    const places = world();
    writeFileSync(join(places.own, "ask.cjs"), ask);
    const script = `${process.execPath} ask.cjs; exit 3`;
    const { code, stdout, stderr } = await contained(script, places, {
      kind: "hosts",
      hosts: [`127.0.0.1:${port}`],
    });
    server.close();
    expect(stderr).toBe("");
    expect(stdout.split("\n")).toMatchObject([
      "failed",
      "200 hello",
      expect.stringMatching(/^403 koryph's containment allows no connection/),
      "",
    ]);
    expect(code).toBe(3);
  });
});
