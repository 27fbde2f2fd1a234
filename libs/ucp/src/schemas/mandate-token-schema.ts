import { VERSION } from '../versions.js';

const PROTOCOL = `https://ucp.dev/${VERSION}/schemas`;

const variant = (name: string) => ({ $ref: `${PROTOCOL}/payment_handler.json#/$defs/${name}` });

/** The schema of our payment handler, its instruments and what they carry. `address`: where it is. */
export const mandateTokenSchema = (kind: string, address: string) => ({
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
