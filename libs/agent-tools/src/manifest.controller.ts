import { Controller, Get, Header, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type BaseUrls, CurrentBaseUrls, ETagInterceptor, Public, wellKnown } from '#http';
import { MANDATE_SCOPES } from '#kernel';
import { WEBMCP_SCRIPT } from './panel/panel.controller.js';
import { ERROR_SCHEMA } from './run-tool.js';
import { TOOLS } from './tools/tools.js';

/** The version of the interface (docs/interface.md, Versioning). */
export const VERSION = '1.0.0';
export const NAME = 'Alçada';

/** The WebMCP manifest (docs/interface.md, What the service does, 5). Its members and tools stand in one order, always. */
const manifestOf = ({ base, site, auth }: BaseUrls) => ({
  version: VERSION,
  name: NAME,
  description: 'Busca e compra de voos por agentes, até o limite que o viajante definiu.',
  documentation: `${site}/docs/agents`,
  dispatch: { method: 'POST', url: `${base}/webmcp/call` },
  script: { url: `${site}/webmcp.js`, integrity: WEBMCP_SCRIPT.integrity },
  mcp: { transport: 'streamable-http', url: `${site}/mcp` },
  authorization: {
    type: 'oauth2',
    issuer: auth,
    serverMetadata: wellKnown('oauth-authorization-server', auth),
    resource: base,
    resourceMetadata: wellKnown('oauth-protected-resource', base),
    // No tool manages webhooks.
    scopes: MANDATE_SCOPES,
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

@ApiExcludeController()
@Public()
@Controller('.well-known/webmcp.json')
export class ManifestController {
  @Get()
  @Header('cache-control', 'public, max-age=3600')
  // Where no address is configured, the one of the request is in it.
  @Header('vary', 'Host')
  @UseInterceptors(ETagInterceptor)
  get(@CurrentBaseUrls() urls: BaseUrls) {
    return manifestOf(urls);
  }
}
