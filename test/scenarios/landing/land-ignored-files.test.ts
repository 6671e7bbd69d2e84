import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { expectLanded, landLab, mainTip, refusals } from "../../support/landing/land-lab.js";
import { longTest } from "../../support/long.js";

// A refused landing is tried twice more, after waits that are not for tests to shorten.
vi.setConfig({ testTimeout: 240_000 });

const SECRET = Buffer.from([0xff, 0x00, ...Buffer.from("token=only-here\r\n\n")]);

/** By bead: what the operator has in its way, and what it adds. */
const IN_THE_WAY = {
  file: { at: "secrets", adds: "secrets/readme.md" },
  link: { at: "vault", adds: "vault/readme.md" },
  deep: { at: "deploy/vault", adds: "deploy/vault/team/readme.md" },
} as const;

longTest(
  "ignored files and links of the operator refuse what would land in their place, and stay",
  async () => {
    const lab = landLab({
      agents: Object.fromEntries(
        Object.entries(IN_THE_WAY).map(([bead, { adds }]) => [bead, `put ${adds} hello`]),
      ),
      files: { ".gitignore": ".koryph/\nsecrets\nvault\n" },
      remote: false,
    });
    const path = (bead: keyof typeof IN_THE_WAY) => join(lab.root, IN_THE_WAY[bead].at);
    const elsewhere = join(lab.top, "elsewhere");
    for (const folder of [elsewhere, join(lab.root, "deploy")]) mkdirSync(folder);
    for (const file of [path("file"), join(elsewhere, "token")]) writeFileSync(file, SECRET);
    for (const link of [path("link"), path("deep")]) symlinkSync(elsewhere, link);
    const start = mainTip(lab);
    const asBefore = () => {
      expect(readFileSync(path("file")).equals(SECRET)).toBe(true);
      expect([readlinkSync(path("link")), readlinkSync(path("deep"))]).toEqual([elsewhere, elsewhere]);
      expect(readdirSync(elsewhere)).toEqual(["token"]);
      expect(readFileSync(join(elsewhere, "token")).equals(SECRET)).toBe(true);
      expect(mainTip(lab)).toBe(start);
    };

    const { stdout } = await lab.koryph("run", "--auto-merge");

    asBefore();
    const log = await lab.log();
    for (const [bead, { at }] of Object.entries(IN_THE_WAY)) {
      const sentence = `the checkout has a file ${at} that git does not track and that would be lost; move it aside\n`;
      expect(stdout).toContain(`${bead}  not landed, error: ${sentence}`);
      expect([...new Set(refusals(log, bead))]).toEqual(["error: push_refused"]);
      expect((await lab.koryph("land", bead)).stderr).toContain(sentence.trimEnd());
    }
    asBefore();

    // What the sentence asks for is all that was missing.
    for (const [bead, { at, adds }] of Object.entries(IN_THE_WAY)) {
      rmSync(join(lab.root, at));
      expect(await lab.koryph("land", bead)).toMatchObject({ code: 0 });
      expectLanded(lab, await lab.log(), bead);
      expect(readFileSync(join(lab.root, adds), "utf8")).toBe("hello\n");
    }
  },
);
