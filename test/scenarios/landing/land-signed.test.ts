import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { git } from "../../support/cli/project.js";
import type { EngineLab } from "../../support/engine/engine-lab.js";
import { sshKey } from "../../support/git/ssh-keys.js";
import {
  agentHead,
  expectLanded,
  expectQuiet,
  land,
  landLab,
  mainTip,
  pushAside,
  told,
} from "../../support/landing/land-lab.js";
import { LONG, longTest } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

/** Variations of stories that the short form tells once, or that rules tell more cheaply. */
/** For agents that commit as a person would: `person <key> <name>`, signed with that key or, with `-`, not at all. */
const person = (keys: string) => `person() {
  export GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@example.invalid
  printf '%s\\n' "$2" >"$KORYPH_BEAD-$2" && git add --all || exit 9
  set -- "$@" "feat: $KORYPH_BEAD $2"
  if [ "$1" = - ]; then git commit --quiet -m "$3" || exit 9; else
    git -c gpg.format=ssh -c user.signingKey="${keys}/$1" commit --quiet -S -m "$3" || exit 9
  fi
  unset GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
}
# Other words under the signature of the last commit.
tamper() {
  forged=$(git cat-file commit HEAD | sed "s/^feat: .*/feat: $KORYPH_BEAD forged/" | git hash-object -t commit -w --stdin) || exit 9
  git reset --quiet --soft "$forged"
}
`;

/** What may be wrong with a commit: how it is made, and what git and koryph say of it. */
const FAULTS = {
  unsigned: { make: "person -", after: "", letter: "N", says: "not signed" },
  wrong: { make: "person stranger", after: "", letter: "U", says: "does not name" },
  expired: { make: "person former", after: "", letter: "U", says: "not for the time of the commit" },
  tampered: { make: "person ann", after: "tamper", letter: "B", says: "the commit is not what was signed" },
} as const;
type Fault = keyof typeof FAULTS;

const PLACES = ["first", "middle", "last"] as const;
const EVERY = (Object.keys(FAULTS) as Fault[]).flatMap((fault) => PLACES.map((place) => ({ fault, place })));
/** Every fault and every place, not each with each. */
const SAMPLE = ["unsigned first", "wrong middle", "expired last", "tampered middle"];
const CASES = EVERY.filter(({ fault, place }) => LONG || SAMPLE.includes(`${fault} ${place}`));

/** Three commits, all signed by Ann but for the one at `place`. */
function faulty(keys: string, fault: Fault, place: string): string {
  const { make, after } = FAULTS[fault];
  const lines = PLACES.map((name) => (name === place ? `${make} ${name}\n${after}` : `person ann ${name}`));
  return `${person(keys)}${lines.join("\n")}\ngit rev-list --reverse origin/main..HEAD >"$lab/starts/$KORYPH_BEAD.line"\n`;
}

/** The letter, signer and author that git shows for commits of the default branch, by the list that branch has. */
function shown(lab: EngineLab, range: string): string[] {
  const signers = join(lab.top, "signers");
  writeFileSync(signers, git(lab.remote, "show", "main:.allowed_signers"));
  const format = "--format=%G? %GS %an <%ae> %s";
  return git(lab.remote, "-c", `gpg.ssh.allowedSignersFile=${signers}`, "log", "--reverse", format, range)
    .trimEnd()
    .split("\n");
}

