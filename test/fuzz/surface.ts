import type { Schema } from '../support/json-schema.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

/** What an operation may answer under one status: codes (of an error), headers that are never missing, and forms by media type, null: no body. */
export interface Foreseen {
  readonly codes: ReadonlySet<string> | null;
  readonly headers: readonly string[];
  readonly forms: ReadonlyMap<string, Schema | null>;
}

export interface Operation {
  /** `POST /orders`, or the name of a tool behind its door. */
  readonly name: string;
  readonly method: string;
  /** Its path with `{names}` in the place of parameters. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  readonly scopes: readonly string[];
  readonly answers: ReadonlyMap<number, Foreseen>;
}

interface Media {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, unknown>>;
}
interface Described {
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers?: Readonly<Record<string, object>>;
        readonly content?: Readonly<Record<string, Media>>;
      }
    >
  >;
}
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, { readonly required?: boolean }>>;
  };
}

export interface Tool {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
}

const JSON_TYPE = 'application/json';

/** A schema that stands alone: what it points at is put in its place, and what only people read is left out. */
const standalone = (node: unknown, schemas: Readonly<Record<string, Schema>>): unknown => {
  if (Array.isArray(node)) return node.map((one) => standalone(one, schemas));
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node) return standalone(schemas[String(node.$ref).split('/').at(-1) ?? ''], schemas);
  const members = Object.entries(node).filter(([name]) => name !== 'example' && name !== 'examples');
  return Object.fromEntries(members.map(([name, member]) => [name, standalone(member, schemas)]));
};

/** A schema that has no room for what it does not name: so an answer with a member that is described nowhere shows. */
export const closed = (schema: Schema, isPart = false): Schema => {
  const inside = Object.fromEntries(
    Object.entries(schema).map(([name, member]) => {
      if (name === 'properties')
        return [
          name,
          Object.fromEntries(Object.entries(member as object).map(([key, one]) => [key, closed(one as Schema)])),
        ];
      if (name === 'items') return [name, closed(member as Schema)];
      if (['allOf', 'anyOf', 'oneOf'].includes(name))
        return [name, (member as Schema[]).map((one) => closed(one, true))];
      return [name, member];
    }),
  );
  const isOpen =
    isPart ||
    'additionalProperties' in schema ||
    !['properties', 'allOf', 'anyOf', 'oneOf'].some((name) => name in schema);
  return isOpen ? inside : { ...inside, unevaluatedProperties: false };
};

/** What the OpenAPI document says can be asked of the service, and what it may answer. */
export const operationsOf = (description: Description): readonly Operation[] =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security, parameters = [], requestBody, responses }]): Operation => {
      const { schemas, headers: described } = description.components;
      const schemaOf = (schema: Schema | undefined) => standalone(schema ?? {}, schemas) as Schema;
      const answers = Object.entries(responses).map(([status, { content = {}, headers = {} }]): [number, Foreseen] => [
        Number(status),
        {
          headers: Object.keys(headers).filter((name) => described[name]?.required),
          codes: status >= '400' ? new Set(Object.keys(content[JSON_TYPE]?.examples ?? {})) : null,
          forms: new Map(
            Object.entries(content).map(([type, { schema }]) => [type, schema ? closed(schemaOf(schema)) : null]),
          ),
        },
      ]);
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path: `/api/v1${path}`,
        parameters: parameters.map((one) => ({ ...one, schema: schemaOf(one.schema) })),
        body: requestBody ? schemaOf(requestBody.content[JSON_TYPE]?.schema) : null,
        scopes: security?.flatMap((one) => one['oauth2'] ?? []) ?? [],
        answers: new Map(answers),
      };
    }),
  );

/** All that is described: the API's operations, the doors of the tools among them or beside them, and the tools. */
export interface Surface {
  readonly described: readonly Operation[];
  readonly doors: readonly Operation[];
  readonly tools: readonly Tool[];
}

/** What parsers, limits and the router refuse at every address. */
export const EDGE = [400, 404, 405, 408, 413, 415, 429] as const;

const MCP: Operation = {
  name: 'POST /mcp',
  method: 'POST',
  path: '/mcp',
  parameters: [],
  body: null,
  scopes: [],
  answers: new Map(
    [200, 202, 401, 403, 406, ...EDGE].map((status) => [
      status,
      { codes: null, headers: [], forms: new Map<string, null>() },
    ]),
  ),
};

export const surfaceOf = async (origin: string): Promise<Surface> => {
  const read = async (path: string): Promise<unknown> => (await fetch(origin + path)).json();
  const described = operationsOf((await read('/api/v1/openapi.json')) as Parameters<typeof operationsOf>[0]);
  const { tools } = (await read('/.well-known/webmcp.json')) as { readonly tools: readonly Tool[] };
  return { described, tools, doors: [...described.filter(({ path }) => path.endsWith('/webmcp/call')), MCP] };
};
