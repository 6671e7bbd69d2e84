import { Html, html, type Part } from "../../../../lib/markup/html.js";
import type { Advice } from "../../../../lib/user-error.js";
import { APP_PERMISSIONS } from "../../../model/app-permissions.js";
import { HANDLED_EVENTS } from "../../../model/delivery.js";
import {
  type AppChoices,
  type ChoiceProblem,
  MOST_APP_NAME,
  type SentChoices,
} from "../../../setup/app-choices.js";
import { SETUP_STYLE } from "./setup-style.js";
import { leftToDo, problemWords, type SetUp, settingsPage } from "./setup-words.js";

interface FormFacts {
  readonly sent: SentChoices;
  readonly problems: readonly ChoiceProblem[];
  readonly serverUrl: string;
  readonly action: string;
}

interface SendFacts {
  readonly choices: AppChoices;
  readonly serverUrl: string;
  /** Where GitHub takes the manifest. */
  readonly target: string;
  readonly manifest: string;
  readonly back: string;
}

/** The pages of `koryph serve --setup`. */
export const setupPages = {
  form: ({ sent, problems, serverUrl, action }: FormFacts): Html =>
    page(
      "Set up koryph's GitHub App",
      html`<p class="step">Step 1 of 3</p><h1>Set up koryph's GitHub App</h1>
<p>${hostOf(serverUrl)} makes an App of your own. Its private key and its webhook secret go from GitHub to this machine,
and nowhere else.</p>
<form method="post" action="${action}">
${group("Whose App", ["organisation"], problems, [
  radio("owner", "person", sent.owner, "mine: it belongs to my personal account"),
  radio("owner", "organisation", sent.owner, "an organisation's, which I own"),
  html`<div class="under">${text({ name: "organisation", value: sent.organisation, placeholder: "acme", label: "The organisation's name in its address" })}</div>`,
])}
${group("What it is called", ["name"], problems, [
  text({
    name: "name",
    value: sent.name,
    placeholder: "acme-koryph",
    label: `Names of Apps are unique on GitHub: at most ${MOST_APP_NAME} characters`,
  }),
])}
${group("How GitHub reaches this server", ["address", "channel"], problems, [
  radio("reach", "address", sent.reach, "under an address of its own"),
  html`<div class="under">${text({ name: "address", value: sent.address, placeholder: "https://koryph.example.com", label: "The address of the proxy in front of koryph serve" })}</div>`,
  radio("reach", "smee", sent.reach, "through a smee.io channel, to try things"),
  html`<div class="under">${text({ name: "channel", value: sent.channel, placeholder: "https://smee.io/…", label: html`The channel's address, from <a href="https://smee.io/new" rel="noreferrer">smee.io/new</a>. Whoever knows it can read along.` })}</div>`,
])}
<details><summary>What the App may do, and what GitHub tells it</summary>
<table><thead><tr><th>permission</th><th>access</th></tr></thead><tbody>${Object.entries(APP_PERMISSIONS).map(
        ([name, level]) => html`<tr><td>${name}</td><td>${level}</td></tr>`,
      )}</tbody></table>
<p>Events: ${HANDLED_EVENTS.join(", ")}. docs/app.md gives a reason for each.</p></details>
<div class="row"><button>Go on</button></div></form>`,
    ),

  send: ({ choices, serverUrl, target, manifest, back }: SendFacts): Html => {
    const facts: readonly (readonly [string, Part])[] = [
      ["name", choices.name],
      ["owner", choices.organisation ?? "your personal account"],
      ["webhooks to", choices.webhookUrl],
      ["may be installed by", "its owner only"],
    ];
    return page(
      "Send it to GitHub",
      html`<p class="step">Step 2 of 3</p><h1>Send it to GitHub</h1>
<dl>${facts.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}</dl>
<p>${hostOf(serverUrl)} shows this once more and makes the App when you say so. Then it sends you back here, and koryph
fetches the keys.</p>
<form class="row" method="post" action="${target}"><input type="hidden" name="manifest" value="${manifest}">
<button>Go to ${hostOf(serverUrl)}</button> <a href="${back}">Change something</a></form>`,
    );
  },

  done: ({ app, folder, home }: SetUp): Html =>
    page(
      `${app.slug} is set up`,
      html`<p class="step">Step 3 of 3</p><h1>${app.slug} is set up</h1>
<p>Its private key and its webhook secret are in <code>${folder}</code>, which your account alone can read. This page's
server has ended; nothing here needs to be kept.</p>
<h2>What is left to do</h2>
<ol>${leftToDo(app, home).map(({ says, link, command }) => html`<li>${link === null ? says : html`<a href="${link}" rel="noreferrer">${says}</a>`}${command !== null && html`<br><code>${command}</code>`}</li>`)}</ol>
<p class="faint">Its settings are at <a href="${settingsPage(app)}" rel="noreferrer">${settingsPage(app)}</a>.</p>`,
    ),

  /** `back` leads to the form, for a browser that may see it. */
  trouble: ({ message, hint }: Advice, back: string | null): Html =>
    page(
      "Not set up",
      html`<h1>Not set up</h1><p class="bad">${message}.</p><p>Next: ${hint}.</p>
${back !== null && html`<p><a href="${back}">The form</a></p>`}`,
    ),
};

const STYLE_TAG = new Html(`<style>${SETUP_STYLE}</style>`);

function page(title: string, content: Part): Html {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · koryph</title>${STYLE_TAG}</head>
<body><main>${content}</main></body></html>`;
}

function group(
  legend: string,
  fields: readonly ChoiceProblem["field"][],
  problems: readonly ChoiceProblem[],
  content: Part,
): Html {
  const found = problems.filter(({ field }) => fields.includes(field));
  return html`<fieldset class="${found.length > 0 ? "wrong" : ""}"><legend>${legend}</legend>${content}
${found.map((problem) => html`<p class="bad" role="alert">${problemWords(problem)}</p>`)}</fieldset>`;
}

function radio(name: string, value: string, chosen: string, label: string): Html {
  return html`<label><input type="radio" name="${name}" value="${value}"${value === chosen && html` checked`}>${label}</label>`;
}

interface TextField {
  readonly name: string;
  readonly value: string;
  readonly placeholder: string;
  readonly label: Part;
}

function text({ name, value, placeholder, label }: TextField): Html {
  return html`<label><span class="faint">${label}</span><input type="text" name="${name}" value="${value}" placeholder="${placeholder}" autocomplete="off" spellcheck="false"></label>`;
}

function hostOf(serverUrl: string): string {
  const { host } = new URL(serverUrl);
  return host === "github.com" ? "GitHub" : host;
}
