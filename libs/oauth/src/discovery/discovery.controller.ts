import { Controller, Get, Header, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CurrentLinks, type Links } from '#http';
import { Refusal } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { SigningKeys } from '../keys/signing-keys.js';
import { resourceMetadata, serverMetadata } from './metadata.js';

const CACHED = 'public, max-age=300';
const WELL_KNOWN = '/.well-known/oauth-authorization-server';

/** What a client finds out by itself. */
@ApiExcludeController()
@Controller()
export class DiscoveryController {
  constructor(private readonly keys: SigningKeys) {}

  @Get('.well-known/oauth-authorization-server')
  @Header('Cache-Control', CACHED)
  server(@CurrentLinks() links: Links) {
    return serverMetadata(links);
  }

  /** Where a client looks that knows an issuer with a path: between the host and that path (RFC 8414 §3.1). */
  @Get('.well-known/oauth-authorization-server/*')
  @Header('Cache-Control', CACHED)
  serverUnder(@Req() { url, links }: FastifyRequest) {
    const { pathname } = new URL(url, links.auth);
    if (pathname !== WELL_KNOWN + new URL(links.auth).pathname) throw new Refusal('route_not_found');
    return serverMetadata(links);
  }

  /** The API; also at the root, where a client looks that knows only the origin. */
  @Get(['.well-known/oauth-protected-resource', '.well-known/oauth-protected-resource/api/v1'])
  @Header('Cache-Control', CACHED)
  api(@CurrentLinks() links: Links) {
    return resourceMetadata('api', links);
  }

  @Get('.well-known/oauth-protected-resource/mcp')
  @Header('Cache-Control', CACHED)
  mcp(@CurrentLinks() links: Links) {
    return resourceMetadata('mcp', links);
  }

  /** RFC 7517 §5. */
  @Get('oauth/jwks')
  @Header('Cache-Control', CACHED)
  @Header('Content-Type', 'application/jwk-set+json')
  async jwks() {
    const keys = await this.keys.all();
    return { keys: keys.map(({ jwk }) => jwk) };
  }
}
