import { describe, expect } from "vitest";
import { runStarted } from "../../support/app/app-events.js";
import { REPOSITORY, scenariosInOneWorld } from "../../support/app/app-world.js";
import { bareGit, bareGitWith, LEDGER_REF } from "../../support/core/ledgers.js";

describe("what is refused", () => {
  const during = scenariosInOneWorld({}, (world) => world.record(runStarted()));

  during("gets a thumb down and one line, and within the hour only the thumb", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    const first = await world.as("rita").says(issue, "/koryph drain");
    const second = await world.as("rita").says(issue, "/koryph stop --run");
    const reply = world.reply(issue);
    expect(reply).toMatch(/`drain` takes the `maintain` role here, and yours is `read`.*not_permitted/);
    expect(reply).toContain("for an hour I answer more of these with 👎 alone");
    expect(world.reactions(issue, first)).toEqual(["eyes", "-1"]);
    expect(world.reactions(issue, second)).toEqual(["eyes", "-1"]);
    expect((await world.state()).requests).toEqual([]);
  });

  during("a role with a name of its own counts as what it at least allows", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    world.repository.collaborators.tina = { role: "triage", customName: "release captain" };
    await world.as("tina").says(issue, "/koryph retry gh-99");
    expect(world.reply(issue)).toContain("not_permitted");
  });

  during(
    "a ledger's ref that somebody pushed a blob to is named, and keeps nothing in hand",
    async (world) => {
      const issue = await world.as("maria").opens("Sell shoes");
      const { gitDir } = world.repository;
      const before = bareGit(gitDir, "rev-parse", LEDGER_REF).trim();
      const blob = bareGitWith("text", gitDir, "hash-object", "-w", "--stdin").trim();
      bareGit(gitDir, "update-ref", LEDGER_REF, blob);
      await world.as("maria").says(issue, "/koryph status");
      bareGit(gitDir, "update-ref", LEDGER_REF, before);
      await world.as("maria").says(issue, "/koryph status");
      const [refused, answered] = world.replies(issue);
      expect(refused).toMatch(new RegExp(`it holds a blob, ${blob.slice(0, 10)}.*ledger_refused`));
      expect(answered).toMatch(/^✅ /u);
    },
  );

  during("is answered with what may have been meant", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    const asked = await world.as("maria").says(issue, "/koryph statsu");
    expect(world.reply(issue)).toMatch(/statsu.*status/);
    expect(world.reactions(issue, asked)).toEqual(["eyes", "confused"]);
  });

  during("an unknown argument changes nothing", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    await world.as("maria").says(issue, "/koryph drain --now\n/koryph resize 2");
    expect(world.reply(issue)).toMatch(/😕.*--now/u);
    expect((await world.state()).requests).toEqual([]);
    expect((await world.state()).resize).toBeNull();
  });

  during("what stands in code, quotes, links and HTML is not a command", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    await world
      .as("maria")
      .says(
        issue,
        [
          "> /koryph drain",
          "",
          "```",
          "/koryph drain",
          "```",
          "",
          "<!--",
          "/koryph drain",
          "-->",
          "",
          "    /koryph drain",
          "",
          "- /koryph drain",
        ].join("\r\n"),
      );
    expect(world.replies(issue)).toEqual([]);
    expect((await world.state()).requests).toEqual([]);
  });

  during("an edit never starts anything", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    const comment = await world.as("maria").says(issue, "nothing to see");
    await world.as("maria").edits(comment, "/koryph drain");
    await world.settled();
    expect(world.replies(issue)).toEqual([]);
    expect((await world.state()).requests).toEqual([]);
  });

  during("are not listened to, not even ourselves", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    await world.sandbox.addUser("helper[bot]", "Bot");
    await world.sandbox.setRole(REPOSITORY, "helper[bot]", "admin");
    await world.as("helper[bot]").says(issue, "/koryph status");
    expect(world.replies(issue)).toEqual([]);
  });

  during("gets reactions and no words, and nothing is tried again for ever", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    world.sandbox.faults.add({
      operation: "issues/create-comment",
      times: 1,
      kind: { status: 403, message: "Unable to create comment because issue is locked." },
    });
    const asked = await world.as("maria").says(issue, "/koryph help");
    expect(world.replies(issue)).toEqual([]);
    expect(world.reactions(issue, asked)).toEqual(["eyes", "+1"]);
  });

  during(
    "is told so once and not heard any more, while others are",
    async (world) => {
      const issue = await world.as("maria").opens("Sell shoes");
      const asked: number[] = [];
      for (let count = 0; count < 23; count += 1)
        asked.push(await world.as("walter").writes(issue, "/koryph help"));
      await world.settled();
      const replies = world.replies(issue);
      expect(replies).toHaveLength(21);
      expect(replies.at(-1)).toMatch(
        /^❌ .*20 comments.*in 10 minutes.*too_often.*again after [-\d: ]+ UTC\.$/u,
      );
      expect(asked.map((id) => world.reactions(issue, id).length)).toEqual([...Array(20).fill(2), 0, 0, 0]);
      expect(world.log.filter((line) => line.includes("too_often"))).toHaveLength(1);
      await world.as("maria").says(issue, "/koryph status");
      expect(world.replies(issue)).toHaveLength(22);
    },
    { long: true },
  );

  during("when GitHub does not tell, nothing is done until it does", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    world.sandbox.faults.add({
      operation: "repos/get-collaborator-permission-level",
      times: 1,
      kind: { status: 502 },
    });
    await world.as("maria").writes(issue, "/koryph drain");
    await world.sandbox.settled();
    expect((await world.state()).requests).toEqual([]);
    const laterReplies = () => {
      world.clock.pass(10);
      return world.replies(issue);
    };
    await expect.poll(laterReplies).toHaveLength(1);
    await world.settled();
    expect((await world.state()).requests).toMatchObject([{ actor: "@maria", request: { verb: "drain" } }]);
  });
});

