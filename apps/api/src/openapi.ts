import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { API, type Links } from '#http';
import { SCOPES } from '#kernel';

const PREFIX = `/${API}`;

/** What each scope grants, in the words of the consent page (interface.md, Scopes). */
const SCOPE_TEXTS: Readonly<Record<(typeof SCOPES)[number], string>> = {
  'catalog:read': 'ler voos, tarifas, horários e disponibilidade',
  'booking:write': 'criar e mudar reservas',
  'order:write': 'confirmar reservas e emitir bilhetes',
  'mandate:create': 'criar mandatos de pagamento com teto e validade',
  'payment:execute': 'cobrar dentro do teto de um mandato válido',
  'receipt:read': 'ler recibos, itinerário e histórico de bilhetes',
};

/** The API as OpenAPI 3.1, from the controllers and DTOs themselves; paths are relative to `{base_url}`. */
export const openApiDocument = (app: INestApplication, { auth }: Links): OpenAPIObject => {
  const settings = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Alçada')
    .setDescription('API pela qual agentes autônomos compram voos, até a alçada que o viajante lhes deu.')
    .setVersion('1.0.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(PREFIX)
    .addOAuth2({
      type: 'oauth2',
      description: 'OAuth 2.1: authorization code com PKCE (S256).',
      flows: {
        authorizationCode: {
          authorizationUrl: `${auth}/oauth/authorize`,
          tokenUrl: `${auth}/oauth/token`,
          refreshUrl: `${auth}/oauth/token`,
          scopes: SCOPE_TEXTS,
        },
      },
    })
    .build();
  const document = SwaggerModule.createDocument(app, settings);
  const paths = Object.entries(document.paths)
    .filter(([path]) => path.startsWith(PREFIX))
    .map(([path, item]) => [path.slice(PREFIX.length), item] as const);
  return inVersion31({ ...document, paths: Object.fromEntries(paths) });
};

/** `nullable` is a word of OpenAPI 3.0; 3.1 says it in JSON Schema's own: null is one of the types. */
const inVersion31 = <Node>(node: Node): Node => {
  if (Array.isArray(node)) return node.map(inVersion31) as Node;
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = node as { nullable?: boolean; type?: string; allOf?: unknown[] };
  const members = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, inVersion31(value)]));
  if (nullable !== true) return members as Node;
  if (typeof rest.type === 'string') return { ...members, type: [rest.type, 'null'] } as Node;
  const { allOf, $ref, ...others } = members;
  const reference = Array.isArray(allOf) ? (allOf as unknown[]) : [{ $ref }];
  return { ...others, anyOf: [...reference, { type: 'null' }] } as Node;
};
