import { type Html, html } from "../../lib/markup/html.js";
import { authorizedApps } from "../auth/authorizations.js";
import { button, emptyNote, layout, type Viewing } from "./layout.js";

/** Apps that the person who acts has let act in their name, each with a button to take it back. */
export function authorizationsPage(viewing: Viewing): Html {
  const apps = authorizedApps(viewing.world, viewing.as);
  return layout(
    viewing,
    "authorised Apps",
    html`<h1>Authorised Apps</h1><p class="faint">They may act in the name of ${viewing.as}. An App itself forgets an account
when it is told so; here its permission ends, whatever the App remembers.</p>
${
  apps.length === 0
    ? emptyNote("None.")
    : html`<ul class="plain">${apps.map(
        ({ id, slug }) =>
          html`<li><strong>${slug}</strong> ${button(viewing, { do: "revoke", app: String(id) }, "take it back")}</li>`,
      )}</ul>`
}`,
  );
}