describe("what changes between the comment and its turn", () => {
  const later = scenariosInOneWorld({}, (world) => world.record(runStarted()));

  later("an edit before the command was carried out cancels it, and the reply says so", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    await world.stop();
    const comment = await world.as("maria").writes(issue, "/koryph drain");
    await world.as("maria").edits(comment, "/koryph stop --run --force");
    await world.sandbox.settled();
    await world.start();
    await expect.poll(() => world.replies(issue)).toHaveLength(1);
    await world.settled();
    expect(world.reply(issue)).toMatch(/edited before I got to it, so nothing was done.*comment_edited/);
    expect((await world.state()).requests).toEqual([]);
  });

  later(
    "a comment that was deleted meanwhile does nothing",
    async (world) => {
      const issue = await world.as("maria").opens("Sell shoes");
      await world.stop();
      const comment = await world.as("maria").writes(issue, "/koryph drain");
      await world.as("maria").deletes(comment);
      await world.sandbox.settled();
      await world.start();
      await expect.poll(() => world.replies(issue)).toHaveLength(1);
      await world.settled();
      expect(world.reply(issue)).toContain("comment_deleted");
      expect((await world.state()).requests).toEqual([]);
    },
    { long: true },
  );

  later("is asked about when the command is carried out, not when it was written", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    await world.stop();
    await world.as("maria").writes(issue, "/koryph drain");
    await world.sandbox.settled();
    await world.sandbox.setRole(REPOSITORY, "maria", "read");
    await world.start();
    await expect.poll(() => world.replies(issue)).toHaveLength(1);
    await world.settled();
    expect(world.reply(issue)).toContain("not_permitted");
    expect((await world.state()).requests).toEqual([]);
  });
});

describe("repositories", () => {
  const inRepository = scenariosInOneWorld({ project: null });

  inRepository("without a project file are told how to get one", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    await world.as("maria").says(issue, "/koryph status");
    expect(world.reply(issue)).toMatch(/no `koryph.project.json` on the default branch.*koryph init/);
  });

  inRepository("with a wrong project file are told what is wrong with it", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    const wrong = JSON.stringify({ schema_version: 1, project_id: "shop", work_source: "magic" });
    await world.sandbox.commit(REPOSITORY, "main", { "koryph.project.json": wrong });
    await world.as("maria").says(issue, "/koryph status");
    expect(world.reply(issue)).toMatch(/work_source is "magic", and must be/);
  });

  inRepository("whose project file is a folder are told so", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    const files = { "koryph.project.json": null, "koryph.project.json/x": "1" };
    await world.sandbox.commit(REPOSITORY, "main", files);
    await world.as("maria").says(issue, "/koryph status");
    expect(world.reply(issue)).toMatch(/cannot be used: .*folder.*bad_project/);
  });
});
