import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CurrentLinks, type Links } from '#http';
import { SigningKeys } from '../keys/signing-keys.js';
import { resourceMetadata, serverMetadata } from './metadata.js';

const CACHED = 'public, max-age=300';

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
  jwks() {
    return { keys: this.keys.jwks() };
  }
}
