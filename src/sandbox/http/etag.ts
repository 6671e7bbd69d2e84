import { createHash } from "node:crypto";

/** GitHub's ETags are weak, and change with the body. */
export function etagOf(body: string | Uint8Array): string {
  return `W/"${createHash("sha256").update(body).digest("hex")}"`;
}

/** Whether a client has this already. */
export function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const strong = etag.replace(/^W\//, "");
  return (ifNoneMatch ?? "").split(",").some((each) => each.trim().replace(/^W\//, "") === strong);
}
