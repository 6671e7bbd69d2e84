import type { RuntimeDescriptor } from "../runtime-descriptor.js";
import {
  OPENCODE_CREDENTIALS,
  opencodeArguments,
  opencodeHosts,
  opencodeKeys,
  opencodeVariables,
  switchedOff,
} from "./opencode-command.js";
import { OpencodeStream } from "./opencode-stream.js";

/** opencode with one message, whatever model its provider has. */
export const opencode: RuntimeDescriptor = {
  name: "opencode",
  package: "opencode-ai",
  program: "opencode",
  version: { oldest: "1.18.33", answerSeconds: 60 },
  // An interrupt does no more than SIGTERM does: either ends it at once and leaves its tools to be swept.
  stopSignals: ["SIGTERM", "SIGKILL"],
  credentials: { anyOf: OPENCODE_CREDENTIALS, forModel: opencodeKeys },
  account: {
    ...{ title: "opencode", pool: "opencode", tokens: [] },
    // Entries of the file are {"type": "api", "key"} or {"type": "oauth", "refresh", "access", "expires"}, by provider.
    noProfile:
      "its auth.json has the keys of all providers, log-ins in it are tokens that change and name nobody, and its folder holds sessions and programs that no agent is given",
  },
  network: { hosts: (model) => opencodeHosts(model), addresses: [] },
  passedOn: [],
  models: {
    aliases: [],
    form: { pattern: /^[^/]+\/./, words: "provider/model" },
    example: "openai/gpt-5.5",
  },
  protectedPaths: [".opencode/", "opencode.json", "opencode.jsonc"],
  notes: [],
  variables: () => switchedOff(["AUTOUPDATE", "MODELS_FETCH"]),
  launch: (spec, { program }) => ({
    argv: opencodeArguments(program, spec),
    variables: opencodeVariables(spec),
  }),
  parser: ({ model, outputSchema }, { prices }) =>
    new OpencodeStream({ model, prices, structured: outputSchema !== undefined }),
};
