import type { NetworkWish } from "./containment.js";

export type NetworkAccess =
  | { readonly kind: "off" }
  | { readonly kind: "on" }
  /** By a proxy that connects to these and to nothing else. */
  | { readonly kind: "hosts"; readonly hosts: readonly string[] };

/** One label of a name, or an address; nothing that could be anything else in a header. */
const HOST = /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i;
/** What is meant by a host without a port. */
const WEB_PORTS: ReadonlySet<number> = new Set([443, 80]);

/** A name, `*.` with a name for all below it, or either with a port. */
export function isHostPattern(text: string): boolean {
  return HOST.test(text);
}

/** `provider` are the hosts that the processes cannot do without; hosts of the project's own come beside them. */
export function networkAccess(wish: NetworkWish, provider: readonly string[]): NetworkAccess {
  if (wish === "off" || wish === "on") return { kind: wish };
  const hosts = wish === "provider" ? provider : [...provider, ...wish];
  return hosts.length === 0 ? { kind: "off" } : { kind: "hosts", hosts: [...new Set(hosts)] };
}

/** Whether a connection to this host and port is one of those that are allowed. Names count as they are written. */
export function isHostAllowed(hosts: readonly string[], host: string, port: number): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  return hosts.some((pattern) => {
    const [, wanted = "", at] = /^(.*?)(?::(\d+))?$/.exec(pattern.toLowerCase()) ?? [];
    if (at === undefined ? !WEB_PORTS.has(port) : Number(at) !== port) return false;
    return wanted.startsWith("*.") ? name.endsWith(wanted.slice(1)) : name === wanted;
  });
}

/** The host of an address in a variable, with its port where it is no usual one; null for what is no address. */
export function hostOfAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { host, hostname, port, protocol } = new URL(address);
  if (protocol !== "http:" && protocol !== "https:") return null;
  return isHostPattern(host) ? (port === "" ? hostname : host) : null;
}