test("agents' commits land with koryph's signature, people's with their own, and no others do", async () => {
  const keys = tempFolder();
  const [engine, ann, former, stranger] = ["engine", "ann", "former", "stranger"].map(
    (name) => sshKey(join(keys, name)).publicKey,
  );
  const allowed = [
    `koryph@lab namespaces="git" ${engine}`,
    `ann@example.invalid namespaces="git" ${ann}`,
    `former@example.invalid namespaces="git",valid-before="20200101Z" ${former}`,
  ];
  const line = (name: string) => `stranger@example.invalid namespaces="git" ${name}`;
  const lab = landLab({
    files: { ".allowed_signers": `${allowed.join("\n")}\n` },
    config: () => ({ signing: { required: true, provider: "file", key_ref: join(keys, "engine") } }),
    agents: {
      bob: "export GIT_AUTHOR_NAME=Bob GIT_AUTHOR_EMAIL=bob@example.invalid\ncommit one\ncommit two",
      mixed: `${person(keys)}person ann one\ncommit two`,
      signers: `${person(keys)}printf '%s\\n' '${line(stranger ?? "")}' >>.allowed_signers\nperson stranger one`,
      ...Object.fromEntries(
        CASES.map(({ fault, place }) => [`${fault}-${place}`, faulty(keys, fault, place)]),
      ),
    },
  });
  const run = await lab.koryph("run");
  expect(run, run.stdout).toMatchObject({ code: 4, stderr: "" });
  const start = mainTip(lab);

  expect(await land(lab, "bob", "--method", "squash")).toMatchObject({
    code: 1,
    said: { bead: "bob", result: "error", reason_code: "squash_signed" },
    stderr: expect.stringContaining("squash would replace signed commits"),
  });
  for (const { fault, place } of CASES) {
    const bead = `${fault}-${place}`;
    const commits = readFileSync(join(lab.top, "starts", `${bead}.line`), "utf8").split("\n");
    const sha = commits[PLACES.indexOf(place)] ?? "";
    const { letter, says } = FAULTS[fault];
    const { code, said } = await land(lab, bead);
    expect({ bead, code, result: said.result }).toEqual({ bead, code: 1, result: "unsigned" });
    expect(said.commits, bead).toEqual([expect.objectContaining({ sha, letter })]);
    expect(said.detail, bead).toContain(`${sha.slice(0, 12)}: `);
    expect(said.detail, bead).toContain(says);
  }
  // A branch does not say who may sign it, and nobody can let it.
  expect(await land(lab, "signers", "--allow-protected")).toMatchObject({
    code: 1,
    said: { result: "protected", paths: [".allowed_signers"] },
  });
  expect(mainTip(lab)).toBe(start);

  // Signed once, when the work was accepted: what landed is that very commit.
  expect(await land(lab, "bob")).toMatchObject({ code: 0, said: { result: "merged" } });
  expect(shown(lab, `${start}..main`)).toEqual([
    "G koryph@lab Bob <bob@example.invalid> feat: bob one",
    "G koryph@lab Bob <bob@example.invalid> feat: bob two",
  ]);
  const middle = mainTip(lab);
  expect(await land(lab, "mixed")).toMatchObject({ code: 0, said: { result: "merged" } });
  // The default branch had moved, so these are commits of koryph's, whoever had signed them.
  expect(shown(lab, `${middle}..main`).map((text) => text.split(" ").slice(0, 2).join(" "))).toEqual([
    "G koryph@lab",
    "G koryph@lab",
  ]);
  // The list of the default branch counts as it is when the commit lands.
  const text = git(lab.remote, "show", "main:.allowed_signers");
  pushAside(lab, ".allowed_signers", `${text}${line(stranger ?? "")}`);
  expect(await land(lab, "wrong-middle")).toMatchObject({ code: 0, said: { result: "merged" } });

  const log = await lab.log();
  expect(expectLanded(lab, log, "bob")).toBe(told(log, "bob", "slot.accepted")[0]?.head);
  expect(told(log, "bob", "slot.accepted")[0]?.from).toBe(agentHead(lab, "bob"));
  for (const bead of ["mixed", "wrong-middle"]) expectLanded(lab, log, bead);
  await expectQuiet(lab);
});

longTest(
  "a person who signs on top of an agent's commit is told the way out; another machine can end a signed landing",
  async () => {
    const keys = tempFolder();
    const [engine, ann] = ["engine", "ann"].map((name) => sshKey(join(keys, name)).publicKey);
    const signers = [`koryph@lab namespaces="git" ${engine}`, `ann@example.invalid namespaces="git" ${ann}`];
    const lab = landLab({
      files: { ".allowed_signers": `${signers.join("\n")}\n` },
      config: (top) => ({
        gate: [`[ ! -e ${top}/on-gate ] || sh ${top}/on-gate`],
        signing: { required: true, provider: "file", key_ref: join(keys, "engine") },
      }),
      agents: { both: "commit one", shared: "commit one" },
    });
    const run = await lab.koryph("run");
    expect(run, run.stdout).toMatchObject({ code: 4, stderr: "" });
    const clone = join(lab.projectHome, "clones", "both");
    const asAnn = ["-c", "gpg.format=ssh", "-c", `user.signingKey=${join(keys, "ann")}`];
    writeFileSync(join(clone, "more"), "more\n");
    git(clone, "add", "more");
    git(clone, ...asAnn, "commit", "--quiet", "-S", "-m", "fix: more of it");
    const { code, stderr } = await lab.koryph("land", "both");
    expect(code).toBe(1);
    expect(stderr).toContain(`not signed; koryph signs nothing that lies under`);
    expect(stderr).toContain("by git rebase --force-rebase -S, and land it as");
    git(lab.root, ...asAnn, "-C", clone, "rebase", "--quiet", "--force-rebase", "-S", "origin/HEAD");
    expect(await land(lab, "both")).toMatchObject({ code: 0, said: { result: "merged" } });
    expect(shown(lab, "main~2..main").map((text) => text.split(" ", 2).join(" "))).toEqual([
      "G ann@example.invalid",
      "G ann@example.invalid",
    ]);

    const other = lab.beside("other");
    writeFileSync(join(lab.top, "on-gate"), `: >${lab.top}/starts/gate.mark\nsleep 300\n`);
    const first = lab.start("land", "shared");
    await lab.marked("gate");
    first.child.kill("SIGKILL");
    writeFileSync(join(lab.top, "on-gate"), "true\n");
    expect(await land(other, "shared")).toMatchObject({ code: 0, said: { result: "merged" } });
    expect(shown(lab, "main").at(-1)).toMatch(/^G koryph@lab .* feat: shared one$/);
  },
);
