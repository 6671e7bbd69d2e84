import { describe, expect, test } from "vitest";
import type { AccountPin } from "../../../src/core/govern/account-pin.js";
import { agentCommand } from "../../../src/core/runtimes/agent-command.js";
import type { LaunchSpec } from "../../../src/core/runtimes/launch-spec.js";
import { RUNTIMES } from "../../../src/core/runtimes/runtimes.js";

const spec: LaunchSpec = {
  role: "worker",
  cwd: "/run/work",
  agentFolder: "/run/agent",
  home: "/run/home",
  model: "openai/gpt-5.5",
  session: { mode: "new", id: "11111111-1111-4111-8111-111111111111" },
  costBaselineUsd: 0,
};

const credentials = [...new Set(RUNTIMES.flatMap((runtime) => runtime.credentials.anyOf))];
const folders = RUNTIMES.flatMap(({ account }) => account.profile?.variable ?? []);

/** An operator's environment that holds every credential and names a folder of its own for each runtime. */
const parent = {
  PATH: "/bin",
  ...Object.fromEntries(credentials.map((name) => [name, `<secret of ${name}>`])),
  ...Object.fromEntries(folders.map((name) => [name, `/home/ann/${name}`])),
  XDG_DATA_HOME: "/home/ann/.local/share",
};

describe.each(RUNTIMES)("$name", (runtime) => {
  const { account, credentials: own } = runtime;
  const start = (pin: AccountPin) => agentCommand(runtime, spec, { program: ["/bin/it"], parent, pin });
  const secretsIn = (value: unknown) =>
    credentials.filter((name) => JSON.stringify(value).includes(`<secret of ${name}>`));

  const forModel = own.forModel?.(spec.model) ?? own.anyOf;
  test.each(forModel)(
    "gets %s alone where that is pinned, and a home where nobody is signed in",
    (variable) => {
      const expected = { mode: "api-key", fingerprint: "ab12" } as const;
      const { argv, env, files = {} } = start({ profile: null, variable, expect: expected });
      expect(secretsIn(env)).toEqual([variable]);
      expect(secretsIn([argv, files])).toEqual([]);
      expect(Object.values(env).filter((value) => value.startsWith("/home/ann"))).toEqual([]);
    },
  );

  test.runIf(account.profile)("gets no key where a profile is pinned, and no other profile", () => {
    const expected = { mode: "login", email: "ann@example.org" } as const;
    const { argv, env, files } = start({ profile: "/srv/team", variable: null, expect: expected });
    expect(secretsIn([argv, env, files])).toEqual([]);
    expect(env[account.profile?.variable ?? ""]).toBe("/srv/team");
    expect(Object.entries(env).filter(([, value]) => value === "/srv/team")).toHaveLength(1);
    expect(Object.values(env).filter((value) => value.startsWith("/home/ann"))).toEqual([]);
    expect(JSON.stringify(env)).not.toContain("ann@example.org");
  });
});
