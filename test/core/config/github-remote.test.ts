import { expect, test } from "vitest";
import { readGithubRemote } from "../../../src/core/config/github-remote.js";

const own = { GITHUB_SERVER_URL: "https://git.corp:8443/", GITHUB_API_URL: "" };
const sandbox = { GITHUB_SERVER_URL: "http://127.0.0.1:4000", GITHUB_API_URL: "http://127.0.0.1:4000/api" };

test.each<{ url: string; given?: object; found: string }>([
  { url: "https://github.com/team/shop.git", found: "team/shop github.com https://api.github.com" },
  { url: "https://x-token:abc@GitHub.com/team/shop", found: "team/shop github.com https://api.github.com" },
  { url: "git@github.com:team/shop.git", found: "team/shop github.com https://api.github.com" },
  { url: "github.com:/team/my.shop/", found: "team/my.shop github.com https://api.github.com" },
  { url: "ssh://git@ssh.github.com:443/team/shop.git", found: "team/shop github.com https://api.github.com" },
  { url: "https://acme.ghe.com/team/shop", found: "team/shop acme.ghe.com https://api.acme.ghe.com" },
  {
    url: "https://git.corp:8443/team/shop.git",
    given: own,
    found: "team/shop git.corp:8443 https://git.corp:8443/api/v3",
  },
  {
    url: "http://127.0.0.1:4000/team/shop.git",
    given: sandbox,
    found: "team/shop 127.0.0.1:4000 http://127.0.0.1:4000/api",
  },
  {
    url: "https://github.com/team/shop",
    given: sandbox,
    found: "team/shop github.com https://api.github.com",
  },
  { url: "https://git.corp:8443/team/shop", found: "not_github git.corp:8443" },
  { url: "https://github.com.evil.example/team/shop", found: "not_github github.com.evil.example" },
  { url: "https://gitlab.com/group/team/shop.git", found: "not_github gitlab.com" },
  { url: "https://github.com/shop", found: "not_github github.com" },
  { url: "git@github-work:team/shop.git", found: "not_github github-work" },
  { url: "/srv/git/shop.git", found: "not_github " },
  { url: "../a:b/shop.git", found: "not_github " },
  { url: "file:///srv/git/team/shop.git", found: "not_github " },
])("$url is $found", ({ url, given = {}, found }) => {
  const read = readGithubRemote({ pushUrl: url, isCheckout: false }, given);
  const said = read.kind === "github" ? `${read.repository} ${read.host} ${read.apiUrl}` : "";
  expect(read.kind === "not_github" ? `${read.kind} ${read.host}` : said).toBe(found);
});

test("a repository without a remote has no pull requests", () => {
  const read = readGithubRemote({ pushUrl: "/home/ann/shop", isCheckout: true }, sandbox);
  expect(read).toEqual({ kind: "no_remote" });
});
