import { describe, expect, test } from "vitest";
import { agentEnvironment, homeFolders, slotMarkers } from "../../../src/core/runtimes/agent-environment.js";

const home = "/srv/slot/home";
const facts = { parent: {}, home, agentFolder: "/srv/slot/agent" };
const built = (parent: Record<string, string>, more: object = {}) =>
  agentEnvironment({ ...facts, parent, ...more });

describe("what the parent holds", () => {
  test.each([
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "GITHUB_TOKEN",
    "GH_TOKEN",
    "GH_ENTERPRISE_TOKEN",
    "NPM_TOKEN",
    "NODE_AUTH_TOKEN",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_PROFILE",
    "AWS_CA_BUNDLE",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "AZURE_CLIENT_SECRET",
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "ACTIONS_RUNTIME_TOKEN",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
    "DATABASE_URL",
    "KORYPH_HOME",
    "KORYPH_SLOT",
    "GNUPGHOME",
    "GPG_AGENT_INFO",
    "DBUS_SESSION_BUS_ADDRESS",
    "XDG_RUNTIME_DIR",
    "DOCKER_HOST",
    "KUBECONFIG",
    "GIT_DIR",
    "GIT_ASKPASS",
    "GIT_AUTHOR_NAME",
    "SSH_ASKPASS",
    "LC_SECRET_TOKEN",
    "LD_PRELOAD",
    "NODE_OPTIONS",
    "BASH_ENV",
    "ENV",
    "PYTHONSTARTUP",
    "IS_SANDBOX",
    "USER",
    "PASSWORD",
  ])("%s stays outside", (name) => {
    const env = built({ [name]: "leak-me" });
    expect(env[name]).toBeUndefined();
    expect(Object.values(env)).not.toContain("leak-me");
  });

  test.each([
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TERM",
    "SSL_CERT_FILE",
    "NODE_EXTRA_CA_CERTS",
    "RUNNER_TRACKING_ID",
  ])("%s is passed on", (name) => expect(built({ [name]: "value" })[name]).toBe("value"));

  test("a runtime gets the names it asks for, and no other runtime does", () => {
    const parent = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "o" };
    expect(built(parent, { passOn: ["ANTHROPIC_API_KEY"] })).toMatchObject({ ANTHROPIC_API_KEY: "k" });
    expect(built(parent, { passOn: ["ANTHROPIC_API_KEY"] }).OPENAI_API_KEY).toBeUndefined();
    expect(built(parent).ANTHROPIC_API_KEY).toBeUndefined();
  });

  test("a proxy is passed on unless it carries a password", () => {
    const env = built({ HTTPS_PROXY: "http://proxy:3128", http_proxy: "http://me:secret@proxy:3128" });
    expect(env.HTTPS_PROXY).toBe("http://proxy:3128");
    expect(env.http_proxy).toBeUndefined();
  });

  test.each([
    ["/usr/bin:.:/bin::bin", "/usr/bin:/bin"],
    ["", "/usr/local/bin:/usr/bin:/bin"],
  ])("PATH %j becomes %j", (given, expected) => expect(built({ PATH: given }).PATH).toBe(expected));
});

describe("what is set", () => {
  const polluted = {
    HOME: "/root",
    TMPDIR: "/var/tmp",
    XDG_CONFIG_HOME: "/root/.config",
    GIT_CONFIG_GLOBAL: "/root/.gitconfig",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: "/tmp/evil",
    GIT_CONFIG_KEY_99: "x.y",
    GIT_SSH_COMMAND: "ssh -i /root/key",
  };

  test("home, temp and XDG folders are the agent's own", () => {
    const env = built(polluted);
    for (const name of [
      "HOME",
      "TMPDIR",
      "XDG_CONFIG_HOME",
      "XDG_CACHE_HOME",
      "XDG_DATA_HOME",
      "XDG_STATE_HOME",
    ]) {
      expect(env[name]).toMatch(/^\/srv\/slot\/home/);
      expect(homeFolders(home)).toContain(env[name]);
    }
    expect(JSON.stringify(env)).not.toContain("/root");
  });

  test("git pushes nowhere, asks nobody, has no helper and no key", () => {
    const env = built(polluted);
    const settings = Array.from({ length: Number(env.GIT_CONFIG_COUNT) }, (_, index) => [
      env[`GIT_CONFIG_KEY_${index}`],
      env[`GIT_CONFIG_VALUE_${index}`],
    ]);
    expect(settings).toContainEqual(["remote.origin.pushurl", "no-push://blocked"]);
    expect(settings).toContainEqual(["credential.helper", ""]);
    expect(settings).toContainEqual(["user.email", "agent@koryph.invalid"]);
    expect(settings.flat()).not.toContain(undefined);
    expect(env.GIT_CONFIG_KEY_99).toBeUndefined();
    expect(env).toMatchObject({
      GIT_TERMINAL_PROMPT: "0",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: `${home}/.gitconfig`,
      GIT_SSH_COMMAND: "false",
    });
  });

  test("what a runtime adds cannot replace what keeps the agent in", () => {
    const additions = { HOME: "/root", GIT_SSH_COMMAND: "ssh", CLAUDE_CONFIG_DIR: "/srv/c" };
    expect(built({}, { additions })).toMatchObject({
      HOME: home,
      GIT_SSH_COMMAND: "false",
      CLAUDE_CONFIG_DIR: "/srv/c",
    });
  });

  test("the agent's folder and the slot are named", () => {
    expect({ ...built({}), ...slotMarkers("run-1/gh-12", "gh-12") }).toMatchObject({
      KORYPH_AGENT_DIR: "/srv/slot/agent",
      KORYPH_SLOT: "run-1/gh-12",
      KORYPH_BEAD: "gh-12",
    });
  });
});
