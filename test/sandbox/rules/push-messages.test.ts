import { expect, test } from "vitest";
import { rulesTest } from "../../support/app/sandbox-rules.js";
import { longTest } from "../../support/long.js";

test("git shows what GitHub's would: the rules, their page, and the reason beside the ref", () =>
  rulesTest(async (lab) => {
    lab.sandbox.addRuleset(lab.repo, { rules: [{ type: "pull_request" }, { type: "required_signatures" }] });
    const before = await lab.main();
    const said = await lab.gitPush(lab.sandbox.tokenFor("you"), { "b.txt": "b\n" });
    expect(said).toContain("remote: error: GH013: Repository rule violations found for refs/heads/main.");
    expect(said).toContain(`/${lab.repo}/rules?ref=refs%2Fheads%2Fmain`);
    expect(said).toContain("remote: - Changes must be made through a pull request.");
    expect(said).toContain("remote: - Commits must have verified signatures.");
    expect(said).toContain(
      "! [remote rejected] HEAD -> main (push declined due to repository rule violations)",
    );
    expect(await lab.main()).toBe(before);
  }));

longTest("who is let past is told what was passed over, except who is exempt", () =>
  rulesTest(async (lab) => {
    const you = { type: "User", id: lab.idOf("you") } as const;
    const rules = [{ type: "pull_request" }];
    const id = lab.sandbox.addRuleset(lab.repo, { rules, bypass: [{ ...you, mode: "always" }] });
    const token = lab.sandbox.tokenFor("you");
    expect(await lab.gitPush(token, { "b.txt": "b\n" })).toMatch(
      /remote: Bypassed rule violations for refs\/heads\/main:[\s\S]*through a pull request/,
    );
    lab.ruleset(id).bypass = [{ ...you, mode: "exempt" }];
    expect(await lab.gitPush(token, { "c.txt": "c\n" })).not.toMatch(/Bypassed/);
  }),
);

test("a branch protected the old way says so, and lets admins past unless they are included", () =>
  rulesTest(async (lab) => {
    const checks = { strict: true, required: [{ context: "ci", app: null }] };
    lab.sandbox.protectBranch(lab.repo, "main", { checks });
    const said = await lab.gitPush(lab.sandbox.tokenFor("alice"), { "b.txt": "b\n" });
    expect(said).toContain("remote: error: GH006: Protected branch update failed for refs/heads/main.");
    expect(said).toContain('Required status check "ci" is expected.');
    expect(said).toContain("(protected branch hook declined)");
    expect(await lab.gitPush(lab.sandbox.tokenFor("you"), { "b.txt": "b\n" })).toMatch(/Bypassed/);
    lab.sandbox.protectBranch(lab.repo, "release/*", { enforceAdmins: true });
    await lab.sandbox.commit(lab.repo, "release/1", { "r.txt": "r\n" });
    expect(await lab.push("you", "0".repeat(40), "refs/heads/release/1")).toMatch(/Cannot delete/);
  }));

test("of several refs the refused one has the reason, and none moves", () =>
  rulesTest(async (lab) => {
    lab.sandbox.addRuleset(lab.repo, { rules: [{ type: "pull_request" }] });
    const before = await lab.main();
    const said = await lab.gitPush(lab.sandbox.tokenFor("you"), { "b.txt": "b\n" }, [
      "--atomic",
      "origin",
      "HEAD:main",
      "HEAD:refs/koryph/ledger",
    ]);
    expect(said).toMatch(/HEAD -> main \(push declined due to repository rule violations\)/);
    expect(said).toMatch(/\[remote rejected\] HEAD -> refs\/koryph\/ledger/);
    expect([await lab.main(), await lab.refs()]).toEqual([before, ["refs/heads/main"]]);
  }));
