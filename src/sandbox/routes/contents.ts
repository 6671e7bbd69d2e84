import type { JsonObject } from "../http/json.js";
import { type Answer, type Call, HttpRefusal, type Route, repositoryOf } from "../http/route.js";
import { fullName, repositoryUrl } from "../render/repository.js";

interface Entry {
  readonly kind: string;
  readonly sha: string;
  readonly size: number;
  readonly path: string;
}

export const contentRoutes: readonly Route[] = [
  {
    operation: "repos/get-content",
    method: "GET",
    path: "/repos/{owner}/{repo}/contents/{path}",
    needs: { contents: "read" },
    answer: content,
  },
];

/** A file, or a folder's list, as it is at `ref`; a file's bytes alone when they are asked for as raw. */
async function content(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const path = (call.params.path ?? "").replace(/^\/+|\/+$/g, "");
  const ref = call.query.get("ref") ?? repository.defaultBranch;
  const commit = await call.world.resolve(repository, ref);
  if (commit === null) throw new HttpRefusal(404, `No commit found for the ref ${ref}`);
  const found = path === "" ? null : await readEntry(call, commit, path);
  if (found === null || found.kind === "tree") {
    const inside = await listTree(call, commit, found === null ? [] : [`${path}/`]);
    return { status: 200, body: inside.map((entry) => describe(call, entry, ref)) };
  }
  const { bytes } = found;
  if (/application\/vnd\.github(\.v3)?\.raw/.test(call.headers.accept ?? ""))
    return {
      status: 200,
      raw: bytes,
      headers: { "content-type": "application/vnd.github.raw+json; charset=utf-8" },
    };
  const text = (bytes.toString("base64").match(/.{1,60}/g) ?? []).map((line) => `${line}\n`).join("");
  return { status: 200, body: { ...describe(call, found, ref), encoding: "base64", content: text } };
}

/** What stands at a path, with its bytes. */
async function readEntry(call: Call, commit: string, path: string): Promise<Entry & { bytes: Buffer }> {
  const asked = path.includes("\n") ? "" : `${commit}:${path}`;
  const answer = await call.world.gitBytes(repositoryOf(call), ["cat-file", "--batch"], `${asked}\n`);
  const head = answer.indexOf("\n");
  const [sha = "", kind = "", size = ""] = answer.subarray(0, head).toString().split(" ");
  // Of a submodule there is the name of a commit, and nothing more.
  if (kind !== "blob" && kind !== "tree") throw new HttpRefusal(404, "Not Found");
  return { kind, sha, size: Number(size), path, bytes: answer.subarray(head + 1, -1) };
}

async function listTree(call: Call, commit: string, paths: readonly string[]): Promise<Entry[]> {
  const args = ["ls-tree", "-z", "--long", "--full-tree", commit, "--", ...paths];
  const list = await call.world.git(repositoryOf(call), args);
  return list
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [facts = "", path = ""] = line.split(/\t(.*)/s);
      const [, kind = "", sha = "", size = ""] = facts.split(/ +/);
      return { kind, sha, size: Number(size) || 0, path };
    });
}

function describe(call: Call, entry: Entry, ref: string): JsonObject {
  const repository = repositoryOf(call);
  const api = repositoryUrl(call.world, repository);
  const encoded = entry.path.split("/").map(encodeURIComponent).join("/");
  const isFolder = entry.kind === "tree";
  const url = `${api}/contents/${encoded}?ref=${encodeURIComponent(ref)}`;
  const gitUrl = `${api}/git/${isFolder ? "trees" : "blobs"}/${entry.sha}`;
  const shown = `${call.world.url}/${fullName(repository)}`;
  const htmlUrl = `${shown}/${isFolder ? "tree" : "blob"}/${encodeURIComponent(ref)}/${encoded}`;
  return {
    type: isFolder ? "dir" : "file",
    size: entry.size,
    name: entry.path.split("/").at(-1) ?? "",
    path: entry.path,
    sha: entry.sha,
    url,
    git_url: gitUrl,
    html_url: htmlUrl,
    download_url: isFolder ? null : `${shown}/raw/${encodeURIComponent(ref)}/${encoded}`,
    _links: { self: url, git: gitUrl, html: htmlUrl },
  };
}
