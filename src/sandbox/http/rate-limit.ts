import type { Caller } from "./route.js";

const HOUR_MS = 60 * 60 * 1000;

export interface Quota {
  /** Requests an hour for each installation, app and user; may be lowered to see what happens. */
  perHour: number;
  /** Counts one request; false when there is none left. */
  spend(key: string): boolean;
  /** Gives back what turned out to be free. */
  giveBack(key: string): void;
  observe(key: string): { limit: number; remaining: number; used: number; reset: number };
}

export function makeQuota(now: () => number): Quota {
  const windows = new Map<string, { used: number; ends: number }>();
  const window = (key: string) => {
    const known = windows.get(key);
    if (known !== undefined && known.ends > now()) return known;
    const fresh = { used: 0, ends: now() + HOUR_MS };
    windows.set(key, fresh);
    return fresh;
  };
  const quota: Quota = {
    perHour: 5000,
    spend: (key) => {
      const current = window(key);
      if (current.used >= quota.perHour) return false;
      current.used += 1;
      return true;
    },
    giveBack: (key) => {
      window(key).used -= 1;
    },
    observe: (key) => {
      const { used, ends } = window(key);
      const remaining = Math.max(0, quota.perHour - used);
      return { limit: quota.perHour, remaining, used, reset: Math.ceil(ends / 1000) };
    },
  };
  return quota;
}

/** Whose quota a request is taken from. */
export function quotaKey(caller: Caller): string {
  switch (caller.kind) {
    case "nobody":
      return "nobody";
    case "app":
      return `app ${caller.app.id}`;
    case "installation":
      return `installation ${caller.installation.id}`;
    case "user":
      return `user ${caller.login}`;
  }
}
