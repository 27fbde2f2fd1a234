import { z } from 'zod';
import {
  auditEvents,
  bookingEvents,
  delegationEvents,
  flightEvents,
  mandateEvents,
  orderEvents,
  pauseEvents,
  securityLog,
  saleDaysEvents,
  ticketStockEvents,
  timetableEvents,
} from '#events';
import { EVENT_FORMS, type Form, INNER_FORMS, type Members } from '../../libs/verifier/src/testing/index.js';

/** The schemas by which the service writes, by category. Agent traffic is in no bundle. */
const SCHEMAS: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  mandate: mandateEvents,
  delegation: delegationEvents,
  pause: pauseEvents,
  booking: bookingEvents,
  order: orderEvents,
  flight: flightEvents,
  security: securityLog.schemas,
  audit: auditEvents,
  ticket: ticketStockEvents,
  timetable: timetableEvents,
  days: saleDaysEvents,
};

interface Schema {
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** What a verifier tells apart: names of ids and closed lists of words are texts to it. */
const kindOf = ({ type, pattern, properties, items, anyOf }: Schema): string => {
  if (typeof type === 'object') return `${kindOf({ type: type.find((one) => one !== 'null') ?? '' })} or null`;
  const or = anyOf?.filter((one) => one.type !== 'null').map(kindOf);
  if (or) return `${or.join()} or null`;
  if (type === 'string') return pattern?.includes('T') ? 'instant' : 'text';
  if (type === 'array') return items?.type === 'object' ? 'fares' : 'texts';
  if (type !== 'object' || !properties) return String(type);
  const names = Object.keys(properties);
  if (names.length === 2 && names.includes('currency')) return 'amount';
  if (names.includes('maxOrders')) return 'constraints';
  if (names.includes('max')) return 'bounds';
  if (names.includes('taxesRefundable')) return 'conditions';
  if (names.join() === 'checkout,payment') return 'ap2';
  return names.includes('unitPrice') ? 'line' : 'payment';
};

const KINDS: Readonly<Partial<Record<Form, string>>> = {
  now: 'instant',
  own: 'text',
  'own.holder': 'text',
  'own.clientId': 'text',
  grantor: 'text',
  constraint: 'text',
};

const schemaOf = (schema: z.ZodType): Schema => JSON.parse(JSON.stringify(z.toJSONSchema(schema))) as Schema;

const stated = ({ properties = {}, required = [] }: Schema): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, of]) => [required.includes(name) ? name : `${name}?`, kindOf(of)]),
  );
const told = (members: Members): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(members).map(([name, form]) => [name, KINDS[form] ?? form]));

describe('what a verifier asks of the form of events', () => {
  it('is what the service writes: the same types, and of each the same members', () => {
    expect(Object.keys(EVENT_FORMS).sort()).toEqual(Object.keys(SCHEMAS).sort());
    for (const [category, schemas] of Object.entries(SCHEMAS)) {
      const types = Object.entries(schemas).map(([type, schema]) => [type, stated(schemaOf(schema))]);
      const forms = Object.entries(EVENT_FORMS[category] ?? {}).map(([type, members]) => [type, told(members)]);
      expect(Object.fromEntries(forms)).toEqual(Object.fromEntries(types));
    }
  });

  it('is the same within an order, a payment, a fare and the constraints of a mandate', () => {
    const line = schemaOf(orderEvents.OrderPlaced).properties?.['line'] ?? {};
    const payment = schemaOf(orderEvents.OrderPaid).properties?.['payment'] ?? {};
    const fare = schemaOf(flightEvents.FaresRepriced).properties?.['fares']?.items ?? {};
    const constraints = schemaOf(mandateEvents.MandateCreated).properties?.['constraints'] ?? {};
    expect({
      line: stated(line),
      payment: stated(payment),
      fare: stated(fare),
      constraints: stated(constraints),
    }).toEqual(Object.fromEntries(Object.entries(INNER_FORMS).map(([name, members]) => [name, told(members)])));
  });
});
