import { Controller, Get, Header, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type BaseUrls, CurrentBaseUrls, wellKnown } from '#http';
import { DomainError } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { SigningKeys } from '../keys/signing-keys.js';
import { resourceAddress, RESOURCES } from '../requested-access.js';
import { resourceMetadata, serverMetadata } from './metadata.js';

const CACHED = 'public, max-age=300';
const SERVER = 'oauth-authorization-server';
const RESOURCE = 'oauth-protected-resource';

/** What a client finds out by itself. */
@ApiExcludeController()
@Controller()
export class DiscoveryController {
  constructor(private readonly keys: SigningKeys) {}

  @Get(`.well-known/${SERVER}`)
  @Header('Cache-Control', CACHED)
  server(@CurrentBaseUrls() urls: BaseUrls) {
    return serverMetadata(urls);
  }

  /** Where a client looks that knows an issuer with a path. */
  @Get(`.well-known/${SERVER}/*`)
  @Header('Cache-Control', CACHED)
  serverUnder(@Req() { url, urls }: FastifyRequest) {
    if (!isAt(url, wellKnown(SERVER, urls.auth))) throw new DomainError('route_not_found');
    return serverMetadata(urls);
  }

  /** The API, where a client looks that knows only the origin. */
  @Get(`.well-known/${RESOURCE}`)
  @Header('Cache-Control', CACHED)
  api(@CurrentBaseUrls() urls: BaseUrls) {
    return resourceMetadata('api', urls);
  }

  /** Each resource where its own address leads a client. */
  @Get(`.well-known/${RESOURCE}/*`)
  @Header('Cache-Control', CACHED)
  resourceUnder(@Req() { url, urls }: FastifyRequest) {
    const resource = RESOURCES.find((one) => isAt(url, wellKnown(RESOURCE, resourceAddress(one, urls))));
    if (!resource) throw new DomainError('route_not_found');
    return resourceMetadata(resource, urls);
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

/** Whether a request's URL is the path of `address`. */
const isAt = (url: string, address: string): boolean => url.split('?', 1)[0] === new URL(address).pathname;
