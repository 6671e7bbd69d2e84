import { sharedFile } from "./shared-file.js";

/** JSON Schema, as far as anything here looks inside. */
export interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Content {
  readonly "application/json"?: { readonly schema: Schema };
}

export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: "path" | "query" | "header";
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

export interface ApiDescription {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

let description: ApiDescription | undefined;
let operations: ReadonlyMap<string, Operation> | undefined;

/** GitHub's own description of its REST API, cut down to the operations in use. Read when first asked for. */
export function apiDescription(): ApiDescription {
  description ??= JSON.parse(sharedFile("github-openapi.json")) as ApiDescription;
  return description;
}

/** Undefined for an id that is not in the extract. */
export function describedOperation(operationId: string): Operation | undefined {
  operations ??= new Map(
    Object.values(apiDescription().paths)
      .flatMap((methods) => Object.values(methods))
      .map((operation) => [operation.operationId, operation]),
  );
  return operations.get(operationId);
}
