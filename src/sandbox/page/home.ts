import { type Html, html, type Part } from "../../lib/markup/html.js";
import type { Issue, Repository } from "../world/state.js";
import { findShownToken } from "../world/world-apps.js";
import { count, emptyNote, hidden, layout, time, type Viewing } from "./layout.js";

/** All that there is: repositories, people, apps. */
export function homePage(viewing: Viewing): Html {
  const { repositories, users, apps } = viewing.world.state;
  return layout(
    viewing,
    "home",
    html`<h1>A GitHub of your own</h1>
<p class="faint">API and git at <code>${viewing.world.url}</code></p>
<h2>Repositories</h2>
${
  repositories.length === 0
    ? emptyNote("None yet.")
    : html`<ul class="plain">${repositories.map(
        (
          repository,
        ) => html`<li><a href="${pathOf(repository)}"><strong>${repository.owner}/${repository.name}</strong></a>
<span class="faint">${repository.private && "private, "}${count(repository.issues.filter((issue) => issue.state === "open").length, "open thread")}</span></li>`,
      )}</ul>`
}
<h2>People</h2>
<p class="row">${users.filter(({ type }) => type === "User").map(({ login }) => html`<span class="label">${login}</span>`)}</p>
<h2>Apps</h2>
${
  apps.length === 0
    ? emptyNote("None yet.")
    : html`<ul class="plain">${apps.map(
        (
          app,
        ) => html`<li><a href="/_/apps/${app.slug}"><strong>${app.slug}</strong></a> <span class="faint">id ${app.id}, webhooks to ${app.webhookUrl ?? "nowhere"},
installed on ${app.installations.flatMap((each) => each.repositories).join(", ") || "nothing"}</span></li>`,
      )}</ul>`
}`,
  );
}

export async function repositoryPage(viewing: Viewing, repository: Repository): Promise<Html> {
  const { world } = viewing;
  const name = `${repository.owner}/${repository.name}`;
  const refs = await world.git(repository, [
    "for-each-ref",
    "--format=%(refname)%09%(objectname:short)%09%(contents:subject)",
    "refs/heads",
    "refs/koryph",
  ]);
  const newest = [...repository.issues].reverse();
  return layout(
    viewing,
    name,
    html`<h1>${name}</h1>
${cloning(viewing, name)}
<p class="row">${Object.entries(repository.collaborators).map(
      ([login, { role, customName }]) => html`<span class="label">${login}: ${customName ?? role}</span>`,
    )}</p>
<h2>Pull requests</h2>${threadList(
      repository,
      newest.filter(({ pull }) => pull !== null),
    )}
<h2>Issues</h2>${threadList(
      repository,
      newest.filter(({ pull }) => pull === null),
    )}
<details><summary>New issue</summary><form class="wide" method="post" action="${viewing.here}">
${hidden(viewing, { do: "issue" })}<input type="text" name="title" placeholder="Title" required maxlength="256">
<textarea name="body" placeholder="What is to be done"></textarea>
<div><button class="main">Open as ${viewing.as}</button></div></form></details>
<h2>Branches and koryph's refs</h2>
<table><thead><tr><th>ref</th><th>commit</th><th>subject</th></tr></thead><tbody>${refs
      .split("\n")
      .filter((line) => line !== "")
      .map(
        (line) => html`<tr>${line.split("\t").map((cell) => html`<td>${cell}</td>`)}</tr>`,
      )}</tbody></table>
${dispatches(repository)}`,
  );
}

/** Whoever acts clones, and pushes, in their own name. */
function cloning({ world, as }: Viewing, name: string): Html {
  const token = findShownToken(world, as);
  if (token === null) return html`<p class="faint"><code>git clone ${world.url}/${name}.git</code></p>`;
  const address = world.url.replace("://", `://${encodeURIComponent(as)}:${token}@`);
  return html`<p><code>git clone ${address}/${name}.git</code><br>
<span class="faint">as ${as}: the token is good for this sandbox alone</span></p>`;
}

export function pathOf({ owner, name }: Repository): string {
  return `/_/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}

function threadList(repository: Repository, threads: readonly Issue[]): Html {
  if (threads.length === 0) return emptyNote("None.");
  return html`<ul class="plain">${threads.map(
    (
      thread,
    ) => html`<li>${stateMark(thread)} <a href="${pathOf(repository)}/${thread.number}"><strong>${thread.title}</strong></a>
${labels(thread)} <span class="faint">#${thread.number} by ${thread.author}, ${count(thread.comments.length, "comment")}
${thread.pull !== null && html`from <code>${thread.pull.headRef}</code>`}</span></li>`,
  )}</ul>`;
}

export function labels({ labels: names }: Issue): Part {
  return names.map((name) => html`<span class="label">${name}</span> `);
}

export function stateMark({ state, pull }: Issue): Html {
  if (pull?.merged) return html`<span class="good">merged</span>`;
  if (state === "closed") return html`<span class="bad">closed</span>`;
  return pull?.draft ? html`<span class="faint">draft</span>` : html`<span class="good">open</span>`;
}

function dispatches({ dispatches: all }: Repository): Part {
  if (all.length === 0) return null;
  return html`<h2>Dispatched workflows</h2><ul class="plain">${[...all]
    .reverse()
    .map(
      ({ name, ref, inputs, actor, at }) =>
        html`<li><strong>${name}</strong> on <code>${ref}</code> by ${actor} ${time(at)} <code>${JSON.stringify(inputs)}</code></li>`,
    )}</ul>`;
}
