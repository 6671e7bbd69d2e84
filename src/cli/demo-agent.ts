/**
 * Stands in for a coding agent in the demo: it reads its task, writes a file, commits and says so. One of them
 * dies the first time. Its HOME is its own and stays from attempt to attempt.
 */
export const DEMO_AGENT = `#!/bin/sh
set -e
status() { printf '{"state":"%s","step":"%s"}\\n' "$1" "$2" > "$KORYPH_AGENT_DIR/status.json"; }
status working "reading the task"
title=$(sed -n 's/^# Your task: //p' | head -n 1)
sleep 1.5
if [ "$KORYPH_BEAD" = kiosk-8 ] && [ ! -e "$HOME/died-once" ]; then
  touch "$HOME/died-once"
  echo '{"koryph":{"cost_usd":0.01}}'
  echo "lost the thread" >&2
  exit 1
fi
mkdir -p notes
echo "$title" > "notes/$KORYPH_BEAD.md"
git add notes
git commit --quiet --message "feat: $KORYPH_BEAD"
status done "committed"
sleep 1
echo '{"koryph":{"cost_usd":0.01}}'
echo "wrote notes/$KORYPH_BEAD.md" | tee "$KORYPH_AGENT_DIR/SUMMARY.md"
`;
