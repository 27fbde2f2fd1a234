import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { LimitedBy, Public } from '#http';
import type { Asking } from '../asking.js';
import { AskingFor } from '../platform/ucp-requests.js';
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
  constructor(private readonly catalog: UcpCatalog) {}

  @Post('search')
  @HttpCode(200)
  search(@AskingFor(CATALOG_SEARCH) asking: Asking, @Body() input: unknown): Promise<object> {
    return this.catalog.search(asking, input);
  }

  @Post('lookup')
  @HttpCode(200)
  lookup(@AskingFor(CATALOG_LOOKUP) asking: Asking, @Body() input: unknown): Promise<object> {
    return this.catalog.lookup(asking, input);
  }

  @Post('product')
  @HttpCode(200)
  product(@AskingFor(CATALOG_LOOKUP) asking: Asking, @Body() input: unknown): Promise<object> {
    return this.catalog.product(asking, input);
  }
}
