import { Controller, Get, Header, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type BaseUrls, CurrentBaseUrls, ErrorsAs, ETagInterceptor, Public } from '#http';
import { z } from 'zod';
import { flightsCapability } from '../capabilities.js';
import { INSTRUMENT } from '../payment/mandate-tokens.js';
import { UcpError, ucpErrors } from '../ucp-error.js';
import { UcpSettings } from '../ucp-settings.js';
import { CHECKOUT, ORDER, VERSION } from '../versions.js';
import { flightsOfCheckout, flightsOfOrder } from '../flights/flights.forms.js';

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

const PROTOCOL = `https://ucp.dev/${VERSION}/schemas`;

const variant = (name: string) => ({ $ref: `${PROTOCOL}/payment_handler.json#/$defs/${name}` });

/** The schema of our payment handler, its instruments and what they carry. `address`: where it is. */
const mandateTokenSchema = (kind: string, address: string) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: address,
  title: 'Mandate Token',
  description: 'A token for one mandate of a traveller, one card and one platform.',
  $defs: {
    business_schema: variant('business_schema'),
    platform_schema: variant('platform_schema'),
    response_schema: variant('response_schema'),
    credential: {
      allOf: [
        { $ref: `${PROTOCOL}/shopping/types/token_credential.json` },
        {
          type: 'object',
          required: ['type', 'token'],
          properties: { type: { const: kind }, token: { type: 'string', maxLength: 4_096 } },
        },
      ],
    },
    instrument: {
      allOf: [
        { $ref: `${PROTOCOL}/shopping/types/payment_instrument.json` },
        {
          type: 'object',
          required: ['type', 'credential'],
          properties: { type: { const: kind }, credential: { $ref: '#/$defs/credential' } },
        },
      ],
    },
  },
});

const formOf = (form: z.ZodType): object => {
  const { $schema: _, ...schema } = z.toJSONSchema(form, { io: 'input' });
  return schema;
};

const extended = (name: 'checkout' | 'order', member: object) => ({
  allOf: [
    { $ref: `${PROTOCOL}/shopping/${name}.json` },
    { type: 'object', properties: { flights: { $ref: `#/$defs/flights_of_${name}`, ...member } } },
  ],
});

/** The schema of our extension. `address`: where the operator's domain has it. */
const flightsSchema = (name: string, address: string) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: address,
  name,
  version: VERSION,
  title: 'Flights Extension',
  description: 'Extends checkout and order with passengers, segments, conditions of cancellation and tickets.',
  $defs: {
    flights_of_checkout: formOf(flightsOfCheckout),
    flights_of_order: formOf(flightsOfOrder),
    // Of a request `passengers` alone is read: replaced as a whole, and kept out of everything else.
    [CHECKOUT]: extended('checkout', { ucp_request: { create: 'optional', update: 'optional', complete: 'omit' } }),
    [ORDER]: extended('order', {}),
  },
});
