import { randomUUID } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SLOT_FILES } from "./slot-files.js";

/**
 * Variables a shell changes by itself, and ours: kept apart under another name and put back for the agent.
 * With dash the agent's environment is then exactly the one asked for; where sh is bash, SHLVL and _ are added.
 */
export const SET_ASIDE = ["PATH", "PWD", "OLDPWD", "SHLVL", "IFS", "KORYPH_SLOT"] as const;

/** What the wrapper is told, as environment variables: they need no quoting and show in no process list. */
export const SETTINGS = [
  "koryph_folder",
  "koryph_claim",
  "koryph_cwd",
  "koryph_stdin",
  "koryph_liveness",
  "koryph_wall",
  "koryph_lease",
  "koryph_tick",
  "koryph_grace",
] as const;

export const RESERVED_PREFIX = "koryph_";
export const asideName = (name: (typeof SET_ASIDE)[number]): string => `${RESERVED_PREFIX}aside_${name}`;

const F = SLOT_FILES;

const PUT_BACK = SET_ASIDE.map(
  (name) =>
    `if [ "\${${asideName(name)}+set}" ]; then ${name}=$${asideName(name)}; export ${name}; else unset ${name}; fi`,
).join("\n");

/**
 * Who is who:
 *
 *   wrapper   leads the group the engine started; survives INT, TERM and HUP; the only one to write the exit file
 *   watcher   a background part of the wrapper, in its group; looks at clock and engine now and then
 *   agent     leads a session and group of its own, so that even a SIGKILL to all of it leaves the wrapper
 *
 * Neither wrapper nor watcher carries the marker or works in the worktree, so that a sweep never meets them.
 */
