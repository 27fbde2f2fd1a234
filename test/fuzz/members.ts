import { MANDATE_SCOPES } from '#kernel';
import type { Schema } from '../support/json-schema.js';
import { CHALLENGED_CARD } from '../support/challenge.js';
import { DECLINED_CARD, GOOD_CARD } from '../support/purchase.js';
import { FLIGHTS } from './flights.js';
import type { Random } from './random.js';
import { type Actor, type Kind, someId, type World } from './world.js';

export interface Asking {
  readonly random: Random;
  readonly world: World;
  readonly actor: Actor;
}

const FARES = ['LEVE', 'LEVE', 'CLASSICA', 'FLEX', 'NENHUMA'];
const CARDS = [
  ...[GOOD_CARD, GOOD_CARD, GOOD_CARD, DECLINED_CARD, CHALLENGED_CARD],
  { ...GOOD_CARD, cardNumber: '4000000000009995' },
  { ...GOOD_CARD, expiry: '01/20' },
  { ...GOOD_CARD, cardNumber: '4242424242424241' },
  { ...GOOD_CARD, expiry: '2031-07', cvc: '1234' },
];
const AIRPORTS = ['GRU', 'CGH', 'REC', 'CNF', 'SDU', 'XXX'];
const STATUSES = ['valid', 'revoked', 'expired', 'pending', 'paused', 'exhausted', 'paid', 'failed', 'cancelled'];
const OPERATIONS = ['searchFlights', 'createBooking', 'placeOrder', 'x'];

const ids =
  (kind: Kind) =>
  ({ random, world, actor }: Asking) =>
    someId(random, world, actor, kind);
const oneOf =
  (values: readonly unknown[]) =>
  ({ random }: Asking) =>
    random.pick(values);
const money = ({ random }: Asking) => ({
  amount: random.pick([1, 27_990, 55_980, 300_000, 10 ** 9, 10 ** 12]),
  currency: random.pick(['BRL', 'BRL', 'BRL', 'USD', 'EUR']),
});
const some = <Value>(random: Random, values: readonly Value[]): readonly Value[] => {
  const chosen = values.filter(() => random.chance(0.5));
  return chosen.length > 0 ? chosen : values.slice(0, 1);
};

/** Members that mean something, by name: what an agent would send. */
const MEANT: Readonly<Record<string, (asking: Asking) => unknown>> = {
  bookingId: ids('bookings'),
  mandateId: ids('mandates'),
  orderId: ids('orders'),
  flightNumber: oneOf(FLIGHTS),
  fareCode: oneOf(FARES),
  payment: oneOf(CARDS),
  limit: money,
  expectedTotal: oneOf([
    { amount: 27_990, currency: 'BRL' },
    { amount: 251_910, currency: 'BRL' },
  ]),
  acceptUpTo: money,
  maxPricePerSeat: money,
  min: money,
  max: money,
  durationMinutes: oneOf([1, 60, 10_080]),
  scope: ({ random }) => some(random, MANDATE_SCOPES),
  from: ({ random }) => some(random, AIRPORTS),
  to: ({ random }) => some(random, AIRPORTS),
  buyer: ({ actor }) => ({ name: canaryOf(actor), document: '123.456.789-09' }),
  travellers: ({ random, actor }) =>
    Array.from({ length: random.pick([1, 1, 1, 2, 9]) }, () => travellerOf(random, actor)),
  contact: ({ actor }) => ({
    email: 'canario@example.com',
    phone: '+55 11 91234-5678',
    declined: actor.traveller.email === '',
  }),
};

/** Query parameters, likewise. */
const ASKED: Readonly<Record<string, (asking: Asking) => unknown>> = {
  flightNumber: oneOf(FLIGHTS),
  limit: oneOf([1, 2, 100, 500]),
  cursor: ({ random, world }) => random.pick(world.cursors),
  status: oneOf(STATUSES),
  q: oneOf(['recife', 'são paulo', 'AL12', 'GRU', 'rio de jan', 'zz', 'ＲＥＣ']),
  from: oneOf(AIRPORTS),
  to: oneOf(AIRPORTS),
  budget: oneOf([0, 1, 27_990, 999_999_999_999]),
  passengers: oneOf([1, 2, 9]),
  bucket: oneOf(['minute', 'hour', 'day']),
  operation: oneOf(OPERATIONS),
  agent: oneOf(['other', 'claude', 'x']),
  format: oneOf(['json', 'csv', 'prometheus']),
};
const INSTANTS = [
  '2026-11-22T00:00:00Z',
  '2026-11-21T10:00:00.000Z',
  '2020-01-01T00:00:00Z',
  '2027-01-01T00:00:00+03:00',
];

/** The name under which an actor's traveller buys: whoever else is shown it has seen too much. */
export const canaryOf = ({ traveller }: Actor): string => `Canário de ${traveller.email.split('@', 1)[0] ?? ''}`;

/** What only this agent may be shown of who flies, and on no page but its traveller's. */
export const confidedTo = ({ name }: Actor): string => `Confidência a ${name}`;

const travellerOf = (random: Random, actor: Actor) => ({
  givenName: canaryOf(actor),
  familyName: confidedTo(actor),
  birthDate: random.pick(['1980-02-29', '2010-12-31', '2026-01-01']),
});

/** The value of a query parameter, as an agent would send it. */
export const askedFor = (name: string, schema: Schema, asking: Asking, isTraffic: boolean): string => {
  if (isTraffic && (name === 'from' || name === 'to')) return asking.random.pick(INSTANTS);
  return String(ASKED[name]?.(asking) ?? valueOf(name, schema, asking));
};

/** A value of a schema's form: what the names in it mean where we know, else anything of the form. */
export const valueOf = (name: string, schema: Schema, asking: Asking): unknown => {
  const { random } = asking;
  const meant = MEANT[name];
  if (meant) return meant(asking);
  const {
    enum: values,
    type,
    properties,
    required,
    minimum,
    maximum,
    items,
  } = schema as {
    readonly enum?: readonly unknown[];
    readonly type?: string | readonly string[];
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
    readonly minimum?: number;
    readonly maximum?: number;
    readonly items?: Schema;
  };
  if (values) return random.pick(values);
  switch (typeof type === 'string' ? type : type?.[0]) {
    case 'integer':
    case 'number':
      return (minimum ?? 0) + random.below(Math.min((maximum ?? 1_000) - (minimum ?? 0) + 1, 2 ** 31));
    case 'boolean':
      return random.chance(0.5);
    case 'array':
      return items ? [valueOf(name, items, asking)] : [];
    case 'string':
      return random.word();
    default:
      return Object.fromEntries(
        Object.entries(properties ?? {}).flatMap(([key, one]) =>
          required?.includes(key) || random.chance(0.5) ? [[key, valueOf(key, one, asking)]] : [],
        ),
      );
  }
};
