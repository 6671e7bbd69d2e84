import { APP_PERMISSIONS } from "../model/app-permissions.js";
import { HANDLED_EVENTS } from "../model/delivery.js";

export interface ManifestFacts {
  readonly name: string;
  /** What GitHub links the App's name to. */
  readonly homepage: string;
  readonly webhookUrl: string;
}

/** What GitHub makes an App of. app.yml says the same, with addresses of nobody's. */
export function appManifest({ name, homepage, webhookUrl }: ManifestFacts) {
  return {
    name,
    description:
      "Answers /koryph commands on issues and pull requests, and steers the agents that work on them.",
    url: homepage,
    public: false,
    hook_attributes: { url: webhookUrl, active: true },
    default_permissions: APP_PERMISSIONS,
    default_events: HANDLED_EVENTS,
  } as const;
}
