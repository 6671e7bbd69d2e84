/** When a schedule is due, in UTC, as GitHub reads POSIX cron. */
export interface Cron {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** With both restricted, a day that fits either of them is meant. */
  readonly eitherDay: boolean;
}

const MINUTE_MS = 60_000;
/** A schedule that is due less often than this is not followed. */
const MOST_DAYS = 400;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Null for what is no such schedule. */
export function readCron(text: string): Cron | null {
  const [minute = "", hour = "", day = "", month = "", weekday = "", more] = text.trim().split(/\s+/);
  const minutes = readField(minute, 0, 59);
  const hours = readField(hour, 0, 23);
  const days = readField(day, 1, 31);
  const months = readField(numbered(month, MONTHS, 1), 1, 12);
  const weekdays = readField(numbered(weekday, WEEKDAYS, 0), 0, 7);
  if (more !== undefined || !minutes || !hours || !days || !months || !weekdays) return null;
  if (weekdays.has(7)) weekdays.add(0);
  const eitherDay = !day.startsWith("*") && !weekday.startsWith("*");
  return { minutes, hours, days, months, weekdays, eitherDay };
}

function numbered(field: string, names: readonly string[], first: number): string {
  return names.reduce((text, name, at) => text.replaceAll(name, String(at + first)), field.toLowerCase());
}

function readField(field: string, least: number, most: number): Set<number> | null {
  const found = new Set<number>();
  for (const part of field.split(",")) {
    const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
    if (match === null) return null;
    const [, from, to, step] = match;
    const start = from === undefined ? least : Number(from);
    // A number alone is itself; with a step it goes on to the end.
    const end =
      to !== undefined ? Number(to) : from === undefined || step !== undefined ? most : Number(from);
    const by = step === undefined ? 1 : Number(step);
    if (start < least || end > most || start > end || by === 0) return null;
    for (let value = start; value <= end; value += by) found.add(value);
  }
  return found;
}

/** The last times at which a schedule was due, newest first; fewer where it is due less often than once a year. */
export function dueTimes(
  cron: Cron,
  { before, count }: { readonly before: number; readonly count: number },
): number[] {
  const found: number[] = [];
  const oldest = before - MOST_DAYS * 24 * 60 * MINUTE_MS;
  let at = Math.floor(before / MINUTE_MS) * MINUTE_MS;
  while (at >= oldest && found.length < count) {
    const time = new Date(at);
    if (!fitsDay(cron, time)) {
      at = Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()) - MINUTE_MS;
      continue;
    }
    if (cron.hours.has(time.getUTCHours()) && cron.minutes.has(time.getUTCMinutes())) found.push(at);
    at -= MINUTE_MS;
  }
  return found;
}

function fitsDay({ months, days, weekdays, eitherDay }: Cron, time: Date): boolean {
  if (!months.has(time.getUTCMonth() + 1)) return false;
  const [byDay, byWeekday] = [days.has(time.getUTCDate()), weekdays.has(time.getUTCDay())];
  return eitherDay ? byDay || byWeekday : byDay && byWeekday;
}
