import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import { apiDescription, describedOperation, type Operation, type Schema } from "./api-description.js";
import { unknownFields } from "./unknown-fields.js";

const SHOWN_PROBLEMS = 8;
const BASE = "github";

let checkers: { readonly bodies: Ajv; readonly queries: Ajv } | undefined;
const compiled = new WeakMap<Schema, ValidateFunction>();

export interface SentRequest {
  readonly query?: URLSearchParams;
  /** What was sent as JSON; undefined or an empty object for nothing. */
  readonly body?: unknown;
}

/** What GitHub's description has against a request, a sentence each; nothing when it fits. */
export function checkRequest(operationId: string, { query, body }: SentRequest): string[] {
  const operation = describedOperation(operationId);
  if (operation === undefined) return [`${operationId} is not an operation in share/github-openapi.json`];
  return shorten([...checkQuery(operation, query ?? new URLSearchParams()), ...checkBody(operation, body)]);
}

/** What GitHub's description has against an answer; nothing when it fits. A body of undefined is none. */
export function checkResponse(operationId: string, status: number, body: unknown): string[] {
  const operation = describedOperation(operationId);
  if (operation === undefined) return [`${operationId} is not an operation in share/github-openapi.json`];
  const described = operation.responses[String(status)];
  if (described === undefined) return checkUndescribed(operationId, status, body);
  const schema = described.content["application/json"]?.schema;
  if (schema === undefined) {
    return body === undefined ? [] : [`${operationId} has no body when it answers ${status}`];
  }
  if (body === undefined) return [`${operationId} has a body when it answers ${status}`];
  return shorten(problemsOf(validatorOf(schema, "bodies"), body, "body"));
}

/** Any operation can fail in ways that its description does not list: no access, too many requests, a server in trouble. */
function checkUndescribed(operationId: string, status: number, body: unknown): string[] {
  if (status === 304) return body === undefined ? [] : ["an answer of 304 has no body"];
  if (status < 400) return [`${operationId} does not answer ${status}`];
  const message = (body as { message?: unknown } | null | undefined)?.message;
  return typeof message === "string" ? [] : [`an answer of ${status} has a message in its body`];
}

function checkQuery({ parameters }: Operation, query: URLSearchParams): string[] {
  const known = parameters.filter((parameter) => parameter.in === "query");
  const names = new Set(known.map(({ name }) => name));
  const unknown = [...query.keys()].filter((name) => !names.has(name));
  return [
    ...unknown.map((name) => `query.${name} is not known`),
    ...known.flatMap(({ name, required, schema }) => {
      const value = query.get(name);
      if (value === null) return required ? [`query.${name} is required`] : [];
      // Wrapped, so that the text can become the number or boolean it stands for.
      const wrapper = wrapped(schema);
      return problemsOf(validatorOf(wrapper, "queries"), { value }, `query.${name}`).map((problem) =>
        problem.replace(".value", ""),
      );
    }),
  ];
}

const wrappers = new WeakMap<Schema, Schema>();
function wrapped(schema: Schema): Schema {
  const wrapper = wrappers.get(schema) ?? { properties: { value: schema } };
  wrappers.set(schema, wrapper);
  return wrapper;
}

function checkBody({ operationId, requestBody }: Operation, body: unknown): string[] {
  const empty = body === undefined || (isObject(body) && Object.keys(body).length === 0);
  const schema = requestBody?.content["application/json"]?.schema;
  if (schema === undefined) return empty ? [] : [`${operationId} takes no body`];
  if (empty && requestBody?.required !== true) return [];
  return [
    ...problemsOf(validatorOf(schema, "bodies"), body ?? {}, "body"),
    ...unknownFields(schema, body ?? {}, "body", resolve).map((where) => `${where} is not known`),
  ];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function resolve(ref: string): Schema {
  const name = ref.slice("#/components/schemas/".length);
  const schema = apiDescription().components.schemas[name];
  if (schema === undefined) throw new Error(`share/github-openapi.json has no schema ${name}`);
  return schema.$ref === undefined ? schema : resolve(schema.$ref);
}

/** Compiling all of it takes most of a second, so each schema is compiled when it is first needed. */
function validatorOf(schema: Schema, kind: "bodies" | "queries"): ValidateFunction {
  checkers ??= { bodies: newChecker({}), queries: newChecker({ coerceTypes: true }) };
  const found = compiled.get(schema) ?? checkers[kind].compile(absolute(schema) as Schema);
  compiled.set(schema, found);
  return found;
}

function newChecker(options: { readonly coerceTypes?: boolean }): Ajv {
  // Not strict: GitHub uses formats of its own, and keywords beside the types they belong to.
  const checker = new Ajv({ strict: false, allErrors: true, logger: false, ...options });
  formats.default(checker);
  // GitHub gives bots addresses with brackets, which the usual rule for addresses does not have.
  checker.addFormat("email", /^[^@\s]+@[^@\s]+$/);
  return checker.addSchema({ $id: BASE, components: apiDescription().components });
}

/** References of a part that is compiled by itself must say which document they point into. */
function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === "$ref" && typeof part === "string" ? `${BASE}${part}` : absolute(part),
    ]),
  );
}

function problemsOf(validate: ValidateFunction, value: unknown, root: string): string[] {
  if (validate(value)) return [];
  return [...new Set((validate.errors ?? []).map((error) => sentence(error, root)))];
}

function sentence({ instancePath, keyword, message, params }: ErrorObject, root: string): string {
  const where = instancePath.replace(/\/(\d+)(?=\/|$)/g, "[$1]").replaceAll("/", ".");
  const allowed = keyword === "enum" ? ` ${(params.allowedValues as unknown[]).join(", ")}` : "";
  return `${root}${where} ${message ?? "does not fit"}${allowed}`;
}

function shorten(problems: readonly string[]): string[] {
  const left = problems.length - SHOWN_PROBLEMS;
  return left > 0 ? [...problems.slice(0, SHOWN_PROBLEMS), `and ${left} more`] : [...problems];
}
