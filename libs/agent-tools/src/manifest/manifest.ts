import { type BaseUrls, wellKnown } from '#http';
import { SCOPES } from '#kernel';
import { ERROR_SCHEMA } from '../call-tool-result.js';
import { TOOLS } from '../tools/tools.js';
import type { BrowserScript } from './browser-script.js';

/** The version of the interface (docs/interface.md, Versioning). */
export const VERSION = '1.0.0';
export const NAME = 'Alçada';

/** The WebMCP manifest (docs/interface.md, What the service does, 5). Its members and tools stand in one order, always. */
export const manifestOf = ({ base, site, auth }: BaseUrls, script: BrowserScript) => ({
  version: VERSION,
  name: NAME,
  description: 'Busca e compra de voos por agentes, até o limite que o viajante deu.',
  documentation: `${site}/docs/agents`,
  dispatch: { method: 'POST', url: `${base}/webmcp/call` },
  script: { url: `${site}/webmcp.js`, integrity: script.integrity },
  mcp: { transport: 'streamable-http', url: `${site}/mcp` },
  authorization: {
    type: 'oauth2',
    issuer: auth,
    serverMetadata: wellKnown('oauth-authorization-server', auth),
    resource: base,
    resourceMetadata: wellKnown('oauth-protected-resource', base),
    scopes: SCOPES,
  },
  schemaDialect: 'https://json-schema.org/draft/2020-12/schema',
  tools: TOOLS.map(({ name, title, description, access, scopes, annotations, inputSchema, outputSchema }) => ({
    name,
    title,
    description,
    access,
    scopes,
    annotations,
    inputSchema,
    outputSchema,
  })),
  refusalSchema: ERROR_SCHEMA,
});
