import { z } from 'zod';
import { flightsOfCheckout, flightsOfOrder } from '../flights/flights.forms.js';
import { CHECKOUT, ORDER, VERSION } from '../versions.js';

const PROTOCOL = `https://ucp.dev/${VERSION}/schemas/shopping`;

const formOf = (form: z.ZodType): object => {
  const { $schema: _, ...schema } = z.toJSONSchema(form, { io: 'input' });
  return schema;
};

const extended = (name: 'checkout' | 'order', member: object) => ({
  allOf: [
    { $ref: `${PROTOCOL}/${name}.json` },
    { type: 'object', properties: { flights: { $ref: `#/$defs/flights_of_${name}`, ...member } } },
  ],
});

/** The schema of our extension. `address`: where the operator's domain has it. */
export const flightsSchema = (name: string, address: string) => ({
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
