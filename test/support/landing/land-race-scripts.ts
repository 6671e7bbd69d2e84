import { randomBytes } from "node:crypto";
import { ulid } from "../../../src/lib/ulid.js";

/** The folders in which a trouble waits for whoever meets it first: during a gate, at the remote, after a push. */
export const WAITING = { gate: "gate.d", refuse: "refuse.d", lie: "lie.d" } as const;

/** What the scripts below write down: heads that were checked, others' commits, and those that were taken back. */
export const RECORDS = { checked: "checked", theirs: "theirs", withdrawn: "withdrawn" } as const;

/** The project's gate: writes down what it is run on, and meets the first trouble that waits. */
export function gateScript(top: string): string {
  return `head=$(git rev-parse HEAD) && echo "$head" >>${top}/${RECORDS.checked} || exit 9
for trouble in ${top}/${WAITING.gate}/*; do
  mv "$trouble" "$trouble.$$" 2>/dev/null || continue
  mv "$trouble.$$" ${top}/met.$$ && . ${top}/met.$$
  break
done
exit 0
`;
}

/** Somebody pushes to the default branch. */
export function movesBase(top: string, remote: string): string {
  return `cd ${remote}
tip=$(git rev-parse main)
new=$(git commit-tree -p "$tip" -m 'fix: of a colleague' "$tip^{tree}")
git update-ref refs/heads/main "$new" "$tip" && echo "$new" >>${top}/${RECORDS.theirs}
`;
}

/** Somebody takes a commit off the default branch again, unless it has been built on. */
export function rewindsBase(top: string, remote: string, taken: string, before: string): string {
  return `cd ${remote}
if git update-ref refs/heads/main ${before} ${taken}; then echo ${taken} >>${top}/${RECORDS.withdrawn}; else echo ${taken} >>${top}/${RECORDS.theirs}; fi
`;
}

/** Somebody appends to the ledger. */
export function movesLedger(remote: string): string {
  const id = ulid(Date.now(), randomBytes(10));
  const event = { id, at: new Date().toISOString(), actor: "a colleague", type: "note.left", data: {} };
  return `cd ${remote}
tip=$(git rev-parse refs/koryph/ledger)
new=$(printf 'by hand\\n\\n%s\\n' '${JSON.stringify(event)}' | git commit-tree -p "$tip" "$tip^{tree}")
git update-ref refs/koryph/ledger "$new" "$tip"
`;
}

/** The remote's own hook: turns down a push to the default branch for each file that waits. */
export function hookScript(top: string): string {
  return `#!/bin/sh
[ "$1" = refs/heads/main ] || exit 0
for trouble in ${top}/${WAITING.refuse}/*; do
  rm "$trouble" 2>/dev/null || continue
  echo 'not now' >&2
  exit 1
done
`;
}

/** A git whose pushes arrive, and that calls the one a file counts down to a failure all the same. */
export function lyingGit(top: string, git: string): string {
  return `#!/bin/sh
pushing=
for word; do [ "$word" = push ] && pushing=yes; done
[ -n "$pushing" ] || exec ${git} "$@"
${git} "$@" || exit
for trouble in ${top}/${WAITING.lie}/*; do
  left=$(cat "$trouble" 2>/dev/null) || continue
  if [ "$left" -gt 1 ]; then echo $((left - 1)) >"$trouble"; continue; fi
  rm "$trouble" 2>/dev/null || continue
  echo 'fatal: the remote end hung up unexpectedly' >&2
  exit 128
done
exit 0
`;
}
