import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { UserError } from "../../../src/lib/user-error.js";
import { AppWorld } from "../../support/app/app-world.js";
import { tempFolder } from "../../support/temp-folder.js";

describe("an App that GitHub does not know", () => {
  const otherKey = generateKeyPairSync("rsa", { modulusLength: 2048 })
    .privateKey.export({ type: "pkcs1", format: "pem" })
    .toString();
  const inFile = (key: string) => {
    const file = join(tempFolder(), "key.pem");
    writeFileSync(file, key);
    return file;
  };

  test.each([
    {
      name: "by its id",
      env: () => ({ APP_ID: "987654" }),
      says: /does not know App 987654/,
      hint: /^APP_ID .*settings page/,
    },
    {
      name: "by its key",
      env: () => ({ PRIVATE_KEY: otherKey }),
      says: /does not take the key.*App \d+/,
      hint: /\bPRIVATE_KEY\b.*settings page/,
    },
    {
      name: "by the key in a file",
      env: () => ({ PRIVATE_KEY: "", PRIVATE_KEY_PATH: inFile(otherKey) }),
      says: /does not take the key.*App \d+/,
      hint: /\bPRIVATE_KEY_PATH\b.*settings page/,
    },
  ])("$name is told so before it listens", async ({ env, says, hint }) => {
    const world = await AppWorld.open();
    try {
      const error = await world.start(env()).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UserError);
      expect((error as UserError).message).toMatch(says);
      expect((error as UserError).hint).toMatch(hint);
      await world.start();
    } finally {
      await world.close();
    }
  });

  test.each([
    { name: "is in trouble", kind: { status: 502 } },
    { name: "does not answer", kind: { cut: true } },
    { name: "wants fewer requests", kind: { status: 429, secondary: true, retryAfterSeconds: 1 } },
  ] as const)("may be known when GitHub $name: deliveries are taken", async ({ kind }) => {
    const world = await AppWorld.open();
    try {
      world.sandbox.faults.add({ operation: "apps/get-authenticated", times: 1, kind });
      await world.start();
      expect(world.log.filter((line) => line.includes("whether it knows App"))).toHaveLength(1);
      const issue = await world.as("maria").opens("Sell shoes");
      await world.as("maria").says(issue, "/koryph help");
      expect(world.replies(issue)).toHaveLength(1);
    } finally {
      await world.close();
    }
  });
});
