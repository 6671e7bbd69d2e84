import { answerGraphql } from "../graphql/graphql.js";
import type { JsonObject } from "../http/json.js";
import { HttpRefusal } from "../http/route.js";
import { nodeId } from "../render/user.js";
import { act } from "../world/act.js";
import { clickAction } from "../world/people.js";
import type { Issue, Repository } from "../world/state.js";
import type { World } from "../world/world.js";

interface Place {
  readonly world: World;
  readonly repository: Repository;
  /** Null on the repository's own page. */
  readonly issue: Issue | null;
}

/** Carries out a form of a repository's or a thread's page. Returns where to go, when it is not back to the same page. */
export async function changeRepository(
  { world, repository, issue }: Place,
  form: URLSearchParams,
): Promise<string | null> {
  const field = (name: string) => form.get(name) ?? "";
  const fullName = `${repository.owner}/${repository.name}`;
  const api = `/repos/${fullName}`;
  const body = field("body").replaceAll("\r\n", "\n");
  const ask = (method: string, path: string, sent: JsonObject = {}) =>
    act(world, field("as"), { method, path: `${api}${path}`, sent });
  if (field("do") === "issue") {
    const made = await ask("POST", "/issues", { title: field("title"), body });
    return `/_/${fullName}/${(made as { number: number }).number}`;
  }
  if (issue === null) throw new HttpRefusal(400, "That is not a button of this page.");
  const thread = `/issues/${issue.number}`;
  const comment = `/issues/comments/${encodeURIComponent(field("id"))}`;
  switch (field("do")) {
    case "comment": {
      const said = await ask("POST", `${thread}/comments`, { body });
      return `/_/${fullName}/${issue.number}#issuecomment-${(said as { id: number }).id}`;
    }
    case "edit":
      await ask("PATCH", comment, { body });
      return null;
    case "delete":
      await ask("DELETE", comment);
      return null;
    case "react":
      await ask("POST", `${comment}/reactions`, { content: field("content") });
      return null;
    case "close":
      await ask("PATCH", thread, { state: "closed" });
      return null;
    case "reopen":
      await ask("PATCH", thread, { state: "open" });
      return null;
    case "label":
      await ask("POST", `${thread}/labels`, { labels: [field("label")] });
      return null;
    case "unlabel":
      await ask("DELETE", `${thread}/labels/${encodeURIComponent(field("label"))}`);
      return null;
    case "review":
      await ask("POST", `/pulls/${issue.number}/reviews`, { event: field("event"), body });
      return null;
    case "resolve":
    case "unresolve":
      await settle(world, field("as"), { verb: field("do"), thread: Number(field("id")) });
      return null;
    case "press":
      clickAction(world, fullName, Number(field("id")), field("as"), field("identifier"));
      return null;
    default:
      throw new HttpRefusal(400, "That is not a button of this page.");
  }
}

/** Only GraphQL settles a conversation. */
async function settle(
  world: World,
  login: string,
  { verb, thread }: { readonly verb: string; readonly thread: number },
): Promise<void> {
  const query = `mutation ($id: ID!) { ${verb}ReviewThread(input: { threadId: $id }) { thread { id } } }`;
  const variables = { id: nodeId("PullRequestReviewThread", thread) };
  const { errors } = await answerGraphql(world, { kind: "user", login, app: null }, { query, variables });
  const [first] = (errors ?? []) as { message: string }[];
  if (first !== undefined) throw new HttpRefusal(403, first.message);
}
