import { Controller, Get, Header, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { type BaseUrls, CurrentBaseUrls, type JsonSchema, schemaOf, wellKnown } from '#http';
import { CURRENCIES, DomainError, SCOPES } from '#kernel';
import { PAYMENT_MANDATE, PaymentMandateDetailDto } from '../authorize/authorization-details.js';
import { CLIENT_ALGORITHMS } from '../clients/client-keys.js';
import { PROMPTS } from '../authorize/authorization-requests.js';
import { PROOF_ALGORITHMS } from '../dpop/proof.js';
import { JWKS_MAX_AGE } from '../keys/signing-key.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { OAuthSettings } from '../oauth-settings.js';
import { ALL_SCOPE_NAMES, type Resource, resourceAddress, RESOURCES } from '../requested-access.js';

/** Where the schema of the details stands: its address is its `$id`, and does not change. */
export const detailsSchemaUrl = ({ auth }: BaseUrls): string => `${auth}/oauth/schemas/${PAYMENT_MANDATE}.json`;

/** The JSON Schema of one `authorization_details` element, made from the DTO that checks it. */
export const detailsSchema = (urls: BaseUrls) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: detailsSchemaUrl(urls),
  title: 'payment_mandate',
  description:
    'Um mandato de pagamento que o agente pede ao viajante (RFC 9396): um elemento de authorization_details, que tem de ' +
    'um a cinco. O viajante pode conceder outro valor ou prazo; o que concedeu vem na resposta do token.',
  ...closed(schemaOf(PaymentMandateDetailDto, true)),
  allOf: CURRENCIES.map(sameCurrency),
});

/** The same schema, in which no object has further members. */
const closed = (schema: JsonSchema): JsonSchema => {
  const { properties } = schema;
  if (!properties) return schema;
  const members = Object.entries(properties).map(([name, member]) => [name, closed(member)] as const);
  return { ...schema, properties: Object.fromEntries(members), additionalProperties: false };
};

/** A price is in the currency of the ceiling. */
const sameCurrency = (currency: string) => {
  const inIt = { properties: { currency: { const: currency } } };
  return {
    if: { properties: { limit: { ...inIt, required: ['currency'] } }, required: ['limit'] },
    then: {
      properties: {
        constraints: {
          properties: { maxPricePerSeat: inIt, orderTotal: { properties: { min: inIt, max: inIt } } },
        },
      },
    },
  };
};

const WITH_A_PROOF = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;
const CLIENT_AUTHENTICATION = [...WITH_A_PROOF, 'none'] as const;

/** Authorization server metadata (RFC 8414 §2; RFC 9126 §5; RFC 9207 §3; RFC 9449 §5.1; RFC 9728 §4). It names only what exists. */
export const serverMetadata = (urls: BaseUrls, { metadataClients, dynamicRegistration, ucp }: OAuthSettings) => ({
  issuer: urls.auth,
  authorization_endpoint: `${urls.auth}/oauth/authorize`,
  pushed_authorization_request_endpoint: `${urls.auth}/oauth/par`,
  token_endpoint: `${urls.auth}/oauth/token`,
  revocation_endpoint: `${urls.auth}/oauth/revoke`,
  introspection_endpoint: `${urls.auth}/oauth/introspect`,
  ...(dynamicRegistration && { registration_endpoint: `${urls.auth}/oauth/register` }),
  ...(metadataClients && { client_id_metadata_document_supported: true }),
  jwks_uri: `${urls.auth}/oauth/jwks`,
  scopes_supported: ucp ? ALL_SCOPE_NAMES : SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  prompt_values_supported: PROMPTS,
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
  revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
  // Not for public clients, which cannot authenticate (RFC 7662 §2.1).
  introspection_endpoint_auth_methods_supported: WITH_A_PROOF,
  ...Object.fromEntries(
    ['token', 'revocation', 'introspection'].map((name) => [
      `${name}_endpoint_auth_signing_alg_values_supported`,
      CLIENT_ALGORITHMS,
    ]),
  ),
  code_challenge_methods_supported: ['S256'],
  dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
  authorization_details_types_supported: [PAYMENT_MANDATE],
  // Our own member, as RFC 8414 §2 allows: no standard says yet where the schema of a type is.
  authorization_details_schemas: { [PAYMENT_MANDATE]: detailsSchemaUrl(urls) },
  authorization_response_iss_parameter_supported: true,
  // The default is true (OpenID Connect Discovery §3).
  request_uri_parameter_supported: false,
  protected_resources: RESOURCES.map((resource) => resourceAddress(resource, urls)),
  ui_locales_supported: ['pt-BR'],
  service_documentation: `${urls.site}/docs/agents`,
});

