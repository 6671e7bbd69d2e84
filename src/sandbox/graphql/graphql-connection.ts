import { graphqlError } from "./graphql-view.js";

const MOST = 100;

export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

/** A page of a list, as GraphQL has them. `key` tells items apart, and stays when others come and go. */
export function connection<T>(
  items: readonly T[],
  args: PageArguments,
  { key, render }: { readonly key: (item: T) => number | string; readonly render: (item: T) => unknown },
) {
  const cursors = items.map((item) => cursorOf(key(item)));
  const from = args.after == null ? 0 : placeOf(cursors, args.after) + 1;
  const to = args.before == null ? items.length : placeOf(cursors, args.before);
  const [start, end] = narrowed(args, [from, Math.max(from, to)]);
  const nodes = items.slice(start, end).map(render);
  return {
    totalCount: items.length,
    nodes,
    edges: nodes.map((node, index) => ({ node, cursor: cursors[start + index] })),
    pageInfo: {
      hasNextPage: end < items.length,
      hasPreviousPage: start > 0,
      startCursor: end > start ? cursors[start] : null,
      endCursor: end > start ? cursors[end - 1] : null,
    },
  };
}

function narrowed({ first, last }: PageArguments, [from, to]: readonly [number, number]): [number, number] {
  const wanted = first ?? last;
  if (wanted == null) {
    throw graphqlError(
      "MISSING_PAGINATION_BOUNDARIES",
      "You must provide a `first` or `last` value to properly paginate the connection.",
    );
  }
  if (wanted > MOST || wanted < 0) {
    throw graphqlError(
      "EXCESSIVE_PAGINATION",
      `Requesting ${wanted} records on the connection exceeds the \`first\` limit of ${MOST} records.`,
    );
  }
  return first == null ? [Math.max(from, to - wanted), to] : [from, Math.min(to, from + wanted)];
}

function cursorOf(key: number | string): string {
  return Buffer.from(`cursor:v2:${key}`).toString("base64");
}

function placeOf(cursors: readonly string[], cursor: string): number {
  const place = cursors.indexOf(cursor);
  if (place === -1) {
    throw graphqlError("INVALID_CURSOR_ARGUMENTS", `\`${cursor}\` does not appear to be a valid cursor.`);
  }
  return place;
}
