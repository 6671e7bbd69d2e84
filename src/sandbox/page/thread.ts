import { createHash } from "node:crypto";
import { type Html, html, type Part } from "../../lib/markup/html.js";
import type { Comment, Issue, Repository, Review, ReviewComment, StoredReaction } from "../world/state.js";
import { labels, pathOf, stateMark } from "./home.js";
import { button, hidden, layout, peopleSelect, time, type Viewing } from "./layout.js";
import { LIVE_TAG } from "./live.js";
import { renderMarkdown } from "./markdown.js";
import { pullParts } from "./pull.js";

const FACES: Readonly<Record<StoredReaction["content"], string>> = {
  "+1": "👍",
  "-1": "👎",
  laugh: "😄",
  confused: "😕",
  heart: "❤️",
  hooray: "🎉",
  rocket: "🚀",
  eyes: "👀",
};

/** An issue or a pull request, with everything that was said on it in the order it was said. */
export async function threadPage(viewing: Viewing, repository: Repository, issue: Issue): Promise<Html> {
  return layout(
    viewing,
    `${issue.title} #${issue.number}`,
    html`<p><a href="${pathOf(repository)}">${repository.owner}/${repository.name}</a></p>
<h1>${issue.title} <span class="faint">#${issue.number}</span></h1>
<p class="row">${stateMark(issue)} ${labels(issue)}</p>
${issue.pull !== null && (await pullParts(viewing, repository, { ...issue, pull: issue.pull }))}
${box(html`<strong>${issue.author}</strong> ${time(issue.createdAt)}`, issue.body, reactions(issue.reactions))}
${saidOn(viewing, repository, issue)}
${commentForm(viewing, issue)}${landingHint(viewing, repository, issue)}${issue.pull !== null && reviewForm(viewing)}${labelForm(viewing, issue)}
${LIVE_TAG}`,
  );
}

