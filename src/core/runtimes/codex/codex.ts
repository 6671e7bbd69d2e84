import type { RuntimeDescriptor } from "../runtime-descriptor.js";
import { codexAccount, codexAccountFiles } from "./codex-account.js";
import { CODEX_CREDENTIALS, codexArguments, codexSchemaFile } from "./codex-command.js";
import { readCodexRollout } from "./codex-rollout.js";
import { CodexStream } from "./codex-stream.js";
import { nativeCodexPaths } from "./native-codex-paths.js";

/** Codex without its screen. */
export const codex: RuntimeDescriptor = {
  name: "codex",
  package: "@openai/codex",
  program: "codex",
  programsBehind: nativeCodexPaths,
  version: { oldest: "0.166.0", answerSeconds: 30 },
  // It answers an interrupt within a second and ends its tools; on SIGTERM it leaves them behind.
  stopSignals: ["SIGINT", "SIGTERM", "SIGKILL"],
  credentials: { anyOf: CODEX_CREDENTIALS },
  account: {
    ...{ title: "Codex", pool: "codex", keyVariable: "CODEX_API_KEY", keyForm: /^sk-(?!ant-|or-)/ },
    tokens: [],
    profile: {
      variable: "CODEX_HOME",
      folder: ".codex",
      login: "codex login",
      files: codexAccountFiles,
      read: codexAccount,
    },
  },
  network: { hosts: () => ["api.openai.com", "chatgpt.com", "auth.openai.com"], addresses: [] },
  passedOn: [],
  models: { aliases: [], example: "gpt-5.5", recovery: "gpt-5.6-sol" },
  records: {
    inHome: ".codex/sessions",
    folders: (env, home) => [`${env.CODEX_HOME || `${home}/.codex`}/sessions`],
    file: /^rollout-.*\.jsonl$/,
    read: readCodexRollout,
    ccusage: false,
  },
  protectedPaths: [".codex/"],
  notes: [],
  // With its clock at UTC the time at which a used-up plan opens again, which it tells in words, can be read.
  variables: () => ({ TZ: "UTC" }),
  launch: (spec, { program, inherited }) => {
    const key = CODEX_CREDENTIALS.map((name) => inherited[name]).find((value) => value !== undefined);
    const launch = {
      argv: [...program, ...codexArguments(spec, inherited.TZ)],
      variables: key === undefined ? {} : { CODEX_API_KEY: key },
    };
    if (spec.outputSchema === undefined) return launch;
    return { ...launch, files: { [codexSchemaFile(spec.home)]: JSON.stringify(spec.outputSchema) } };
  },
  parser: ({ model, costBaselineUsd, tokenBaseline = null, outputSchema }, { prices }) =>
    new CodexStream({
      ...{ model, prices, costBaselineUsd, tokenBaseline },
      structured: outputSchema !== undefined,
    }),
};
