import { AGENT_VERBS } from "../engine/engine-agents.js";

/**
 * An agent as a shell script, for work that is to land. What it does is looked up by bead, by what it was started
 * for (`work`, `review`, or the name of a stage) and by how often: `agents/<bead>.<task>.<n>`, the last one there is
 * for all that follow. Its prompts are kept, and so is the head it left.
 */
export const LAND_AGENT = `#!/bin/sh
set -u
lab=$1
task=work
cat >"$KORYPH_AGENT_DIR/prompt"
if [ "$KORYPH_ROLE" = reviewer ]; then task=review; else
  stage=$(sed -n 's/^# Your task: stage \`\\([a-z-]*\\)\` of bead .*/\\1/p' "$KORYPH_AGENT_DIR/prompt")
  task=\${stage:-work}
fi
me=$lab/starts/$KORYPH_BEAD.$task
printf '%s %s\\n' "$KORYPH_SESSION_MODE" "$KORYPH_SESSION" >>"$me"
n=$(($(wc -l <"$me")))
cp "$KORYPH_AGENT_DIR/prompt" "$me.$n.prompt"
printf '%s %s\\n' "$KORYPH_SLOT" "$$" >>"$lab/starts/$KORYPH_BEAD"

# One commit named $1, unless it is there.
commit() {
  [ -e "$KORYPH_BEAD-$1" ] && return
  printf '%s\\n' "$1" >"$KORYPH_BEAD-$1" && git add --all && git -c maintenance.auto=false commit --quiet -m "feat: $KORYPH_BEAD $1" || exit 9
}
# Puts the text $2 into the file $1, in a commit of its own.
put() {
  mkdir -p "$(dirname "$1")" && printf '%s\\n' "$2" >"$1" && git add --all --force && git -c maintenance.auto=false commit --quiet -m "\${3:-feat: $KORYPH_BEAD puts $2}" || exit 9
}
${AGENT_VERBS}cost() { printf '{"koryph":{"cost_usd":%s}}\\n' "$1"; }
session() { printf '{"koryph":{"session":"%s"}}\\n' "$1"; }

while [ "$n" -gt 1 ] && [ ! -e "$lab/agents/$KORYPH_BEAD.$task.$n" ]; do n=$((n - 1)); done
. "$lab/agents/$KORYPH_BEAD.$task.$n"
ended=$?
[ "$task" = review ] || git rev-parse HEAD >"$lab/starts/$KORYPH_BEAD.head"
exit $ended
`;

/** A reviewer's answer. */
export function answer(verdict: {
  blocking: boolean;
  criteria?: readonly object[];
  findings?: readonly object[];
}): string {
  return `cat <<'EOS'\n${JSON.stringify({ criteria: [], findings: [], ...verdict })}\nEOS\n`;
}

export const CLEAN = answer({ blocking: false });

export function blocking(summary: string): string {
  return answer({
    blocking: true,
    findings: [{ severity: "blocking", file: "README.md", line: 1, summary }],
  });
}
