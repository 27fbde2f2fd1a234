import { type BaseUrls, type JsonSchema, schemaOf } from '#http';
import { CURRENCIES } from '#kernel';
import { PAYMENT_MANDATE, PaymentMandateDetailDto } from '../authorize/authorization-details.js';

/** Where the schema of the details stands: its address is its `$id`, and does not change. */
export const detailsSchemaUrl = ({ auth }: BaseUrls): string => `${auth}/oauth/schemas/${PAYMENT_MANDATE}.json`;

/**
 * The JSON Schema (2020-12) of one element of `authorization_details`, made of the DTO that checks it. It accepts exactly
 * what the authorization endpoint does, which a property holds (details-schema.spec.ts).
 */
export const detailsSchema = (urls: BaseUrls) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: detailsSchemaUrl(urls),
  title: 'payment_mandate',
  description:
    'Um mandato de pagamento que o agente pede ao viajante (RFC 9396): um elemento de authorization_details, que tem de ' +
    'um a cinco. O viajante pode conceder outro valor ou prazo; o que concedeu vem na resposta do token.',
  ...closed(schemaOf(PaymentMandateDetailDto, true)),
  allOf: CURRENCIES.map(sameCurrency),
});

/** The same schema, in which no object has further members. */
const closed = (schema: JsonSchema): JsonSchema => {
  const { properties } = schema;
  if (!properties) return schema;
  const members = Object.entries(properties).map(([name, member]) => [name, closed(member)] as const);
  return { ...schema, properties: Object.fromEntries(members), additionalProperties: false };
};

/** A price is in the currency of the ceiling. */
const sameCurrency = (currency: string) => {
  const inIt = { properties: { currency: { const: currency } } };
  return {
    if: { properties: { limit: { ...inIt, required: ['currency'] } }, required: ['limit'] },
    then: { properties: { constraints: { properties: { maxPricePerSeat: inIt } } } },
  };
};
