/** What the reference reads of a description in OpenAPI 3.1; whatever is absent is not shown. */
export interface ApiDocument {
  readonly info: Described & { readonly title: string; readonly version: string };
  readonly tags?: readonly ApiTag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  /** By type, what is sent to those who subscribed to it. */
  readonly webhooks?: Readonly<Record<string, { readonly post: ApiOperation }>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, ApiSchema>>;
    readonly headers?: Readonly<Record<string, ApiHeader>>;
    readonly examples?: Readonly<Record<string, ApiExample>>;
    readonly securitySchemes?: Readonly<Record<string, ApiSecurityScheme>>;
  };
}

/** A text in English beside one in Portuguese, where there is one. */
interface Described {
  readonly description?: string;
  readonly 'x-description-en'?: string;
}

export interface ApiTag extends Described {
  readonly name: string;
  /** What people call it, in either language. */
  readonly 'x-title'?: string;
  readonly 'x-title-en'?: string;
}

export interface ApiOperation extends Described {
  readonly operationId: string;
  readonly summary?: string;
  readonly 'x-summary-en'?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Referable<ApiParameter>[];
  readonly requestBody?: Referable<ApiBody>;
  readonly responses: Readonly<Record<string, Referable<ApiResponse>>>;
}

export interface ApiParameter extends Described {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: ApiSchema;
  readonly example?: unknown;
  readonly examples?: ApiExamples;
}

export interface ApiBody extends Described {
  readonly required?: boolean;
  readonly content?: ApiContent;
}

export interface ApiResponse extends Described {
  readonly headers?: Readonly<Record<string, Referable<ApiHeader>>>;
  readonly content?: ApiContent;
}

export interface ApiHeader extends Described {
  readonly schema?: ApiSchema;
  readonly example?: unknown;
}

export type ApiContent = Readonly<Record<string, ApiMedia>>;

export interface ApiMedia {
  readonly schema?: ApiSchema;
  readonly example?: unknown;
  readonly examples?: ApiExamples;
}

type ApiExamples = Readonly<Record<string, Referable<ApiExample>>>;

export interface ApiExample extends Described {
  readonly summary?: string;
  readonly value?: unknown;
}

export interface ApiSchema extends Described {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly title?: string;
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | ApiSchema;
  readonly items?: ApiSchema;
  readonly allOf?: readonly ApiSchema[];
  readonly anyOf?: readonly ApiSchema[];
  readonly oneOf?: readonly ApiSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

interface ApiSecurityScheme {
  readonly 'x-scopes-en'?: Readonly<Partial<Record<string, string>>>;
  readonly flows?: Readonly<Record<string, { readonly scopes?: Readonly<Record<string, string>> }>>;
}

export type Referable<Thing extends object> = Thing | { readonly $ref: string };

export interface PlacedOperation extends ApiOperation {
  readonly method: string;
  readonly path: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export const operationsOf = ({ paths }: ApiDocument): readonly PlacedOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ ...operation, method: method.toUpperCase(), path }] : [];
    }),
  );

/** What stands at a reference: what it was taken for is what the document's own description says that it is. */
export const resolved = <Thing extends object>(document: ApiDocument, thing: Referable<Thing>): Thing => {
  if (!('$ref' in thing) || typeof thing.$ref !== 'string') return thing as Thing;
  const names = thing.$ref.slice(2).split('/');
  return names.reduce<unknown>((node, name) => (node as Readonly<Record<string, unknown>>)[name], document) as Thing;
};

/** The name of the schema that a reference names, or null. */
export const nameOf = ({ $ref }: ApiSchema): string | null => $ref?.replace('#/components/schemas/', '') ?? null;

/** Of a message its JSON, or whatever else it is. */
export const mediaOf = (content: ApiContent = {}): readonly [type: string, media: ApiMedia] | null => {
  const types = Object.entries(content);
  return types.find(([type]) => type === 'application/json') ?? types[0] ?? null;
};

export const scopesOf = ({ security = [] }: ApiOperation): readonly string[] => [
  ...new Set(security.flatMap((schemes) => Object.values(schemes).flat())),
];
