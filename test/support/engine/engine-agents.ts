/** What every scripted agent can do, beside its commits. */
export const AGENT_VERBS = `say() { printf '{"state":"%s","note":"%s"}' "$1" "$2" >"$KORYPH_AGENT_DIR/status.json"; }
mark() { : >"$lab/starts/$1.mark"; }
# Until the test allows it, however slow the machine is, but never for ever.
await() {
  for turn in $(seq 3000); do
    [ -e "$lab/starts/$1.go" ] && return
    sleep 0.2
  done
  exit 8
}
`;

/**
 * An agent as a shell script: what it does is looked up by bead and attempt in the lab's `agents` folder.
 * Behaviours are meant to be repeated, as agents are: whatever is committed already is left alone.
 */
export const AGENT_SCRIPT = `#!/bin/sh
set -u
lab=$1
attempt=\${KORYPH_SLOT##*/}
cat >/dev/null
last=$(tail -n 1 "$lab/starts/$KORYPH_BEAD" 2>/dev/null)
if [ -n "$last" ] && kill -0 "\${last##* }" 2>/dev/null; then : >"$lab/starts/$KORYPH_BEAD.overlap"; fi
printf '%s %s\\n' "$KORYPH_SLOT" "$$" >>"$lab/starts/$KORYPH_BEAD"

# One commit named $1, unless it is there.
commit() {
  [ -e "$KORYPH_BEAD-$1" ] && return
  printf '%s\\n' "$1" >"$KORYPH_BEAD-$1" && git add --all && git -c maintenance.auto=false commit --quiet -m "$KORYPH_BEAD $1" || exit 9
}
${AGENT_VERBS}
behaviour=$lab/agents/$KORYPH_BEAD
if [ -e "$behaviour.$attempt" ]; then behaviour=$behaviour.$attempt; fi
. "$behaviour"
`;

/** The plain good agent. */
export const commitOnce = "commit one\nsay done ''\n";

/** Two commits with a pause between them, in which it can be interrupted. */
export const commitTwice = "commit one\nsleep 0.3\ncommit two\nsay done ''\n";

/** Ends like one whose machine was switched off, having done nothing. */
export const dieAtOnce = "exit 3\n";

/** Leaves a process behind that leads a session of its own. */
export const leakDaemon = "setsid sh -c 'exec sleep 300' >/dev/null 2>&1 &\ncommit one\n";
