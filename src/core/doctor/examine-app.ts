import { APP_PERMISSIONS } from "../model/app-permissions.js";
import { HANDLED_EVENTS } from "../model/delivery.js";
import type { FleetDiagnosis } from "./fleet-diagnosis.js";

/** The App as GitHub shows it. */
export type AppFacts =
  | {
      readonly kind: "unseen";
      readonly slug: string;
      /** `hidden`: GitHub shows none of this name. `key`: the key in the environment is no key of the App's. */
      readonly why: "hidden" | "key";
    }
  | {
      readonly kind: "seen";
      readonly id: number;
      readonly slug: string;
      /** What its installation has accepted, where there is one to be seen; else what the App asks for. */
      readonly events: readonly string[];
      readonly permissions: Readonly<Record<string, string>>;
      /** Only the App itself sees where it is installed. */
      readonly installed: "yes" | "no" | "suspended" | "unknown";
    };

const LEVELS = ["read", "write", "admin"];

/** `named` is the App that runners take jobs from; null where there are none. */
export function examineApp(app: AppFacts, named: string | null): readonly FleetDiagnosis[] {
  const { slug } = app;
  if (app.kind === "unseen") return [{ code: "app_unseen", slug, why: app.why }];
  const { permissions } = app;
  const rank = (level: string | undefined) => LEVELS.indexOf(level ?? "");
  const wanted: Readonly<Record<string, string>> = APP_PERMISSIONS;
  const lacks = Object.entries(wanted).filter(([name, level]) => rank(permissions[name]) < rank(level));
  const more = Object.entries(permissions).filter(([name, level]) => rank(level) > rank(wanted[name]));
  const events = HANDLED_EVENTS.filter((event) => !app.events.includes(event));
  const found: FleetDiagnosis[] = [];
  if (named !== null && named.toLowerCase() !== slug.toLowerCase())
    found.push({ code: "app_not_named", slug, named });
  if (app.installed === "no" || app.installed === "suspended")
    found.push({ code: "app_not_installed", slug, suspended: app.installed === "suspended" });
  if (lacks.length > 0) found.push({ code: "app_lacks_permissions", slug, permissions: lacks.map(shown) });
  if (events.length > 0) found.push({ code: "app_lacks_events", slug, events });
  const isReady = found.length === 0;
  if (more.length > 0) found.push({ code: "app_may_more", slug, permissions: more.map(shown) });
  return isReady ? [{ code: "app_ready", slug, installed: app.installed === "yes" }, ...found] : found;
}

function shown([name, level]: readonly [string, string]): string {
  return `${name}: ${level}`;
}
