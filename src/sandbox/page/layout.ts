import { type Html, html, type Part } from "../../lib/markup/html.js";
import type { World } from "../world/world.js";

/** What every page needs to know. */
export interface Viewing {
  readonly world: World;
  /** Whose hand the buttons move. */
  readonly as: string;
  /** The path of the page itself: where a form leads back to. */
  readonly here: string;
}

export function layout({ world, as, here }: Viewing, title: string, content: Part): Html {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} · sandbox</title><link rel="stylesheet" href="/_/style.css"></head><body>
<header><a href="/_/"><strong>sandbox</strong></a>
<a href="/_/deliveries">deliveries</a><a href="/_/faults">faults</a><a href="/_/login">log in a device</a>
${world.problems.length > 0 && html`<a class="bad" href="/_/problems">${count(world.problems.length, "problem")}</a>`}
<form method="post" action="/_/as"><input type="hidden" name="back" value="${here}">
<label class="faint">acting as ${peopleSelect(world, as)}</label> <button class="small">switch</button></form></header>
<main>${content}</main></body></html>`;
}

/** People to act as; `name` is the form's field. */
export function peopleSelect(world: World, as: string): Html {
  const people = world.state.users.filter((user) => user.type === "User");
  return html`<select name="as" aria-label="person">${people.map(
    ({ login }) => html`<option value="${login}"${login === as && html` selected`}>${login}</option>`,
  )}</select>`;
}

export function emptyNote(what: string): Html {
  return html`<p class="nothing">${what}</p>`;
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** A button that sends a few fields. */
export function button(viewing: Viewing, fields: Readonly<Record<string, string>>, face: Part): Html {
  return html`<form class="inline" method="post" action="${viewing.here}">${hidden(viewing, fields)}<button class="small">${face}</button></form>`;
}

export function hidden({ as }: Viewing, fields: Readonly<Record<string, string>>): Part {
  return hiddenFields({ as, ...fields });
}

export function hiddenFields(fields: Readonly<Record<string, string>>): Part {
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
}

export function time(at: string): Html {
  return html`<time class="faint" datetime="${at}">${at.replace("T", " ").replace("Z", "")}</time>`;
}
