import type { FlagKind } from "../work-flag.js";
import { badName } from "./bad-name.js";
import { leadsOutside } from "./leads-outside.js";
import type { RangeContent } from "./range-content.js";

/** What the project file says about sizes. */
export interface ContentLimits {
  readonly maxFileMb: number;
  readonly maxFiles: number;
}

interface ContentRule {
  /** What it leads to: a word for a person to look at, or no landing, unless `--allow-protected` lifts it. */
  readonly verdict: "flag" | "refuse" | "refuse-liftable";
  /** The paths that it is about, with what is wrong with each where that is to be said. */
  find(content: RangeContent, limits: ContentLimits): readonly string[];
}

const MB = 1_000_000;

/** The one that is reported first is the one to fix first. */
const CONTENT_RULES = {
  file_name: {
    verdict: "refuse",
    find: ({ added, colliding }) => [
      ...added.flatMap((path) => {
        const why = badName(path);
        return why === null ? [] : [`${JSON.stringify(path)} (${why})`];
      }),
      ...colliding.map(({ path, other }) => `${path} (differs from ${other} by letter case only)`),
    ],
  },
  link_outside: {
    verdict: "refuse",
    find: ({ links }) =>
      links.flatMap(({ path, target }) =>
        target === null || leadsOutside(path, target) ? [`${path} -> ${target ?? "…"}`] : [],
      ),
  },
  attribute_driver: {
    verdict: "refuse-liftable",
    find: ({ attributes }) => attributes.flatMap(({ path, drivers }) => (drivers ? [path] : [])),
  },
  file_too_large: {
    verdict: "refuse",
    find: ({ large }, { maxFileMb }) =>
      large.flatMap(({ path, bytes }) =>
        bytes > maxFileMb * MB ? [`${path} (${Math.ceil(bytes / MB)} MB)`] : [],
      ),
  },
  executable: { verdict: "flag", find: ({ executable }) => executable },
  attributes: { verdict: "flag", find: ({ attributes }) => attributes.map(({ path }) => path) },
  "bidi-text": { verdict: "flag", find: ({ bidi }) => bidi },
} as const satisfies { readonly [kind: string]: ContentRule };

type Kinds<V> = {
  [K in keyof typeof CONTENT_RULES]: (typeof CONTENT_RULES)[K]["verdict"] extends V ? K : never;
}[keyof typeof CONTENT_RULES];

export type RefusedContent = Kinds<"refuse" | "refuse-liftable">;

/** Why content cannot land; null when nothing speaks against it. */
export function refusedContent(
  content: RangeContent,
  limits: ContentLimits & { readonly allowProtected: boolean },
): { readonly kind: RefusedContent; readonly paths: readonly string[] } | null {
  for (const [kind, { verdict, find }] of Object.entries<ContentRule>(CONTENT_RULES)) {
    if (verdict === "flag" || (verdict === "refuse-liftable" && limits.allowProtected)) continue;
    const paths = find(content, limits);
    if (paths.length > 0) return { kind: kind as RefusedContent, paths };
  }
  return null;
}

/** What a person should look at. */
export function flaggedContent(
  content: RangeContent,
  limits: ContentLimits,
): { readonly kind: FlagKind; readonly paths: readonly string[] }[] {
  const many = content.files > limits.maxFiles;
  const flags = Object.entries<ContentRule>(CONTENT_RULES).filter(([, { verdict }]) => verdict === "flag");
  return [
    ...flags.map(([kind, { find }]) => ({ kind: kind as Kinds<"flag">, paths: find(content, limits) })),
    ...(many ? [{ kind: "many-files" as const, paths: [`${content.files} files`] }] : []),
  ].filter(({ paths }) => paths.length > 0);
}
