import { type Html, html } from "../../lib/markup/html.js";
import type { Fault, Faults } from "../http/faults.js";
import { button, emptyNote, hidden, layout, peopleSelect, time, type Viewing } from "./layout.js";

/** Webhooks that were sent, newest first, each with a button to send it again. */
export function deliveriesPage(viewing: Viewing): Html {
  const { deliveries, apps } = viewing.world.state;
  const shown = deliveries.slice(-200).reverse();
  return layout(
    viewing,
    "deliveries",
    html`<h1>Webhook deliveries</h1>${
      shown.length === 0
        ? emptyNote("Nothing was sent yet.")
        : html`<table><thead><tr><th>status</th><th>event</th><th>when</th><th>app</th><th>GUID</th><th></th></tr></thead><tbody>${shown.map(
            ({ id, statusCode, event, action, deliveredAt, app, guid, redelivery, payload }) => html`<tr>
<td class="${statusCode >= 200 && statusCode < 300 ? "good" : "bad"}">${statusCode === 0 ? "no answer" : statusCode}</td>
<td>${event}${action !== null && `.${action}`}${redelivery && html` <span class="faint">again</span>`}
<details><summary>payload</summary><pre>${JSON.stringify(payload, null, 2)}</pre></details></td><td>${time(deliveredAt)}</td>
<td>${apps.find((each) => each.id === app)?.slug ?? app}</td><td><code>${guid.slice(0, 8)}</code></td>
<td>${button(viewing, { do: "redeliver", id: String(id) }, "send again")}</td></tr>`,
          )}</tbody></table>`
    }`,
  );
}

/** Kinds of faults a form can ask for, by the name the form sends. */
export const REQUEST_FAULTS: Readonly<Record<string, Extract<Fault, { operation: string }>["kind"]>> = {
  "answer 502, do nothing": { status: 502 },
  "do it, answer 502": { applyThen: 502 },
  "secondary rate limit": { status: 403, secondary: true, retryAfterSeconds: 5 },
  "two seconds late": { delayMs: 2000 },
  "cut the connection": { cut: true },
};
export const WEBHOOK_FAULTS = ["lost", "failed", "doubled", "shuffled"] as const;

/** What is to go wrong, and forms to ask for more. */
export function faultsPage(viewing: Viewing, faults: Faults): Html {
  const waiting = faults.list();
  const times = html`<label>times <input name="times" type="number" min="1" max="1000" value="1"></label>`;
  return layout(
    viewing,
    "faults",
    html`<h1>Faults</h1><p class="faint">What goes wrong on the next requests and webhooks.</p>
${
  waiting.length === 0
    ? emptyNote("Nothing is set to go wrong.")
    : html`<ul class="plain">${waiting.map((fault) => html`<li><code>${JSON.stringify(fault)}</code></li>`)}</ul>
<p>${button(viewing, { do: "clear" }, "forget them all")}</p>`
}
<h2>Requests</h2><form class="row" method="post" action="${viewing.here}">${hidden(viewing, { do: "request" })}
<label>operation <input name="operation" value="*" required></label>
<select name="kind" aria-label="kind">${Object.keys(REQUEST_FAULTS).map((kind) => html`<option>${kind}</option>`)}</select>
${times} <button>Add</button></form>
<p class="faint">An operation of GitHub's, such as <code>issues/create-comment</code>; <code>graphql</code>, <code>git</code>, or <code>*</code> for all.</p>
<h2>Webhooks</h2><form class="row" method="post" action="${viewing.here}">${hidden(viewing, { do: "webhooks" })}
<select name="webhooks" aria-label="kind">${WEBHOOK_FAULTS.map((kind) => html`<option>${kind}</option>`)}</select>
${times} <button>Add</button></form>`,
  );
}

/** Where a person enters the code that a device shows. */
export function loginPage(viewing: Viewing, code: string): Html {
  const waiting = viewing.world.state.deviceLogins.filter(
    (login) => login.approvedBy === null && !login.denied,
  );
  return layout(
    viewing,
    "log in a device",
    html`<h1>Log in a device</h1>
<form class="row" method="post" action="/_/login"><label>code <input name="code" value="${code}" placeholder="ABCD-1234" required></label>
as ${peopleSelect(viewing.world, viewing.as)} <button class="main" name="do" value="approve">Approve</button>
<button name="do" value="deny">Deny</button></form>
<p class="faint">Waiting: ${waiting.length === 0 ? "none" : waiting.map((login) => html`<a href="/_/login?user_code=${encodeURIComponent(login.userCode)}"><code>${login.userCode}</code></a> `)}</p>`,
  );
}

/** What was asked or answered in a way GitHub would not have. */
export function problemsPage(viewing: Viewing): Html {
  return layout(
    viewing,
    "problems",
    html`<h1>Problems</h1><p class="faint">Requests GitHub would not take, and answers it would not give.</p>
<ul class="plain">${viewing.world.problems.map((problem) => html`<li><code>${problem}</code></li>`)}</ul>`,
  );
}

/** A page with one sentence: nothing there, or not allowed. */
export function wordPage(viewing: Viewing, title: string, sentence: string): Html {
  return layout(
    viewing,
    title,
    html`<h1>${title}</h1><p>${sentence}</p><p><a href="${viewing.here}">Back</a></p>`,
  );
}
