import { renderPushEvent } from "../render/push.js";
import { judgeMoves } from "../world/rules/judge-moves.js";
import { type Move, NOTHING } from "../world/rules/move.js";
import type { Activity, Repository } from "../world/state.js";
import type { Mover, WantedMove, World } from "../world/world.js";
import { isAncestor, readRefFile, tryGit } from "./world-git.js";

/** The value of a ref; all zeros when there is no such ref. */
export async function refValue(repository: Repository, ref: string): Promise<string> {
  const read = await readRefFile(repository, ref);
  if (read !== null) return read === "absent" ? NOTHING : read;
  const { code, stdout } = await tryGit(repository.gitDir, [
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    ref,
  ]);
  return code === 0 ? stdout.toString().trim() : NOTHING;
}

/** Moves refs all or none. Empty when it was done, otherwise why it was not. */
export async function applyMoves(
  world: World,
  repository: Repository,
  { mover, wanted }: { readonly mover: Mover; readonly wanted: readonly WantedMove[] },
): Promise<{ complaints: readonly string[]; moves: readonly Move[] }> {
  const moves: Move[] = [];
  const complaints: string[] = [];
  for (const move of wanted) {
    const now = await refValue(repository, move.ref);
    complaints.push(...(await faultsOf(repository, move, now)));
    moves.push({ ref: move.ref, before: now, after: move.after });
  }
  if (complaints.length === 0) {
    const { refusals } = await judgeMoves({ world, repository, mover }, moves);
    complaints.push(...refusals.map(({ answer }) => answer));
  }
  if (complaints.length > 0) return { complaints, moves: [] };
  const lines = moves.map(({ ref, before, after }) => `update ${ref}\0${after}\0${before}\0`);
  const { code, stderr } = await tryGit(repository.gitDir, ["update-ref", "--no-deref", "--stdin", "-z"], {
    input: lines.join(""),
  });
  return code === 0 ? { complaints: [], moves } : { complaints: [stderr.trim()], moves: [] };
}

async function faultsOf(repository: Repository, move: WantedMove, now: string): Promise<string[]> {
  if ((await tryGit(repository.gitDir, ["check-ref-format", move.ref])).code !== 0)
    return [`${move.ref} is not a valid ref name.`];
  if (move.before === NOTHING && now !== NOTHING) return ["Reference already exists"];
  if (move.before !== null && move.before !== now)
    return [`${move.ref} is at ${now} but expected ${move.before}`];
  if (move.after === NOTHING) return now === NOTHING ? ["Reference does not exist"] : [];
  const kind = await tryGit(repository.gitDir, ["cat-file", "-t", move.after]);
  if (kind.code !== 0) return ["Object does not exist"];
  if (move.ref.startsWith("refs/heads/") && kind.stdout.toString().trim() !== "commit")
    return ["Reference update failed"];
  if (move.force || now === NOTHING || (await isAncestor(repository, [now, move.after]))) return [];
  return ["Update is not a fast forward"];
}

interface Told {
  readonly login: string;
  readonly moves: readonly Move[];
  readonly kind?: Activity["kind"];
}

/** Writes down what moved, and tells those who listen. */
export async function announceMoves(
  world: World,
  repository: Repository,
  { login, moves, kind: how }: Told,
): Promise<void> {
  for (const move of moves) {
    if (move.before === move.after) continue;
    repository.activity.push({
      ...{ id: world.newId(), ...move, actor: login, at: world.timestamp() },
      ...(how === undefined ? {} : { kind: how }),
    });
    const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/.exec(move.ref) ?? [];
    // GitHub says nothing about refs that are neither branches nor tags.
    if (kind === undefined || name === undefined) continue;
    const born = move.before === NOTHING;
    if (born || move.after === NOTHING)
      world.tell({
        event: born ? "create" : "delete",
        action: null,
        repository,
        sender: login,
        payload: {
          ref: name,
          ref_type: kind === "heads" ? "branch" : "tag",
          ...(born ? { master_branch: repository.defaultBranch, description: null } : {}),
          pusher_type: "user",
        },
      });
    if (!world.heard("push", repository)) continue;
    const payload = await renderPushEvent(world, repository, { move, login });
    world.tell({ event: "push", action: null, repository, sender: login, payload });
  }
}
