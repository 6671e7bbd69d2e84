import { afterAll } from "vitest";
import { endFile } from "./file-end.js";

// Run for every file of tests, also where they share a process.
afterAll(endFile);
