import { z } from "zod";

/** More than anybody has; a list that goes on for longer goes round in circles. */
const MOST_PAGES = 500;
const PER_PAGE = 100;

/** A type, not an interface: Octokit's parameters take only what can have further keys. */
type PageAsked = { readonly per_page: number; readonly page: number };

/** All entries of a list that GitHub hands out by pages, each read for the fields we use. */
export async function* readPages<T extends z.ZodType>(
  entry: T,
  ask: (page: PageAsked) => Promise<{ data: unknown }>,
): AsyncGenerator<z.infer<T>, void, undefined> {
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { data } = await ask({ per_page: PER_PAGE, page });
    const entries = z.array(entry).parse(data);
    yield* entries;
    if (entries.length < PER_PAGE) return;
  }
  throw new Error(`a list of GitHub's has more than ${MOST_PAGES} pages`);
}
