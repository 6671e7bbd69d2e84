/**
 * A stand-in for Claude Code: it prints the stream that the real one prints, and the file `model` of its folder says,
 * as lines of sh, what becomes of a call. The folder's `calls` has a line for each: bead and model.
 */
export const SCRIPTED_CLAUDE = `#!/bin/sh
set -u
lab=$1
case "$*" in *--version*) echo "2.1.197 (Claude Code)"; exit 0 ;; esac
cat >/dev/null
model=none
while [ $# -gt 0 ]; do
  [ "$1" = --model ] && model=$2
  shift
done
printf '%s %s\\n' "$KORYPH_BEAD" "$model" >>"$lab/calls"
line() { printf '%s\\n' "$1"; }

# How the provider turns a call away: status, class, words.
refuse() {
  line '{"type":"assistant","message":{"content":[{"type":"text","text":"'"$3"'"}]},"error":"'"$2"'","session_id":"s"}'
  line '{"type":"result","subtype":"success","is_error":true,"api_error_status":'"$1"',"result":"'"$3"'","session_id":"s","total_cost_usd":0}'
  exit 1
}
# A failure of the work itself.
fail() {
  line '{"type":"result","subtype":"error_max_turns","is_error":true,"session_id":"s","total_cost_usd":0.1}'
  exit 1
}
work() {
  printf '%s\\n' "$KORYPH_BEAD" >"$KORYPH_BEAD-work"
  git add --all && git -c maintenance.auto=false commit --quiet -m "feat: $KORYPH_BEAD" || exit 9
  line '{"type":"assistant","message":{"content":[{"type":"text","text":"done"}]},"session_id":"s"}'
  line '{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s","total_cost_usd":0.1}'
  exit 0
}
calls() { wc -l <"$lab/calls"; }

line '{"type":"system","subtype":"init","session_id":"s","model":"'"$model"'","claude_code_version":"2.1.197"}'
. "$lab/model"
`;

/** Calls that were turned away because too many were made. */
export const LIMITED = "refuse 429 rate_limit 'API Error: Request rejected (429)'";
export const FORBIDDEN = "refuse 403 authentication_failed 'API Error: 403 forbidden'";
