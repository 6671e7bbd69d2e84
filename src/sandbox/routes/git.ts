import { moverOf } from "../auth/auth.js";
import { refValue } from "../git/world-refs.js";
import type { JsonObject } from "../http/json.js";
import { type Call, HttpRefusal, type Route, repositoryOf } from "../http/route.js";
import { repositoryUrl } from "../render/repository.js";
import { nodeId } from "../render/user.js";
import { NOTHING } from "../world/rules/move.js";
import type { Repository } from "../world/state.js";
import type { WantedMove, World } from "../world/world.js";

const READ = { contents: "read" } as const;
const WRITE = { contents: "write" } as const;

export const gitRoutes: readonly Route[] = [
  {
    operation: "git/get-ref",
    method: "GET",
    path: "/repos/{owner}/{repo}/git/ref/{ref}",
    needs: READ,
    answer: async (call) => {
      const found = await findRef(call, `refs/${call.params.ref}`);
      if (found === undefined) throw new HttpRefusal(404, "Not Found");
      return { status: 200, body: found };
    },
  },
  {
    operation: "git/create-ref",
    method: "POST",
    path: "/repos/{owner}/{repo}/git/refs",
    needs: WRITE,
    answer: async (call) => {
      const ref = String(call.body.ref);
      if (!/^refs\/[^/]+\/.+/.test(ref)) throw new HttpRefusal(422, "Reference name must start with 'refs/'");
      const body = await move(call, { ref, before: NOTHING, after: String(call.body.sha) });
      return { status: 201, body };
    },
  },
  {
    operation: "git/update-ref",
    method: "PATCH",
    path: "/repos/{owner}/{repo}/git/refs/{ref}",
    needs: WRITE,
    answer: async (call) => {
      const ref = `refs/${call.params.ref}`;
      if ((await refValue(repositoryOf(call), ref)) === NOTHING)
        throw new HttpRefusal(422, "Reference does not exist");
      const force = call.body.force === true;
      return {
        status: 200,
        body: await move(call, { ref, before: null, after: String(call.body.sha), force }),
      };
    },
  },
  {
    operation: "git/delete-ref",
    method: "DELETE",
    path: "/repos/{owner}/{repo}/git/refs/{ref}",
    needs: WRITE,
    answer: async (call) => {
      await move(call, { ref: `refs/${call.params.ref}`, before: null, after: NOTHING });
      return { status: 204 };
    },
  },
];

async function move(call: Call, wanted: WantedMove): Promise<JsonObject> {
  const repository = repositoryOf(call);
  const complaints = await call.world.moveRefs(repository, moverOf(call.caller), [wanted]);
  if (complaints.length > 0) throw new HttpRefusal(422, complaints.join("\n"));
  return renderRef(call.world, repository, { ref: wanted.ref, sha: wanted.after, kind: "commit" });
}

async function findRef(call: Call, name: string): Promise<JsonObject | undefined> {
  const repository = repositoryOf(call);
  const format = "--format=%(objectname) %(objecttype) %(refname)";
  const list = await call.world.git(repository, ["for-each-ref", format, "--", name]);
  return list
    .split("\n")
    .map((line) => line.split(" "))
    .filter(([, , ref]) => ref === name)
    .map(([sha = "", kind = "", ref = ""]) => renderRef(call.world, repository, { ref, sha, kind }))[0];
}

function renderRef(
  world: World,
  repository: Repository,
  { ref, sha, kind }: { readonly ref: string; readonly sha: string; readonly kind: string },
): JsonObject {
  const url = `${repositoryUrl(world, repository)}/git`;
  return {
    ref,
    node_id: nodeId("Ref", `${repository.id}:${ref}`),
    url: `${url}/${ref}`,
    object: { sha, type: kind, url: `${url}/${kind}s/${sha}` },
  };
}
