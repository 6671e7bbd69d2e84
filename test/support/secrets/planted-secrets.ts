import { randomInt } from "node:crypto";

export interface PlantedSecret {
  readonly name: string;
  /** What may be seen nowhere. */
  readonly value: string;
  /** As it stands in the place where it is kept. */
  readonly text: string;
  /** It is known by its shape, wherever it stands; else by the name before it. */
  readonly hasShape: boolean;
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const LETTERS = LOWER + LOWER.toUpperCase() + DIGITS;
const HEX = "0123456789abcdef";

/** Drawn anew each time, so that no file of this repository holds anything that looks like a secret. */
function draw(length: number, from = LETTERS): string {
  // Whatever is drawn holds a letter and a digit, as real ones do.
  const fixed = from === DIGITS ? "7" : "a7";
  const drawn = Array.from({ length: length - fixed.length }, () => from[randomInt(from.length)]);
  return drawn.join("") + (from.toLowerCase() === from ? fixed : fixed.replace("a", "Q"));
}

const jwt = () => `eyJ${draw(20)}.eyJ${draw(40)}.${draw(43)}`;

function keyBlock(kind: string): string {
  const lines = Array.from({ length: 4 }, () => draw(64));
  return `-----BEGIN ${kind}-----\n${lines.join("\n")}\n-----END ${kind}-----`;
}

/** Secrets that are known by their shape. */
const SHAPES: Readonly<Record<string, () => string>> = {
  "GitHub token of a person": () => `ghp_${draw(36)}`,
  "GitHub token of an OAuth app": () => `gho_${draw(36)}`,
  "GitHub token of a linked user": () => `ghu_${draw(36)}`,
  "GitHub refresh token": () => `ghr_${draw(76)}`,
  "GitHub installation token": () => `ghs_${draw(36)}`,
  "GitHub installation token in its new form": () => `ghs_${draw(7, DIGITS)}_${jwt()}`,
  "GitHub fine-grained token": () => `github_pat_11${draw(20)}_${draw(59)}`,
  "GitLab token": () => `glpat-${draw(20)}`,
  "Anthropic key": () => `sk-ant-api03-${draw(86)}-${draw(6)}AA`,
  "Anthropic OAuth token": () => `sk-ant-oat01-${draw(86)}`,
  "OpenAI project key": () => `sk-proj-${draw(48)}`,
  "OpenAI key": () => `sk-${draw(48)}`,
  "OpenRouter key": () => `sk-or-v1-${draw(64, HEX)}`,
  "Groq key": () => `gsk_${draw(52)}`,
  "xAI key": () => `xai-${draw(80)}`,
  "Perplexity key": () => `pplx-${draw(48)}`,
  "Replicate token": () => `r8_${draw(37)}`,
  "Hugging Face token": () => `hf_${draw(34)}`,
  "Google key": () => `AIza${draw(35)}`,
  "Google OAuth token": () => `ya29.${draw(60)}`,
  "Google client secret": () => `GOCSPX-${draw(28)}`,
  "AWS key id": () => `AKIA${draw(16, LETTERS.replace(/[a-z]/g, ""))}`,
  "AWS session key id": () => `ASIA${draw(16, LETTERS.replace(/[a-z]/g, ""))}`,
  "Azure client secret": () => `${draw(3)}8Q~${draw(34)}`,
  "DigitalOcean token": () => `dop_v1_${draw(64, HEX)}`,
  "Vault token": () => `hvs.${draw(90)}`,
  "Terraform token": () => `${draw(14)}.atlasv1.${draw(60)}`,
  "Databricks token": () => `dapi${draw(32, HEX)}`,
  "Doppler token": () => `dp.pt.${draw(43)}`,
  "Pulumi token": () => `pul-${draw(40, HEX)}`,
  "npm token": () => `npm_${draw(36)}`,
  "PyPI token": () => `pypi-AgEIcHlwaS5vcmc${draw(80)}`,
  "RubyGems key": () => `rubygems_${draw(48, HEX)}`,
  "Docker token": () => `dckr_pat_${draw(27)}`,
  "Slack bot token": () => `xoxb-${draw(12, DIGITS)}-${draw(12, DIGITS)}-${draw(24)}`,
  "Slack app token": () => `xapp-1-A${draw(10)}-${draw(13, DIGITS)}-${draw(64, HEX)}`,
  "Slack webhook": () => `https://hooks.slack.com/services/T${draw(8)}/B${draw(10)}/${draw(24)}`,
  "Discord webhook": () => `https://discord.com/api/webhooks/${draw(18, DIGITS)}/${draw(68)}`,
  "Telegram bot token": () => `${draw(10, DIGITS)}:AA${draw(33)}`,
  "Stripe live key": () => `sk_live_${draw(99)}`,
  "Stripe webhook secret": () => `whsec_${draw(32)}`,
  "Square token": () => `sq0csp-${draw(43)}`,
  "Shopify token": () => `shpat_${draw(32, HEX)}`,
  "SendGrid key": () => `SG.${draw(22)}.${draw(43)}`,
  "Twilio key": () => `SK${draw(32, HEX)}`,
  "Mailchimp key": () => `${draw(32, HEX)}-us14`,
  "Linear key": () => `lin_api_${draw(40)}`,
  "Notion token": () => `ntn_${draw(46)}`,
  "Sentry token": () => `sntrys_${draw(80)}`,
  "Grafana token": () => `glsa_${draw(32)}_${draw(8, HEX)}`,
  "New Relic key": () => `NRAK-${draw(27, LETTERS.replace(/[a-z]/g, ""))}`,
  "Atlassian token": () => `ATATT3xFfGF0${draw(180)}`,
  "JSON web token": jwt,
  "age key": () => `AGE-SECRET-KEY-1${draw(58, LETTERS.replace(/[a-z]/g, ""))}`,
  "ssh key": () => keyBlock("OPENSSH PRIVATE KEY"),
  "RSA key": () => keyBlock("RSA PRIVATE KEY"),
  "PGP key": () => keyBlock("PGP PRIVATE KEY BLOCK"),
};

/** Secrets without a shape, as they stand in the places where people keep them. */
const NAMED: Readonly<Record<string, readonly [length: number, text: (value: string) => string]>> = {
  "AWS secret key": [40, (value) => `aws_secret_access_key = ${value}`],
  "Azure account key": [86, (value) => `AccountName=shop;AccountKey=${value}==;EndpointSuffix=core`],
  "Azure bus key": [43, (value) => `Endpoint=sb://shop;SharedAccessKey=${value}=`],
  "password of a remote": [24, (value) => `https://ann:${value}@git.example.com/o/r.git`],
  "password of a database": [24, (value) => `DATABASE_URL=postgres://shop:${value}@db.internal:5432/shop`],
  "password of a queue": [24, (value) => `amqp://shop:${value}@queue.internal`],
  "password in .netrc": [24, (value) => `machine api.example.com login ann password ${value}`],
  "password in .pypirc": [24, (value) => `username = ann\npassword = ${value}`],
  "token of npm's registry": [36, (value) => `//registry.example.com/:_authToken=${value}`],
  "login of Docker's registry": [40, (value) => `{"auths":{"r.example.com":{"auth":"${value}"}}}`],
  "token in a kube config": [40, (value) => `users:\n- user:\n    token: ${value}`],
  "key in a kube config": [80, (value) => `    client-key-data: ${value}`],
  "token in gh's hosts": [40, (value) => `github.com:\n    oauth_token: ${value}`],
  "webhook secret of the App": [40, (value) => `KORYPH_WEBHOOK_SECRET=${value}`],
  "API key without a shape": [32, (value) => `MISTRAL_API_KEY=${value}`],
  "Mailgun key": [32, (value) => `MAILGUN_API_KEY=key-${value}`],
  "client secret": [40, (value) => `{"client_secret": "${value}"}`],
  "a header of a request": [40, (value) => `Authorization: Bearer ${value}`],
  "a cookie": [40, (value) => `Cookie: session=${value}; theme=dark`],
};

/** One of every kind. */
export function plantSecrets(): readonly PlantedSecret[] {
  const shaped = Object.entries(SHAPES).map(([name, make]) => {
    const text = make();
    // A line of a key gives it away as much as the whole of it.
    const value = text.split("\n")[2] ?? text;
    return { name, value, text, hasShape: true };
  });
  const named = Object.entries(NAMED).map(([name, [length, text]]) => {
    const value = draw(length);
    return { name, value, text: text(value), hasShape: false };
  });
  return [...shaped, ...named];
}
