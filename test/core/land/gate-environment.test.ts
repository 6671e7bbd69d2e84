import { describe, expect, test } from "vitest";
import { gateEnvironment } from "../../../src/core/land/gate-environment.js";

const home = "/srv/gate/1/home";
const built = (parent: Record<string, string>) => gateEnvironment({ parent, home, marker: "gate/gh-1/x" });

describe("from the engine's environment", () => {
  test.each([
    "SSH_AUTH_SOCK",
    "GITHUB_TOKEN",
    "GH_TOKEN",
    "NPM_TOKEN",
    "NODE_AUTH_TOKEN",
    "CARGO_REGISTRY_TOKEN",
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "ACTIONS_RUNTIME_TOKEN",
    "DATABASE_URL",
    "KORYPH_HOME",
    "KORYPH_AGENT_DIR",
    "DIRENV_DIFF",
    "NODE_OPTIONS",
    "LD_PRELOAD",
    "BASH_ENV",
    "GIT_DIR",
    "GIT_ASKPASS",
    "XDG_RUNTIME_DIR",
    "DOCKER_HOST",
  ])("%s stays outside", (name) => {
    const env = built({ [name]: "/leak/me" });
    expect(env[name]).toBeUndefined();
    expect(Object.values(env)).not.toContain("/leak/me");
  });

  test.each([
    ["LANG", "C.UTF-8"],
    ["NODE_EXTRA_CA_CERTS", "/etc/ca.pem"],
    ["HTTPS_PROXY", "http://proxy:3128"],
    ["JAVA_HOME", "/opt/jdk"],
    ["RUSTUP_HOME", "/opt/rustup"],
    ["GOPROXY", "https://proxy.example,direct"],
    ["npm_config_registry", "https://npm.example/"],
    ["GOCACHE", `${home}/go`],
  ])("%s is passed on", (name, value) => expect(built({ [name]: value })[name]).toBe(value));

  test.each([
    ["a proxy with a password", "HTTPS_PROXY", "http://me:secret@proxy:3128"],
    ["a registry with a password", "PIP_INDEX_URL", "https://me:secret@pypi.example/simple"],
    ["a registry with a token", "npm_config_registry", "https://npm.example/?token=abcdef0123456789"],
    ["a cache that others use", "CARGO_HOME", "/root/.cargo"],
    ["a cache in a folder of a like name", "GOPATH", `${home}-2/go`],
    ["a cache that leads out of the home", "npm_config_cache", `${home}/../../npm`],
  ])("%s stays outside", (_, name, value) => expect(built({ [name]: value })[name]).toBeUndefined());
});

test("home, temp folder and git are private, as an agent's are, and the command knows that nobody watches", () => {
  const env = built({ HOME: "/root", CI: "false", KORYPH_SLOT: "run/gh-2/1", PATH: "/usr/bin:." });
  expect(env).toMatchObject({
    HOME: home,
    TMPDIR: `${home}/tmp`,
    PATH: "/usr/bin",
    CI: "true",
    KORYPH_SLOT: "gate/gh-1/x",
    GIT_CONFIG_GLOBAL: `${home}/.gitconfig`,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_SSH_COMMAND: "false",
    GIT_TERMINAL_PROMPT: "0",
  });
  expect(Object.values(env)).toContain("no-push://blocked");
  expect(JSON.stringify(env)).not.toContain("/root");
});