const WRAPPER = `#!/bin/sh
# Runs one agent, watches over it and writes down how it ended. Plain sh, setsid and everyday tools.

# Start time and state of process $1, both empty when it is gone. A process may have line breaks in its name.
look_at() {
  koryph_stat=
  while IFS= read -r koryph_line; do koryph_stat=$koryph_stat$koryph_line; done 2>/dev/null <"/proc/$1/stat"
  set -- \${koryph_stat##*") "}
  koryph_state=\${1-} koryph_born=\${20-}
}

# Learns once who the agent is: the folder may be removed while it runs.
know_agent() {
  [ -n "$koryph_when" ] || read -r koryph_pid koryph_when <"$koryph_folder/${F.agent}"
} 2>/dev/null

# Sends $1 to the agent's whole group, if it is still the process that was started.
hit() {
  know_agent || return 0
  look_at "$koryph_pid"
  if [ "$koryph_born" = "$koryph_when" ]; then kill -s "$1" -- "-$koryph_pid"; fi
} 2>/dev/null

end_agent() {
  printf '%s\\n' "$1" >"$koryph_folder/${F.ended}"
  for koryph_signal in INT TERM; do
    hit "$koryph_signal"
    sleep "$koryph_grace"
  done
  hit KILL
  while
    # An agent that nobody has met, and no file names any more.
    [ -n "$koryph_when" ] || sweep
    sleep 1
  do hit KILL; done
}

# What the agent started in sessions of its own. After a normal end the engine sweeps; here there may be none.
sweep() {
  for koryph_round in 1 2 3 4 5; do
    koryph_found=$(grep -lzxF -e "KORYPH_SLOT=$koryph_aside_KORYPH_SLOT" /proc/[0-9]*/environ)
    [ -n "$koryph_found" ] || break
    for koryph_path in $koryph_found; do
      koryph_path=\${koryph_path#/proc/}
      kill -s KILL "\${koryph_path%/environ}"
    done
  done
} 2>/dev/null

# Whether the engine's file has changed since the last look. What its time is does not matter: clocks are set.
beats() {
  # Shells differ in how old a missing file is.
  [ -e "$koryph_liveness" ] || return 1
  [ "$koryph_liveness" -nt "$koryph_folder/${F.heard}" ] || [ "$koryph_liveness" -ot "$koryph_folder/${F.heard}" ]
}

# Time is counted in sleeps, so that it stands still with the machine: who wakes up finds no lease run out.
watch_over() {
  koryph_own=$koryph_born koryph_when= koryph_spent=0 koryph_quiet=0 koryph_pause=$koryph_tick
  while
    koryph_left=$((koryph_wall - koryph_spent))
    [ "$koryph_left" -ge "$koryph_pause" ] || koryph_pause=$koryph_left
    sleep "$koryph_pause"
  do
    koryph_spent=$((koryph_spent + koryph_pause)) koryph_quiet=$((koryph_quiet + koryph_pause))
    know_agent
    look_at "$$"
    # The wrapper was killed from outside, so nobody would hear of the agent's end.
    if [ "$koryph_born" != "$koryph_own" ] || [ "$koryph_state" = Z ]; then hit KILL; sweep; exit; fi
    if beats; then touch -r "$koryph_liveness" "$koryph_folder/${F.heard}"; koryph_quiet=0; fi
    if [ "$koryph_spent" -ge "$koryph_wall" ]; then end_agent wall-clock; fi
    if [ "$koryph_quiet" -ge "$koryph_lease" ]; then end_agent engine-gone; fi
  done
}

koryph_part=$1
shift
look_at "$$"

if [ "$koryph_part" = agent ]; then
  printf '%d %s\\n' "$$" "$koryph_born" >"$koryph_folder/${F.agent}" || exit 125
  cd "$koryph_cwd" || exit 125
  if ! [ -r "$koryph_stdin" ]; then printf '%s\\n' "cannot read $koryph_stdin" >&2; exit 125; fi
  exec <"$koryph_stdin"
${PUT_BACK.replace(/^/gm, "  ")}
  unset ${SETTINGS.join(" ")}
  unset ${SET_ASIDE.map(asideName).join(" ")}
  exec "$@"
fi

# Handled, not ignored: what a shell ignores its children ignore too.
trap : HUP INT QUIT TERM
exec 2>>"$koryph_folder/${F.errors}" || exit 125

# A hard link comes into being whole, and once: of two wrappers in one folder the second one ends here.
IFS= read -r koryph_boot </proc/sys/kernel/random/boot_id
printf '{"pid":%d,"start":"%s","boot":"%s"}\\n' "$$" "$koryph_born" "$koryph_boot" >"$koryph_claim" || exit 125
ln "$koryph_claim" "$koryph_folder/${F.identity}" 2>/dev/null || exit 125

printf '' >"$koryph_folder/${F.heard}"
watch_over &
koryph_watcher=$!

# In the foreground: a shell makes what it starts in the background deaf to SIGINT. Marked from its first moment.
KORYPH_SLOT=$koryph_aside_KORYPH_SLOT setsid /bin/sh "$0" agent "$@" >>"$koryph_folder/${F.output}"
koryph_code=$?

# The watcher and its sleep; the wrapper itself is in this group too and lives on.
kill -s TERM -- "-$$"
{ kill -s KILL "$koryph_watcher"; wait "$koryph_watcher"; } 2>/dev/null

koryph_ended=by-itself
if [ -f "$koryph_folder/${F.ended}" ]; then
  read -r koryph_ended <"$koryph_folder/${F.ended}"
  sweep
elif ! [ -d "$koryph_folder" ]; then
  sweep
  exit
fi
printf '{"code":%d,"ended":"%s","endedAt":%d}\\n' "$koryph_code" "$koryph_ended" "$(date +%s)" \\
  >"$koryph_folder/${F.exit}.tmp" && mv -f "$koryph_folder/${F.exit}.tmp" "$koryph_folder/${F.exit}"
`;

/** Puts the wrapper into the slot's folder by rename: one that runs already goes on reading its own copy. */
export async function installWrapper(folder: string): Promise<string> {
  const path = join(folder, SLOT_FILES.wrapper);
  const beside = `${path}.${randomUUID()}.tmp`;
  // Not synced to the disk: after a crash of the machine nobody runs it again.
  await writeFile(beside, WRAPPER, { mode: 0o600 });
  await rename(beside, path);
  return path;
}
