import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { PlantedSecret } from "./planted-secrets.js";

/** Where operators keep them: below HOME, or below koryph's own home. */
const IN_HOME: readonly string[] = [
  ".ssh/id_ed25519",
  ".netrc",
  ".git-credentials",
  ".npmrc",
  ".pypirc",
  ".aws/credentials",
  ".azure/accessTokens.json",
  ".config/gh/hosts.yml",
  ".config/gcloud/application_default_credentials.json",
  ".docker/config.json",
  ".kube/config",
  ".claude/.credentials.json",
  ".codex/auth.json",
  ".vault-token",
  ".gnupg/private-keys.asc",
  "project/.env",
];
const IN_KORYPH_HOME: readonly string[] = ["app/private-key.pem", "app/app.json", "signing/key"];

export interface PlantedWorld {
  /** The files that hold them. */
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Spreads secrets over the files where people keep such things, and over the environment. */
export function plantIn(
  places: { readonly user: string; readonly home: string },
  secrets: readonly PlantedSecret[],
): PlantedWorld {
  const files = [
    ...IN_HOME.map((path) => join(places.user, path)),
    ...IN_KORYPH_HOME.map((path) => join(places.home, path)),
  ];
  const texts = new Map(files.map((file) => [file, ""]));
  const env: Record<string, string> = { PLANTED_WORLD: "1" };
  for (const [index, { text, hasShape }] of secrets.entries()) {
    const file = files[index % files.length] ?? "";
    texts.set(file, `${texts.get(file)}${text}\n`);
    if (hasShape && !text.includes("\n")) env[`PLANTED_${index}_API_KEY`] = text;
  }
  for (const [file, text] of texts) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
  }
  return { files, env };
}

/** Everything below a folder that `isSearched` lets through, as text by place; the objects of repositories are unpacked. */
export function textsBelow(top: string, isSearched: (path: string) => boolean): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (folder: string) => {
    if (existsSync(join(folder, "HEAD")) && existsSync(join(folder, "objects"))) {
      found.set(`objects of ${relative(top, folder)}`, objectsOf(folder));
    }
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (!isSearched(relative(top, path)) || name === "objects") continue;
      const kind = lstatSync(path);
      if (kind.isDirectory()) walk(path);
      else if (kind.isFile()) found.set(relative(top, path), readFileSync(path, "utf8"));
    }
  };
  if (existsSync(top)) walk(top);
  return found;
}

/** Commits, names and contents that some ref of a repository leads to. */
export function objectsOf(repository: string, ...refs: readonly string[]): string {
  const run = (args: readonly string[], input = "") =>
    execFileSync("git", ["-c", "safe.directory=*", ...args], {
      cwd: repository,
      input,
      env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
      maxBuffer: 512 * 1024 * 1024,
    }).toString("utf8");
  const shown = run(["for-each-ref"]);
  const listed = run(["rev-list", "--objects", ...(refs.length > 0 ? refs : ["--all"])]);
  const names = listed.split("\n").map((line) => line.split(" ")[0]);
  return `${shown}\n${listed}\n${run(["cat-file", "--batch"], names.join("\n"))}`;
}

/** Which secrets are seen where. */
export function leaksIn(texts: ReadonlyMap<string, string>, secrets: readonly PlantedSecret[]): string[] {
  return [...texts].flatMap(([place, text]) =>
    secrets.flatMap(({ name, value }) => (text.includes(value.slice(-16)) ? [`${name} in ${place}`] : [])),
  );
}
