import { lstat, readlink, realpath, stat } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import type { MachineView } from "../../core/contain/sandbox-view.js";

/** Programs and libraries of the system. On most machines all but the first are links into it. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];

/** By name, for others in the same folder hold passwords and keys. */
const ETC = [
  ...["passwd", "group", "hosts", "nsswitch.conf", "resolv.conf", "protocols", "services", "mime.types"],
  // Beside the certificates lie the machine's own keys.
  ...["ssl/certs", "ssl/openssl.cnf", "ssl/cert.pem", "pki/tls/certs", "pki/ca-trust", "pki/ca-trust-legacy"],
  ...["ca-certificates", "ca-certificates.conf", "crypto-policies", "alternatives"],
  ...["ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone", "os-release", "debian_version"],
];

/** What lies beside `bin` where a toolchain is installed by itself. */
const BESIDE_BIN = ["lib", "lib64", "libexec", "include"];

/** Variables that name a file or folder with certificates. */
const CERTIFICATES = [
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"],
  ...["GIT_SSL_CAINFO", "PIP_CERT", "CARGO_HTTP_CAINFO", "NIX_SSL_CERT_FILE"],
];

/**
 * What of this machine the processes with this environment need: the system, and what their PATH leads to. A PATH does
 * not show `closed` folders, nor what holds one, nor what lies beside a `bin` in one.
 */
export async function machineView(
  env: Readonly<Record<string, string>>,
  closed: readonly string[] = [],
): Promise<MachineView> {
  const links: [string, string][] = [];
  const readable: string[] = [];
  for (const path of SYSTEM) {
    const found = await lstat(path).catch(() => null);
    if (found?.isSymbolicLink()) links.push([path, await readlink(path)]);
    else if (found !== null) readable.push(path);
  }
  const isSystem = (path: string) =>
    [...SYSTEM].some((folder) => path === folder || path.startsWith(`${folder}/`));
  const own = [...searchedFolders(env.PATH, closed), ...CERTIFICATES.flatMap((name) => env[name] ?? [])];
  const wanted = [...ETC.map((name) => join("/etc", name)), ...own.filter((path) => !isSystem(path))];
  return { links, readable: [...readable, ...(await existing(wanted))] };
}

/** Those that are there, with what they are links to, and with the packages around them. */
export async function withPrograms(paths: readonly string[]): Promise<string[]> {
  const there = await existing(paths);
  const behind = await Promise.all(
    there.map(async (path) => {
      const real = await realpath(path).catch(() => path);
      return [path, real, /^(.*\/node_modules)\//.exec(real)?.[1] ?? real];
    }),
  );
  return [...new Set(behind.flat())];
}

/** Those that are there, by their own names and by those of the folders that they lead to. */
export async function withTargets(paths: readonly string[]): Promise<string[]> {
  const there = await existing(paths);
  const real = await Promise.all(there.map((path) => realpath(path).catch(() => path)));
  return [...new Set([...there, ...real])];
}

async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) =>
      path.startsWith("/") && (await stat(path).catch(() => null)) !== null ? [path] : [],
    ),
  );
  return [...new Set(found.flat())];
}

function searchedFolders(path: string | undefined, closed: readonly string[]): string[] {
  const holds = (folder: string) =>
    closed.some((each) => each === folder || each.startsWith(`${folder.replace(/\/+$/, "")}/`));
  const found = (path ?? "").split(":").flatMap((entry) => {
    if (!entry.startsWith("/")) return [];
    const folder = normalize(entry).replace(/(?<=.)\/$/, "");
    if (folder.endsWith("/node_modules/.bin")) return [dirname(folder)];
    const own = dirname(folder);
    // In a home `lib` and the like are a person's, not a toolchain's.
    if (!folder.endsWith("/bin") || closed.includes(own)) return [folder];
    return [folder, ...BESIDE_BIN.map((name) => join(own, name))];
  });
  return found.filter((folder) => !holds(folder));
}
