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
  if [ -e docs/returns.md ] && ! grep -q '30 days' docs/returns.md; then
    echo '{"blocking": true, "criteria": [{"id": "AC1", "status": "unsatisfied", "evidence": "docs/returns.md names no time"}], "findings": [{"severity": "blocking", "file": "docs/returns.md", "line": 1, "summary": "say how long"}]}'
  elif [ -e docs/returns.md ]; then
    echo '{"blocking": false, "criteria": [{"id": "AC1", "status": "satisfied", "evidence": "docs/returns.md:2"}], "findings": [{"severity": "minor", "file": "docs/returns.md", "line": 2, "summary": "say who pays for sending it back"}]}'
  else
    echo '{"blocking": false, "criteria": [], "findings": []}'
  fi
  exit 0
fi

status working "reading the task"
sleep 0.5
mkdir -p src/catalog src/checkout src/search docs test .github
case $KORYPH_BEAD in
  gh-2)
    echo 'export const price = (amount, currency) => ({ amount, currency });' > src/catalog/price.js
    save "feat(catalog): prices carry a currency" ;;
  gh-3)
    echo 'export const convert = ({ amount }, rate, currency) => ({ amount: Math.round(amount * rate), currency });' > src/checkout/convert.js
    save "feat(checkout): convert the basket" ;;
  gh-4)
    if told "The project's gate failed"; then
      echo 'export const singular = (word) => word.replace(/ies$/, "y").replace(/s$/, "");' > src/search/plurals.js
      save "fix(search): berries are berry, not berrie"
    else
      echo 'export const singular = (word) => word.replace(/s$/, "");' > src/search/plurals.js
      cat > test/plurals.test.js <<'EOT'
import assert from 'node:assert/strict';
import test from 'node:test';
import { singular } from '../src/search/plurals.js';
test("berries are found as berry", () => assert.equal(singular("berries"), "berry"));
EOT
      save "feat(search): find plurals"
    fi ;;
  gh-5)
    echo "# Returns" > docs/returns.md
    if told "A reviewer sent your branch back"; then
      echo "Articles can be sent back within 30 days." >> docs/returns.md
      save "docs: say how long articles can be returned"
    else
      save "docs: explain returns"
    fi ;;
  gh-6)
    if once died; then
      echo "lost the thread" >&2
      exit 1
    fi
    echo 'export const shipping = (weight) => Math.ceil(weight / 500) * 390;' > src/checkout/shipping.js
    save "feat(checkout): show shipping costs" ;;
  *)
    echo "on: push" > .github/quiet.yml
    save "ci: a quieter log" ;;
esac
status done "committed"
echo "done" | tee "$KORYPH_AGENT_DIR/SUMMARY.md"
`;
