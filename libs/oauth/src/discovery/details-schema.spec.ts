import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { baseUrlsAt } from '#http';
import { CURRENCIES, MANDATE_SCOPES } from '#kernel';
import { anyText } from '#testing';
import { detailsIn } from '../authorize/authorization-details.js';
import { OAuthError } from '../oauth-error.js';
import { detailsSchema } from './discovery.controller.js';

const isInSchema = new Ajv2020({ strict: false }).compile(detailsSchema(baseUrlsAt('https://alcada.example')));

const isAccepted = (detail: unknown): boolean => {
  try {
    detailsIn(JSON.stringify([detail]), () => 'm1');
    return true;
  } catch (error) {
    if (error instanceof OAuthError) return false;
    throw error;
  }
};

const currency = fc.constantFrom(...CURRENCIES);
const amount = fc.oneof(fc.integer({ min: 1, max: 10 ** 12 }), fc.constantFrom(1, 10 ** 12));
const money = fc.record({ amount, currency });
const airports = fc.uniqueArray(fc.stringMatching(/^[A-Z]{3}$/), { minLength: 1, maxLength: 20 });
const detail = fc.record(
  {
    type: fc.constant('payment_mandate'),
    limit: money,
    durationMinutes: fc.integer({ min: 1, max: 10_080 }),
    scope: fc.uniqueArray(fc.constantFrom(...MANDATE_SCOPES), { minLength: 1 }),
    constraints: fc.record(
      {
        from: airports,
        to: airports,
        maxPricePerSeat: money,
        maxOrders: fc.integer({ min: 1, max: 1000 }),
        orderTotal: fc.record({ min: money, max: money }, { requiredKeys: ['max'] }),
      },
      { requiredKeys: [] },
    ),
    purpose: anyText({ maxLength: 140 }),
  },
  { requiredKeys: ['type', 'limit'] },
);

/** What may stand in the place of a member, or beside it. */
const odd = fc.constantFrom<unknown>(
  ...[
    null,
    0,
    -1,
    1.5,
    10_081,
    1001,
    10 ** 12 + 1,
    true,
    '',
    'GRU',
    'gru',
    'GRUX',
    'JPY',
    {},
    [],
    [null],
    ['GRU', 'GRU'],
  ],
  ...[
    ['GRU', 'gru'],
    ['order:write', 'order:write'],
    Array(21).fill('GRU'),
    { amount: 1 },
    { amount: 1, currency: 'USD' },
  ],
  ...['a'.repeat(141), '👩‍✈️'.repeat(40), 'e\ufe0f'.repeat(75), 'a\u202eb', 'a\nb', 'payment_initiation'],
);
const PATHS = [
  ...[
    'type',
    'limit',
    'limit.amount',
    'limit.currency',
    'limit.x',
    'durationMinutes',
    'scope',
    'constraints',
    'purpose',
  ],
  ...['constraints.from', 'constraints.to', 'constraints.maxPricePerSeat', 'constraints.maxPricePerSeat.amount'],
  ...[
    'constraints.maxPricePerSeat.currency',
    'constraints.maxPricePerSeat.x',
    'constraints.maxOrders',
    'constraints.orderTotal',
    'constraints.orderTotal.min',
    'constraints.orderTotal.max.currency',
    'constraints.orderTotal.x',
    'constraints.x',
  ],
  ...['mandateId', 'x', 'constructor'],
];

/** A copy in which another value stands at a path. */
const changed = (given: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown => {
  const members = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {};
  const inner = Object.entries(members).find(([known]) => known === name)?.[1] as unknown;
  return { ...members, [name]: rest.length === 0 ? value : changed(inner, rest, value) };
};

describe('the published schema of authorization details', () => {
  it('accepts what is accepted, and nothing else', () => {
    const changes = fc.array(fc.tuple(fc.constantFrom(...PATHS), odd), { maxLength: 2 });
    fc.assert(
      fc.property(detail, changes, (whole, wrong) => {
        const given = wrong.reduce<unknown>((known, [path, value]) => changed(known, path.split('.'), value), whole);
        const sent: unknown = JSON.parse(JSON.stringify(given));
        expect({ sent, is: isInSchema(sent) }).toEqual({ sent, is: isAccepted(sent) });
      }),
      { numRuns: 1_500 },
    );
  });

  it('accepts its own example', () => {
    const example = {
      type: 'payment_mandate',
      limit: { amount: 70_000, currency: 'BRL' },
      constraints: {
        to: ['REC'],
        maxPricePerSeat: { amount: 70_000, currency: 'BRL' },
        maxOrders: 1,
        orderTotal: { max: { amount: 70_000, currency: 'BRL' } },
      },
      purpose: 'Congresso em Recife',
    };
    expect([isInSchema(example), isAccepted(example)]).toEqual([true, true]);
    const dollars = { ...example, limit: { amount: 70_000, currency: 'USD' } };
    expect([isInSchema(dollars), isAccepted(dollars)]).toEqual([false, false]);
  });
});