/** What was said, by itself: the page asks for it again and again, to show a reply when it comes. */
export function saidOn(viewing: Viewing, repository: Repository, issue: Issue): Html {
  const said = [
    ...issue.comments.map((comment) => ({
      at: comment.createdAt,
      shown: commentBox(viewing, repository, comment),
    })),
    ...repository.reviews
      .filter((review) => review.pull === issue.number && review.state !== "PENDING")
      .map((review) => ({ at: review.submittedAt ?? "", shown: reviewBox(viewing, repository, review) })),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const shown = html`${said.map((each) => each.shown)}${
    isAsked(issue) &&
    html`<p class="nothing">koryph has not answered yet. Its <a href="/_/deliveries">webhooks</a> show whether it was reached.</p>`
  }`;
  const version = createHash("sha256").update(shown.text).digest("hex");
  return html`<div id="said" aria-live="polite" data-from="${viewing.here}/said" data-version="${version}">${shown}</div>`;
}

/** Whether the last word is a command of a person's. */
function isAsked({ comments }: Issue): boolean {
  const last = comments.at(-1);
  return last !== undefined && last.viaApp === null && /^\/koryph\b/m.test(last.body);
}

function box(top: Part, body: string, foot: Part = null): Html {
  return html`<div class="box"><div class="top row">${top}</div>
<div class="text">${body.trim() === "" ? html`<p class="nothing">No text.</p>` : renderMarkdown(body)}</div>
${foot !== null && html`<div class="foot row">${foot}</div>`}</div>`;
}

function commentBox(viewing: Viewing, { owner, name, ...rest }: Repository, comment: Comment): Html {
  const id = String(comment.id);
  const role = viewing.world.role({ owner, name, ...rest }, comment.author);
  const foot = html`${reactions(comment.reactions)}
${(["eyes", "+1", "rocket"] as const).map((content) => button(viewing, { do: "react", id, content }, FACES[content]))}
<details><summary>edit</summary><form class="wide" method="post" action="${viewing.here}">${hidden(viewing, { do: "edit", id })}
<textarea name="body">${comment.body}</textarea><div><button>Save as ${viewing.as}</button></div></form></details>
${button(viewing, { do: "delete", id }, "delete")}`;
  const edited = comment.updatedAt !== comment.createdAt && html`<span class="faint">edited</span>`;
  return html`<a id="issuecomment-${id}"></a>${box(
    html`<strong>${comment.author}</strong> <span class="label">${comment.viaApp === null ? role : "app"}</span> ${time(comment.createdAt)} ${edited}`,
    comment.body,
    foot,
  )}`;
}

function reviewBox(viewing: Viewing, repository: Repository, review: Review): Html {
  const inline = repository.reviewComments.filter((comment) => comment.review === review.id);
  const verdict = review.state.toLowerCase().replace("_", " ");
  return html`<a id="pullrequestreview-${review.id}"></a>${box(
    html`<strong>${review.author}</strong> <span class="${review.state === "APPROVED" ? "good" : "warn"}">${verdict}</span>
<code>${review.commit.slice(0, 7)}</code> ${time(review.submittedAt ?? "")}`,
    review.body,
    reactions(review.reactions),
  )}${inline.map((comment) => lineComment(viewing, comment))}`;
}

function lineComment(viewing: Viewing, comment: ReviewComment): Html {
  const { id, author, path, line, body, reactions: given, resolved, inReplyTo } = comment;
  const conversation =
    inReplyTo === null &&
    html`<div class="foot row">${resolved ? html`<span class="good">resolved</span>` : html`<span class="warn">not resolved</span>`}
${button(viewing, { do: resolved ? "unresolve" : "resolve", id: String(id) }, `${resolved ? "open again" : "resolve"} as ${viewing.as}`)}</div>`;
  return html`<div class="box inner" id="discussion_r${id}"><div class="top"><code>${path}${line !== null && `:${line}`}</code> ${author}</div>
<div class="text">${renderMarkdown(body)}</div>${reactions(given)}${conversation}</div>`;
}

function reactions(given: readonly StoredReaction[]): Part {
  if (given.length === 0) return null;
  return given.map(
    ({ content, user }) => html`<span class="label" title="${user}">${FACES[content]} ${user}</span>`,
  );
}

function commentForm(viewing: Viewing, { state }: Issue): Html {
  return html`<h2>Say something</h2><form class="wide" method="post" action="${viewing.here}">
<textarea name="body" placeholder="/koryph help" required></textarea>
<div class="row"><button class="main" name="do" value="comment">Comment</button> as ${peopleSelect(viewing.world, viewing.as)}
<button name="do" value="${state === "open" ? "close" : "reopen"}" formnovalidate>${state === "open" ? "Close" : "Reopen"}</button></div></form>`;
}

/** Nobody approves their own landing, so it takes two people with the write role. */
function landingHint({ world }: Viewing, repository: Repository, issue: Issue): Part {
  const { owner, name, collaborators } = repository;
  const full = `${owner}/${name}`;
  const installed = world.state.apps.some(({ installations }) =>
    installations.some(({ repositories }) => repositories.includes(full)),
  );
  const [lander, approver] = Object.keys(collaborators).filter(
    (login) =>
      login !== issue.author && ["admin", "maintain", "write"].includes(world.role(repository, login)),
  );
  if (!installed || issue.pull === null || issue.state !== "open") return null;
  if (lander === undefined || approver === undefined) return null;
  return html`<p class="faint">To land it: <code>/koryph approve</code> as ${approver}, then <code>/koryph land</code> as ${lander};
<code>/koryph why</code> as anybody says what it lacks.</p>`;
}

function reviewForm(viewing: Viewing): Html {
  const events = ["APPROVE", "REQUEST_CHANGES", "COMMENT"] as const;
  return html`<details><summary>Review</summary><form class="wide" method="post" action="${viewing.here}">
${hidden(viewing, { do: "review" })}<textarea name="body" placeholder="What you think of it"></textarea>
<div class="row">${events.map((event) => html`<button name="event" value="${event}">${event.toLowerCase().replace("_", " ")}</button>`)}
<span class="faint">as ${viewing.as}</span></div></form></details>`;
}

function labelForm(viewing: Viewing, { labels: names }: Issue): Html {
  return html`<details><summary>Labels</summary><p class="row">${names.map((name) => button(viewing, { do: "unlabel", label: name }, `remove ${name}`))}</p>
<form class="row" method="post" action="${viewing.here}">${hidden(viewing, { do: "label" })}
<input name="label" placeholder="label" required> <button>Add as ${viewing.as}</button></form></details>`;
}
