import { expect } from "vitest";
import { type PeopleLab, peopleTest } from "../../support/app/sandbox-people.js";

const push = (lab: PeopleLab, branch: string, files: Record<string, string>) =>
  lab.sandbox.commit(lab.repo, branch, files);
const pull = (lab: PeopleLab) => lab.get("you", "/pulls/1");
const land = (lab: PeopleLab, sha: string) => lab.ask("you", "PATCH", "/git/refs/heads/main", { sha });

peopleTest("a pushed head can show late, and is told when it does", async (lab) => {
  await lab.openPull();
  const { head } = await pull(lab);
  lab.sandbox.switches.holdHeads = true;
  const after = await push(lab, "agent/x", { "more.md": "more\n" });
  expect((await pull(lab)).head.sha).toBe(head.sha);
  expect((await lab.get("you", "/git/ref/heads/agent/x")).object.sha).toBe(after);
  expect(await lab.heard()).toEqual([]);
  await lab.sandbox.showHeads();
  expect(await pull(lab)).toMatchObject({ state: "open", head: { sha: after } });
  expect(await lab.heard()).toEqual(["pull_request.synchronize"]);
  await land(lab, after);
  expect(await pull(lab)).toMatchObject({ merged: true });
});

peopleTest("a base that moves before the head shows leaves the pull open", async (lab) => {
  await lab.openPull();
  const { base } = await pull(lab);
  lab.sandbox.switches.holdHeads = true;
  const after = await lab.sandbox.commit(lab.repo, "agent/x", { "n.md": "n\n" }, { parent: base.sha });
  await land(lab, after);
  await lab.sandbox.showHeads();
  expect(await pull(lab)).toMatchObject({ state: "open", merged: false, head: { sha: after } });
});

peopleTest("a merge can stay unmarked for a while", async (lab) => {
  await lab.openPull();
  const { head } = await pull(lab);
  lab.sandbox.switches.holdMerges = true;
  await land(lab, head.sha);
  expect(await pull(lab)).toMatchObject({ state: "open", merged: false });
  await lab.sandbox.markMerges();
  expect(await pull(lab)).toMatchObject({ state: "closed", merged: true, merge_commit_sha: head.sha });
});

peopleTest("one kind of webhook can be lost, and the others come", async (lab) => {
  await lab.openPull();
  lab.sandbox.faults.add({ webhooks: "lost", event: "pull_request.closed", times: 1 });
  await push(lab, "agent/x", { "more.md": "more\n" });
  await lab.ask("you", "PUT", "/pulls/1/merge", {});
  await lab.ask("you", "POST", "/issues/1/comments", { body: "Merged." });
  expect(await lab.heard()).toEqual(["pull_request.synchronize", "issue_comment.created"]);
});

peopleTest("a merge can be made and answered with 502; asking again tells", async (lab) => {
  await lab.openPull();
  lab.sandbox.faults.add({ operation: "pulls/merge", times: 1, kind: { applyThen: 502 } });
  expect((await lab.ask("you", "PUT", "/pulls/1/merge", {})).status).toBe(502);
  expect((await lab.ask("you", "GET", "/pulls/1/merge")).status).toBe(204);
});
