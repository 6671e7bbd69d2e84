import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { judgeMoves, type Move } from "../world/rules/world-rules.js";
import type { Repository } from "../world/state.js";
import type { Mover } from "../world/world.js";

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

/** Answers the hook of one push; `moves` are what it was about, once it has asked, and empty where it was refused. */
export function answerHook(
  line: Duplex,
  { repository, mover }: { readonly repository: Repository; readonly mover: Mover },
): { moves(): readonly Move[] } {
  let asked = "";
  let moves: Move[] = [];
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
    judgeMoves({ repository, mover, env: objects === "" ? undefined : env }, wanted).then(
      (complaints) => {
        if (complaints.length === 0) moves = wanted;
        const verdict = complaints.length === 0 ? "accepted" : "refused";
        line.end([...complaints, verdict, ""].join("\n"));
      },
      (error: Error) => line.end(`error: ${error.message.split("\n")[0]}\nrefused\n`),
    );
  });
  return { moves: () => moves };
}
