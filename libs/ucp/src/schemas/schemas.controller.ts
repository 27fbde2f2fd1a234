import { Controller, Get, Header, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type BaseUrls, CurrentBaseUrls, ErrorsAs, ETagInterceptor, Public } from '#http';
import { flightsCapability } from '../capabilities.js';
import { INSTRUMENT } from '../payment/mandate-tokens.js';
import { UcpError, ucpErrors } from '../ucp-error.js';
import { UcpSettings } from '../ucp-settings.js';
import { flightsSchema } from './flights-schema.js';
import { mandateTokenSchema } from './mandate-token-schema.js';

/** The schemas of what is our own in the protocol. */
@ApiExcludeController()
@Public()
@ErrorsAs(ucpErrors)
@Controller('ucp/v1/schemas')
export class SchemasController {
  constructor(private readonly settings: UcpSettings) {}

  @Get('flights')
  @Header('Cache-Control', 'public, max-age=300')
  @UseInterceptors(ETagInterceptor)
  flights() {
    const { namespace } = this.settings;
    if (namespace === null) throw new UcpError(404, 'not_found', 'A extensão de voos não é oferecida aqui.');
    const { name, schema } = flightsCapability(namespace);
    return flightsSchema(name, schema);
  }

  @Get('mandate-token')
  @Header('Cache-Control', 'public, max-age=300')
  @UseInterceptors(ETagInterceptor)
  mandateToken(@CurrentBaseUrls() { site }: BaseUrls) {
    return mandateTokenSchema(INSTRUMENT, `${site}/ucp/v1/schemas/mandate-token`);
  }
}
