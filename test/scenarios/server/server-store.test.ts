import { copyFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { KoryphHome } from "../../../src/adapters/home/koryph-home.js";
import { AppMemory } from "../../../src/adapters/store/app-memory.js";
import { openStore } from "../../../src/adapters/store/open-store.js";
import { storeCheck } from "../../../src/app/http/store-check.js";
import { serverWorld } from "../../support/app/app-server.js";
import { tempFolder } from "../../support/temp-folder.js";

describe("/readyz says of a store", () => {
  test.each<{ name: string; meanwhile: (file: string) => Promise<unknown>; status: number }>([
    { name: "that it is well when it can be written", meanwhile: async () => {}, status: 200 },
    {
      name: "that it is not when its folder was removed",
      meanwhile: (file) => rm(dirname(file), { recursive: true }),
      status: 503,
    },
    {
      name: "that it is not when a copy was put in its place",
      meanwhile: async (file) => {
        await copyFile(file, `${file}.copy`);
        await rename(`${file}.copy`, file);
      },
      status: 503,
    },
    {
      name: "that it is well when there are other files beside it",
      meanwhile: (file) => writeFile(`${file}.copy`, ""),
      status: 200,
    },
  ])("$name", async ({ meanwhile, status }) => {
    const file = new KoryphHome(tempFolder()).appStore;
    const store = await openStore(file);
    onTestFinished(() => store.close());
    const memory = new AppMemory(store);
    const check = await storeCheck(file, () => memory.noteSweep("health", 1));
    const { server } = await serverWorld({ checks: { store: check } });
    await meanwhile(file);
    const response = await fetch(`${server.url}/readyz`);
    expect({ status: response.status, said: await response.json() }).toEqual({
      status,
      said: {
        status: status === 200 ? "ready" : "broken",
        parts: { store: status === 200 ? "ok" : "failed" },
      },
    });
  });
});
