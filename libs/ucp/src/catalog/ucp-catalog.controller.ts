import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { LimitedBy, Public } from '#http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UcpRequests } from '../platform/ucp-requests.js';
import { UcpErrors } from '../ucp-error.js';
import { CATALOG_LOOKUP, CATALOG_SEARCH } from '../versions.js';
import { UcpCatalog } from './ucp-catalog.js';

/** The catalogue by REST, for every platform (UCP, Catalog, REST Binding). */
@ApiExcludeController()
@Public()
@UcpErrors()
@LimitedBy('publicReads', 3)
@Controller('ucp/v1/catalog')
export class UcpCatalogController {
  constructor(
    private readonly requests: UcpRequests,
    private readonly catalog: UcpCatalog,
  ) {}

  @Post('search')
  @HttpCode(200)
  async search(
    @Body() input: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.catalog.search(await this.requests.of(request, reply, CATALOG_SEARCH), input);
  }

  @Post('lookup')
  @HttpCode(200)
  async lookup(
    @Body() input: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.catalog.lookup(await this.requests.of(request, reply, CATALOG_LOOKUP), input);
  }

  @Post('product')
  @HttpCode(200)
  async product(
    @Body() input: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.catalog.product(await this.requests.of(request, reply, CATALOG_LOOKUP), input);
  }
}