const RESOURCE_NAMES: Readonly<Record<Resource, string>> = {
  api: 'Alçada: API de reservas de voo',
  mcp: 'Alçada: ferramentas MCP',
};

/** Protected resource metadata (RFC 9728 §2). Each names its own resource, since clients refuse any other. */
export const resourceMetadata = (resource: Resource, urls: BaseUrls, requiresDpop: boolean) => ({
  resource: resourceAddress(resource, urls),
  resource_name: RESOURCE_NAMES[resource],
  authorization_servers: [urls.auth],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
  dpop_bound_access_tokens_required: requiresDpop,
});

const CACHED = 'public, max-age=300';
const SERVER = 'oauth-authorization-server';
const RESOURCE = 'oauth-protected-resource';

/** Discovery: the metadata of the server and its resources, the schema of authorization details, and the public keys. */
@ApiExcludeController()
@Controller()
export class DiscoveryController {
  constructor(
    private readonly keys: SigningKeys,
    private readonly settings: OAuthSettings,
  ) {}

  @Get(`.well-known/${SERVER}`)
  @Header('Cache-Control', CACHED)
  server(@CurrentBaseUrls() urls: BaseUrls) {
    return serverMetadata(urls, this.settings);
  }

  /** For a client that knows an issuer with a path. */
  @Get(`.well-known/${SERVER}/*`)
  @Header('Cache-Control', CACHED)
  serverUnder(@Req() { url, urls }: FastifyRequest) {
    if (!isAt(url, wellKnown(SERVER, urls.auth))) throw new DomainError('route_not_found');
    return serverMetadata(urls, this.settings);
  }

  /** The API, for a client that knows only the origin. */
  @Get(`.well-known/${RESOURCE}`)
  @Header('Cache-Control', CACHED)
  api(@CurrentBaseUrls() urls: BaseUrls) {
    return resourceMetadata('api', urls, this.settings.requiresDpop === true);
  }

  /** Each resource at the path that belongs to its own address. */
  @Get(`.well-known/${RESOURCE}/*`)
  @Header('Cache-Control', CACHED)
  resourceUnder(@Req() { url, urls }: FastifyRequest) {
    const resource = RESOURCES.find((one) => isAt(url, wellKnown(RESOURCE, resourceAddress(one, urls))));
    if (!resource) throw new DomainError('route_not_found');
    return resourceMetadata(resource, urls, this.settings.requiresDpop === true);
  }

  /** The schema of `authorization_details` (RFC 9396 §2). */
  @Get(`oauth/schemas/${PAYMENT_MANDATE}.json`)
  @Header('Cache-Control', CACHED)
  @Header('Content-Type', 'application/schema+json')
  detailsSchema(@CurrentBaseUrls() urls: BaseUrls) {
    return detailsSchema(urls);
  }

  /** RFC 7517 §5. A new key stands here for longer than this may be cached, before it signs. */
  @Get('oauth/jwks')
  @Header('Cache-Control', `public, max-age=${JWKS_MAX_AGE / 1_000}`)
  @Header('Content-Type', 'application/jwk-set+json')
  async jwks() {
    const keys = await this.keys.all();
    return { keys: keys.map(({ jwk }) => jwk) };
  }
}

const isAt = (url: string, address: string): boolean => url.split('?', 1)[0] === new URL(address).pathname;
