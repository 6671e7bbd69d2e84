/**
 * Stands in for a coding agent in the demo, as worker and as reviewer: it reads its prompt, writes files, commits
 * and says so. One dies the first time, one breaks the gate until the report reaches it, one forgets half of its
 * task until the review sends it back, one touches what no agent may. Its HOME stays from attempt to attempt.
 */
export const DEMO_AGENT = `#!/bin/sh
set -e
prompt=$(cat)
status() { printf '{"state":"%s","step":"%s"}\\n' "$1" "$2" > "$KORYPH_AGENT_DIR/status.json"; }
told() { case $prompt in *"$1"*) true ;; *) false ;; esac; }
once() { [ -e "$HOME/$1" ] && return 1; touch "$HOME/$1"; }
save() { git add --all; git commit --quiet --message "$1"; }
echo '{"koryph":{"cost_usd":0.01}}'

if [ "$KORYPH_ROLE" = reviewer ]; then
  if [ "$KORYPH_BEAD" != kiosk-9 ]; then
    echo '{"blocking": false, "criteria": [], "findings": []}'
  elif grep -q '30 days' docs/returns.md; then
    echo '{"blocking": false, "criteria": [{"id": "AC1", "status": "satisfied", "evidence": "docs/returns.md:2"}], "findings": []}'
  else
    echo '{"blocking": true, "criteria": [{"id": "AC1", "status": "unsatisfied", "evidence": "docs/returns.md names no time"}], "findings": [{"severity": "blocking", "file": "docs/returns.md", "line": 1, "summary": "say how long"}]}'
  fi
  exit 0
fi

status working "reading the task"
title=$(printf '%s\\n' "$prompt" | sed -n 's/^# Your task: //p' | head -n 1)
sleep 1
mkdir -p src/catalog src/checkout src/search docs test .github
case $KORYPH_BEAD in
  kiosk-6)
    if told "The project's gate failed"; then
      echo 'export const singular = (word) => word.replace(/ies$/, "y").replace(/s$/, "");' > src/search/plurals.js
      save "fix(search): berries are berry, not berrie"
    else
      echo 'export const singular = (word) => word.replace(/s$/, "");' > src/search/plurals.js
      cat > test/plurals.test.js <<'EOF'
import assert from 'node:assert/strict';
import test from 'node:test';
import { singular } from '../src/search/plurals.js';
test("berries are found as berry", () => assert.equal(singular("berries"), "berry"));
EOF
      save "feat(search): find plurals"
    fi ;;
  kiosk-8)
    if once died; then
      echo "lost the thread" >&2
      exit 1
    fi
    echo 'export const categories = { fruit: { berries: {} } };' > src/catalog/categories.js
    save "feat(catalog): nested categories" ;;
  kiosk-9)
    echo "# Returns" > docs/returns.md
    if told "A reviewer sent your branch back"; then
      echo "Articles can be sent back within 30 days." >> docs/returns.md
      save "docs: say how long articles can be returned"
    else
      save "docs: explain returns"
    fi ;;
  kiosk-12)
    echo "on: push" > .github/quiet.yml
    save "ci: a quieter log" ;;
  *)
    echo "export const note = \\"$title\\";" > "src/checkout/$KORYPH_BEAD.js"
    save "feat(checkout): $KORYPH_BEAD" ;;
esac
status done "committed"
echo "$title" | tee "$KORYPH_AGENT_DIR/SUMMARY.md"
`;
