import { describe, expect, test } from "vitest";
import { receiveStored } from "../../../src/app/lanes/handle-job.js";
import { Hopeless, TryLater } from "../../../src/ports/try-later.js";
import { nockWorld, useNock } from "../../support/app/github-nock.js";
import { newJob } from "../../support/app/store.js";

useNock();

const CREATED = JSON.stringify({ action: "created", installation: { id: 7 }, comment: { body: "words" } });

describe("a stored delivery", () => {
  test.each([
    { name: "a wait", thrown: new TryLater("later", 5) },
    { name: "a hopeless job", thrown: new Hopeless("never") },
    { name: "a failure", thrown: new TypeError("broken") },
  ])("$name reaches the lane as it was thrown, and Probot writes nothing about it", async ({ thrown }) => {
    const { app, logged } = nockWorld();
    app.probot.on("issue_comment.created", () => Promise.reject(thrown));
    const error = await receiveStored(app.probot, newJob("1", { payload: CREATED })).catch((e) => e);
    expect(error).toBe(thrown);
    expect(error).not.toHaveProperty("event");
    expect(logged).toEqual([]);
  });

  test("whose event nothing reacts to is given up loudly", async () => {
    const { app } = nockWorld();
    const job = newJob("1", { name: "star", payload: CREATED });
    await expect(receiveStored(app.probot, job)).rejects.toThrow(Hopeless);
  });

  test("that tells of another action than the one reacted to is done", async () => {
    const { app } = nockWorld();
    app.probot.on("issue_comment.created", () => Promise.reject(new Error("not this one")));
    const edited = CREATED.replace("created", "edited");
    await receiveStored(app.probot, newJob("1", { payload: edited }));
  });
});
