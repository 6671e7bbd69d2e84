import { z } from "zod";

const Address = z.string().regex(/^https?:\/\/\S+$/);

/** Which GitHub an App is of, whose it is there, and how its webhooks come. */
const Place = z.object({
  api_url: Address,
  server_url: Address,
  /** The smee.io channel; null where GitHub reaches the server itself. */
  webhook_proxy: Address.nullable(),
  /** That it belongs to; null where it is the person's who made it. */
  organisation: z.string().nullable(),
});

/** An App that `koryph serve --setup` made, as it lies beside its private key. */
export const KeptApp = z.strictObject({
  schema_version: z.literal(1),
  ...Place.shape,
  app_id: z.int().positive(),
  slug: z.string().regex(/^[\w.-]+$/),
  client_id: z.string(),
  /** Its page on GitHub. */
  html_url: Address,
  webhook_secret: z.string().min(1),
});
export type KeptApp = z.infer<typeof KeptApp>;

/** What GitHub answered to the code, kept whole before anything is made of it: GitHub says it only once. */
export const KeptAnswer = z.strictObject({
  schema_version: z.literal(1),
  ...Place.shape,
  answer: z.unknown(),
});
export type KeptAnswer = z.infer<typeof KeptAnswer>;

/** GitHub's answer; its client secret is of no use to koryph, and is let go. */
const Answer = z.object({
  id: KeptApp.shape.app_id,
  slug: KeptApp.shape.slug,
  client_id: z.string(),
  html_url: Address,
  webhook_secret: KeptApp.shape.webhook_secret,
  pem: z.string().regex(/^-----BEGIN [A-Z ]*PRIVATE KEY-----/),
});

/** The App and its key, or the names of the fields that GitHub's answer does not have as they should be. */
export function readKeptAnswer({
  answer,
  schema_version,
  ...place
}: KeptAnswer): { readonly app: KeptApp; readonly pem: string } | { readonly wrong: readonly string[] } {
  const reading = Answer.safeParse(answer);
  if (!reading.success) return { wrong: reading.error.issues.map(({ path }) => path.join(".")) };
  const { id, pem, ...rest } = reading.data;
  return { app: { schema_version, ...place, app_id: id, ...rest }, pem };
}
