import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSchema, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { SAMPLE } from "../../src/cli/demo/sandbox-sample.js";
import { ROUTES } from "../../src/sandbox/http/all-routes.js";
import { apiDescription, describedOperation } from "../../src/sandbox/http/api-description.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SCHEMA = buildSchema(readFileSync(`${ROOT}share/github.graphql`, "utf8"));

/** What the modules of a folder export, each with the name of its file. */
async function exportsOf(folder: string): Promise<{ file: string; name: string; value: unknown }[]> {
  if (!existsSync(ROOT + folder)) return [];
  const files = readdirSync(ROOT + folder).filter((name) => name.endsWith(".ts"));
  const modules = files.map(async (file) => {
    const found = (await import(`${ROOT}${folder}/${file}`)) as Record<string, unknown>;
    return Object.entries(found).map(([name, value]) => ({ file, name, value }));
  });
  return (await Promise.all(modules)).flat();
}

test("every GraphQL document is one GitHub understands", async () => {
  const documents = (await exportsOf("src/adapters/github/documents")).filter(
    (each): each is { file: string; name: string; value: string } => typeof each.value === "string",
  );
  expect(documents).not.toEqual([]);
  for (const { file, name, value } of documents) {
    const problems = validate(SCHEMA, parse(value)).map((problem) => problem.message);
    expect(problems, `${file}: ${name}`).toEqual([]);
  }
});

test("every route of the sandbox is an operation of GitHub's, with its method and path", () => {
  expect(ROUTES.length).toBeGreaterThan(50);
  const described = (path: string, method: string) =>
    apiDescription().paths[path]?.[method.toLowerCase()]?.operationId;
  const wrong = ROUTES.filter(({ operation, method, path }) => described(path, method) !== operation);
  expect(wrong.map(({ operation, method, path }) => `${operation}: ${method} ${path}`)).toEqual([]);
});

test("no operation has two routes, and every one in the extract has one", () => {
  const names = ROUTES.map(({ operation }) => operation);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  const all = Object.values(apiDescription().paths).flatMap((methods) => Object.values(methods));
  expect(all.map(({ operationId }) => operationId).filter((id) => !names.includes(id))).toEqual([]);
});

test("the App of the sandbox may do what the real one may", () => {
  const { default_permissions } = parseYaml(readFileSync(`${ROOT}app.yml`, "utf8"));
  expect(SAMPLE.permissions).toEqual(default_permissions);
});

test.each(["issues/create-comment", "apps/create-installation-access-token", "checks/create"])(
  "the extract keeps what %s takes and gives",
  (operation) => {
    const { requestBody, responses } = describedOperation(operation) ?? {};
    expect(requestBody?.content["application/json"]).toBeDefined();
    expect(responses?.["201"]?.content["application/json"]).toBeDefined();
  },
);
