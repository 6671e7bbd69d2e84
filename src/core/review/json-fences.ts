import type { JsonPlace } from "./find-json-objects.js";

/**
 * The inside of each code fence that is marked `json`. One that is never closed goes on to the end; one that
 * stands inside another fence is part of that one's text.
 */
export function jsonFences(text: string): JsonPlace[] {
  const fences: JsonPlace[] = [];
  let open: { readonly mark: string; readonly start: number; readonly isJson: boolean } | null = null;
  for (const line of text.matchAll(/^[ \t]*(`{3,}|~{3,})([^\r\n]*)(?:\r?\n|$)/gm)) {
    const [all, mark = "", info = ""] = line;
    if (open === null) {
      open = { mark, start: line.index + all.length, isJson: /^\s*json\b/i.test(info) };
    } else if (mark.startsWith(open.mark) && info.trim() === "") {
      if (open.isJson) fences.push({ start: open.start, end: line.index });
      open = null;
    }
  }
  if (open?.isJson) fences.push({ start: open.start, end: text.length });
  return fences;
}

/** The last of the places that lies in a fence, or null. Both lists are in the order of the text. */
export function lastInFence(places: readonly JsonPlace[], fences: readonly JsonPlace[]): JsonPlace | null {
  let at = fences.length - 1;
  for (const place of places.toReversed()) {
    while (at >= 0 && (fences[at]?.start ?? 0) > place.start) at -= 1;
    const fence = fences[at];
    if (fence === undefined) return null;
    if (place.end <= fence.end) return place;
  }
  return null;
}
