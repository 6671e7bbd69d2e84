import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { judgeMoves, type MoveRefusal } from "../world/rules/judge-moves.js";
import type { Judging, Move } from "../world/rules/move.js";
import type { Repository } from "../world/state.js";

/** Set for a git whose descriptor 3 leads to the server: others may have something of their own open there. */
export const HOOK_LINE = { KORYPH_SANDBOX_LINE: "3" };

/**
 * Asks on descriptor 3, which the server gave to git, and obeys. Objects of a push lie in quarantine until the hook has
 * agreed, so the server is told where. Who pushes past the server is told the way.
 */
const HOOK = (address: string) => `#!/bin/sh
if [ "$KORYPH_SANDBOX_LINE" != 3 ]; then
  cat >/dev/null
  echo "push to ${address} instead: the sandbox must be running and asks for a token" >&2
  exit 1
fi
{
  printf '%s\\n' "$GIT_OBJECT_DIRECTORY" "$GIT_ALTERNATE_OBJECT_DIRECTORIES" "$GIT_QUARANTINE_PATH"
  cat
  echo end
} >&3 || exit 1
code=1
while IFS= read -r line <&3; do
  case "$line" in
    accepted) code=0; break ;;
    refused) break ;;
    *) printf '%s\\n' "$line" >&2 ;;
  esac
done
exit $code
`;

/** `url` is the sandbox's. */
export async function installHook(
  url: string,
  { owner, name, gitDir }: Pick<Repository, "owner" | "name" | "gitDir">,
): Promise<void> {
  const path = join(gitDir, "hooks", "pre-receive");
  // Encoded, it has nothing in it that a shell would read as its own.
  await writeFile(path, HOOK(`${url}/${encodeURIComponent(owner)}/${encodeURIComponent(name)}.git`));
  await chmod(path, 0o755);
}

/**
 * Answers the hook of one push. `moves` are what it was about, once it has asked, and empty where it was refused;
 * `refusals` say why.
 */
export function answerHook(
  line: Duplex,
  { world, repository, mover }: Omit<Judging, "env">,
): { moves(): readonly Move[]; refusals(): readonly MoveRefusal[] } {
  let asked = "";
  let moves: Move[] = [];
  let refusals: readonly MoveRefusal[] = [];
  line.on("error", () => {});
  line.setEncoding("utf8").on("data", (text: string) => {
    asked += text;
    if (!asked.endsWith("\nend\n")) return;
    const [objects = "", alternates = "", quarantine = "", ...updates] = asked.split("\n").slice(0, -2);
    const wanted = updates.map((update): Move => {
      const [before = "", after = "", ref = ""] = update.split(" ");
      return { ref, before, after };
    });
    const env = {
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates,
      GIT_QUARANTINE_PATH: quarantine,
    };
    judgeMoves({ world, repository, mover, env: objects === "" ? undefined : env }, wanted).then(
      (judgement) => {
        refusals = judgement.refusals;
        const refused = refusals.length > 0;
        if (!refused) moves = wanted;
        const lines = refused ? refusals.flatMap((refusal) => refusal.lines) : judgement.notes;
        line.end([...lines, refused ? "refused" : "accepted", ""].join("\n"));
      },
      (error: Error) => line.end(`error: ${error.message.split("\n")[0]}\nrefused\n`),
    );
  });
  return { moves: () => moves, refusals: () => refusals };
}
