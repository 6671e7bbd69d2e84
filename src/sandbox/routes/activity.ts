import { isAncestor } from "../git/world-git.js";
import type { JsonObject } from "../http/json.js";
import { type Answer, type Call, type Route, repositoryOf } from "../http/route.js";
import { repositoryUrl } from "../render/repository.js";
import { nodeId, renderUser } from "../render/user.js";
import { NOTHING } from "../world/rules/move.js";
import type { Activity, Repository } from "../world/state.js";

const DAY_MS = 24 * 60 * 60 * 1000;
const PERIODS: Readonly<Record<string, number>> = {
  ...{ day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS, quarter: 91 * DAY_MS, year: 365 * DAY_MS },
};

/** What moved branches, as GitHub itself received it: nobody can write into it, or choose its times. */
export const activityRoutes: readonly Route[] = [
  {
    operation: "repos/list-activities",
    method: "GET",
    path: "/repos/{owner}/{repo}/activity",
    needs: { contents: "read" },
    answer: listActivities,
  },
];

interface Typed extends Activity {
  readonly type: string;
}

async function listActivities(call: Call): Promise<Answer> {
  const { world, query } = call;
  const repository = repositoryOf(call);
  const all: Typed[] = [];
  for (const entry of repository.activity)
    if (entry.ref.startsWith("refs/heads/") && fits(call, entry))
      all.push({ ...entry, type: await typeOf(repository, entry) });
  const found = all.filter(({ type }) => (query.get("activity_type") ?? type) === type);
  if (query.get("direction") !== "asc") found.reverse();
  const { page, links } = cut(call, found);
  const body = page.map(
    (entry): JsonObject => ({
      id: entry.id,
      node_id: nodeId("Push", entry.id),
      before: entry.before,
      after: entry.after,
      ref: entry.ref,
      timestamp: entry.at,
      activity_type: entry.type,
      actor: renderUser(world, entry.actor),
    }),
  );
  const base = `${repositoryUrl(world, repository)}/activity`;
  const link = links.map(({ rel, cursor }) => {
    const search = new URLSearchParams(query);
    for (const name of ["before", "after"]) search.delete(name);
    search.set(rel === "next" ? "after" : "before", cursor);
    return `<${base}?${search}>; rel="${rel}"`;
  });
  return { status: 200, body, ...(link.length === 0 ? {} : { headers: { link: link.join(", ") } }) };
}

function fits({ world, query }: Call, { ref, actor, at }: Activity): boolean {
  const wanted = query.get("ref");
  const period = PERIODS[query.get("time_period") ?? ""];
  return (
    (wanted === null || ref === wanted || ref === `refs/heads/${wanted}`) &&
    (query.get("actor") ?? actor).toLowerCase() === actor.toLowerCase() &&
    (period === undefined || Date.parse(at) >= world.now() - period)
  );
}

async function typeOf(repository: Repository, { kind, before, after }: Activity): Promise<string> {
  if (kind !== undefined) return kind;
  if (before === NOTHING) return "branch_creation";
  if (after === NOTHING) return "branch_deletion";
  return (await isAncestor(repository, [before, after])) ? "push" : "force_push";
}

/** Pages go by cursor: what comes in meanwhile moves nothing. */
function cut({ query }: Call, found: readonly Typed[]) {
  const size = Math.min(Math.max(Number(query.get("per_page") ?? 30) || 30, 1), 100);
  const place = (name: string) => found.findIndex(({ id }) => cursorOf(id) === query.get(name));
  const end = query.has("before") ? place("before") : found.length;
  const start = query.has("after") ? place("after") + 1 : query.has("before") ? Math.max(0, end - size) : 0;
  const page = found.slice(start, Math.min(end, start + size));
  const [first] = page;
  const last = page.at(-1);
  return {
    page,
    links: [
      ...(last !== undefined && start + page.length < found.length
        ? [{ rel: "next", cursor: cursorOf(last.id) }]
        : []),
      ...(first !== undefined && start > 0 ? [{ rel: "prev", cursor: cursorOf(first.id) }] : []),
    ],
  };
}

function cursorOf(id: number): string {
  return Buffer.from(`activity:${id}`).toString("base64url");
}
