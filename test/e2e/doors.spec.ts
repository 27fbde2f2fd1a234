import { bookings } from '#booking';
import { systemContext } from '#kernel';
import { PURCHASE, tokensFor } from '../support/agent.js';
import type { Booking, Mandate, Order } from '../support/answers.js';
import { CHALLENGED_CARD } from '../support/challenge.js';
import { type Door, mcp, rest, webmcp } from '../support/doors.js';
import { book, brl, buy, DECLINED_CARD, GOOD_CARD, grant, TRIP, TRIP_PRICE } from '../support/purchase.js';
import { Setting } from '../support/setting.js';

const setting = new Setting();
let token: string;
let ordered: Booking;
let paid: Order;
let foreign: { readonly booking: Booking; readonly mandate: Mandate };
let ofOther: Booking;
let empty: Booking;
const mandates = {} as Record<'good' | 'small' | 'revoked', Mandate>;

beforeAll(async () => {
  const { ana, bruno, otherOfAna, origin } = setting;
  token = (await tokensFor(origin)).access_token;
  mandates.good = await grant(ana, TRIP_PRICE * 20);
  mandates.small = await grant(ana, 1);
  mandates.revoked = await grant(ana, 1);
  await ana.call('DELETE', `/mandates/${mandates.revoked.id}`);
  ordered = await book(ana);
  paid = await buy(ana, ordered, mandates.good);
  empty = await book(ana, {});
  foreign = { booking: await book(bruno), mandate: await grant(bruno, 1) };
  ofOther = await book(otherOfAna);
});

const unknown = crypto.randomUUID();
const freshBooking = async () => ({ bookingId: (await book(setting.ana)).id });
const quoted = async () => {
  const { id: orderId } = await buy(setting.ana, await book(setting.ana), mandates.good);
  const { body } = await setting.ana.post<{ readonly id: string }>(`/orders/${orderId}/cancellations`, {});
  return { orderId, cancellationId: body.id };
};
const freshOrder = async (more: object = {}) => ({
  ...(await freshBooking()),
  mandateId: mandates.good.id,
  payment: GOOD_CARD,
  ...more,
});
/** A booking that was promised for a cent a minute ago. */
const lapsed = async () => {
  const { aggregates } = setting.service.dependencies;
  const { bookingId } = await freshBooking();
  const { state } = await aggregates.load(bookings, bookingId);
  if (state.kind === 'none') throw new Error('nothing was booked');
  const { holder, clientId } = state;
  const fares = [{ code: TRIP.fareCode, name: 'Leve', price: 1 }];
  const offer = {
    flightId: state.choice.flightId,
    flightNumber: TRIP.flightNumber,
    currency: 'BRL',
    fares,
    departureDate: null,
    departureAt: null,
    closesAt: null,
  } as const;
  const change = { type: 'ChangeBooking', holder, clientId, changes: {}, offer, promise: -60_000 } as const;
  await aggregates.handle(bookings, bookingId, change, { ...systemContext('a test'), actor: { holder, clientId } });
  return { bookingId };
};
const MORE = { acceptUpTo: brl(TRIP_PRICE) };
/** One order for all doors: an agent has two challenges at most. */
let challenged: Promise<object> | undefined;
const anOrder = (more: object) => ({ mandateId: mandates.good.id, payment: GOOD_CARD, ...more });

/** A tool, what it is given (made anew for each door), and what comes of it everywhere. */
type Row = readonly [tool: string, what: string, args: () => object | Promise<object>, outcome: number | string];

const ROWS: readonly Row[] = [
  ['search_flights', 'a city', () => ({ q: 'noronha' }), 200],
  ['search_flights', 'nothing', () => ({}), 200],
  ['search_flights', 'a page', () => ({ to: 'rec', limit: 2 }), 200],
  ['search_flights', 'a broken cursor', () => ({ cursor: 'x' }), '422 invalid_cursor'],
  ['search_flights', 'a limit of 0', () => ({ limit: 0 }), '400 invalid_arguments'],
  ['search_flights', 'a text too long', () => ({ q: 'x'.repeat(101) }), '400 invalid_arguments'],
  ['get_flight', 'its number in another notation', () => ({ flightNumber: 'al-1201' }), 200],
  ['get_flight', 'no flight', () => ({ flightNumber: 'XX9999' }), '404 flight_not_found'],
  ['quote_fares', 'a party', () => ({ flightNumber: 'AL1201', budget: 100_000, passengers: 2 }), 200],
  ['quote_fares', 'no flight', () => ({ flightNumber: 'XX9999', budget: 1 }), '404 flight_not_found'],
  ['quote_fares', 'no budget', () => ({ flightNumber: 'AL1201' }), '400 invalid_arguments'],
  ['quote_fares', 'half a cent', () => ({ flightNumber: 'AL1201', budget: 0.5 }), '400 invalid_arguments'],
  ['quote_fares', 'ten seats', () => ({ flightNumber: 'AL1201', budget: 1, passengers: 10 }), '400 invalid_arguments'],
  ['create_booking', 'a trip', () => TRIP, 200],
  ['create_booking', 'nothing', () => ({}), 200],
  ['create_booking', 'no flight', () => ({ flightNumber: 'XX9999' }), '422 invalid_flight'],
  ['create_booking', 'no such fare', () => ({ ...TRIP, fareCode: 'leve' }), '422 invalid_fare'],
  ['create_booking', 'nobody', () => ({ ...TRIP, passengers: 0 }), '400 invalid_arguments'],
  ['create_booking', 'null', () => ({ ...TRIP, fareCode: null }), '400 invalid_arguments'],
  ['get_booking', 'its own', () => ({ bookingId: ordered.id }), 200],
  ['get_booking', 'an unknown one', () => ({ bookingId: unknown }), '404 booking_not_found'],
  ['get_booking', "another traveller's", () => ({ bookingId: foreign.booking.id }), '404 booking_not_found'],
  ['change_booking', 'a new party', async () => ({ ...(await freshBooking()), passengers: 3 }), 200],
  ['change_booking', 'nothing', freshBooking, 200],
  ['change_booking', 'an unknown one', () => ({ bookingId: unknown }), '404 booking_not_found'],
  ['change_booking', "another client's", () => ({ bookingId: ofOther.id, passengers: 2 }), '422 invalid_change'],
  ['change_booking', 'what is ticketed', () => ({ bookingId: ordered.id, passengers: 2 }), '422 booking_locked'],
  ['change_booking', 'null', () => ({ bookingId: ordered.id, passengers: null }), '400 invalid_arguments'],
  ['create_mandate', 'a limit', () => ({ limit: brl(5_000), durationMinutes: 5 }), 200],
  ['create_mandate', 'a scope of its own', () => ({ limit: brl(1), scope: ['receipt:read'] }), 200],
  ['create_mandate', 'no limit', () => ({}), '400 invalid_arguments'],
  ['create_mandate', 'a limit of 0', () => ({ limit: brl(0) }), '400 invalid_arguments'],
  ['create_mandate', 'pounds', () => ({ limit: { amount: 1, currency: 'GBP' } }), '400 invalid_arguments'],
  ['create_mandate', 'no time', () => ({ limit: brl(1), durationMinutes: 0 }), '400 invalid_arguments'],
  ['create_mandate', 'no scope', () => ({ limit: brl(1), scope: [] }), '400 invalid_arguments'],
  ['revoke_mandate', 'its own', async () => ({ mandateId: (await grant(setting.ana, 1)).id }), 200],
  ['revoke_mandate', 'a revoked one', () => ({ mandateId: mandates.revoked.id }), 200],
  ['revoke_mandate', 'an unknown one', () => ({ mandateId: unknown }), '404 mandate_not_found'],
  ['revoke_mandate', "another traveller's", () => ({ mandateId: foreign.mandate.id }), '403 mandate_forbidden'],
  ['place_order', 'all it needs', freshOrder, 200],
  ['place_order', 'an unknown booking', () => anOrder({ bookingId: unknown }), '422 invalid_booking'],
  ['place_order', "another's booking", () => anOrder({ bookingId: foreign.booking.id }), '422 invalid_booking'],
  ['place_order', 'an empty booking', () => anOrder({ bookingId: empty.id }), '422 booking_empty'],
  ['place_order', 'a ticketed booking', () => anOrder({ bookingId: ordered.id }), '409 booking_already_ordered'],
  ['place_order', 'another total', () => freshOrder({ expectedTotal: brl(1) }), '422 total_changed'],
  ['place_order', 'less than it costs', () => freshOrder({ acceptUpTo: brl(1) }), '422 total_changed'],
  ['place_order', 'a promise that is over', async () => freshOrder(await lapsed()), '409 offer_expired'],
  ['place_order', 'another total after it', async () => freshOrder({ ...(await lapsed()), ...MORE }), 200],
  ['place_order', 'an unknown mandate', () => freshOrder({ mandateId: unknown }), '422 invalid_mandate'],
  ['place_order', 'a revoked mandate', () => freshOrder({ mandateId: mandates.revoked.id }), '409 mandate_revoked'],
  [
    'place_order',
    'too small a mandate',
    () => freshOrder({ mandateId: mandates.small.id }),
    '422 mandate_limit_exceeded',
  ],
  ['place_order', 'a bad card', () => freshOrder({ payment: { ...GOOD_CARD, cvc: '1' } }), '402 payment_card_invalid'],
  ['place_order', 'a refused card', () => freshOrder({ payment: DECLINED_CARD }), '402 payment_declined'],
  [
    'place_order',
    'a card whose holder is asked',
    () => (challenged ??= freshOrder({ payment: CHALLENGED_CARD })),
    '402 payment_challenge_required',
  ],
  ['place_order', 'no card', () => freshOrder({ payment: undefined }), '400 invalid_arguments'],
  ['place_order', 'half a card', () => freshOrder({ payment: { cardNumber: '4' } }), '400 invalid_arguments'],
  ['get_receipt', 'a paid order', () => ({ orderId: paid.id }), 200],
  ['get_receipt', 'an unknown order', () => ({ orderId: unknown }), '404 ticket_not_found'],
  ['quote_cancellation', 'a paid order', () => ({ orderId: paid.id }), 200],
  ['quote_cancellation', 'an unknown order', () => ({ orderId: unknown }), '404 order_not_found'],
  ['cancel_order', 'what was quoted', quoted, 200],
  ['cancel_order', 'another quote', () => ({ orderId: paid.id, cancellationId: unknown }), '409 cancellation_expired'],
];

/** What differs between two calls of the same: ids, instants, ticket codes, locators, and the seconds that pass. */
const same = (body: object): unknown =>
  JSON.parse(
    JSON.stringify(body)
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<instant>')
      .replace(/"\d{13}"/g, '"<ticket>"')
      .replace(/"locator":"[2-9A-Z]{6}"/g, '"locator":"<locator>"')
      .replace(/"remainingSeconds":\d+/g, '"remainingSeconds":0'),
  );

const through = async (door: Door, tool: string, args: object, bearer: string | null = token) => {
  const { status, body } = await door(setting.origin, bearer, tool, args);
  return { outcome: status === 200 ? 200 : `${status} ${String(body['error'])}`, body: same(body) };
};

describe('a tool answers the same through every door', () => {
  it.each(ROWS)('%s with %s', async (tool, _, args, outcome) => {
    const [first, second, third] = [await args(), await args(), await args()];
    const byWebmcp = await through(webmcp, tool, second);
    expect(byWebmcp.outcome).toBe(outcome);
    expect(await through(mcp, tool, third)).toEqual(byWebmcp);
    const byRest = await through(rest, tool, first);
    if (outcome !== '400 invalid_arguments') expect(byRest).toEqual(byWebmcp);
    // What REST's DTO refuses has there the code of its field; what is said of the fields is the same.
    else expect([byRest.outcome, detailsOf(byRest)]).toEqual([expect.stringMatching(/^422 /), detailsOf(byWebmcp)]);
  });
});

const detailsOf = ({ body }: { readonly body: unknown }): unknown => (body as { readonly details?: unknown }).details;

interface Listed {
  readonly name: string;
  readonly access: string;
  readonly scopes: readonly string[];
}

describe('a scoped tool', () => {
  let tools: readonly Listed[];
  let narrow: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const manifest = await fetch(`${setting.origin}/.well-known/webmcp.json`);
    ({ tools } = (await manifest.json()) as { readonly tools: readonly Listed[] });
    // For each scope, a token that has all of a purchase but that one.
    const lacking = async (scope: string) => {
      const scopes = PURCHASE.filter((one) => one !== scope);
      return [scope, (await tokensFor(setting.origin, { scopes })).access_token] as const;
    };
    const all: (readonly [string, string])[] = [];
    for (const scope of PURCHASE) all.push(await lacking(scope));
    narrow = Object.fromEntries(all);
  });

  it('stands in the table above like every other', () => {
    expect(new Set(ROWS.map(([tool]) => tool))).toEqual(new Set(tools.map(({ name }) => name)));
    expect(tools.filter(({ access }) => access === 'scoped')).toHaveLength(9);
  });

  it.each([rest, webmcp, mcp])(
    'is refused without a token, with a bad one and without each of its scopes (%#)',
    async (door) => {
      for (const { name, access, scopes } of tools) {
        if (access !== 'scoped') continue;
        const args = { bookingId: ordered.id, mandateId: mandates.good.id, orderId: paid.id };
        const outcome = async (bearer: string | null) => (await through(door, name, args, bearer)).outcome;
        expect([name, await outcome(null)]).toEqual([name, '401 token_missing']);
        expect([name, await outcome(`${token}x`)]).toEqual([name, '401 invalid_token']);
        for (const scope of scopes) {
          expect([name, scope, await outcome(narrow[scope] ?? '')]).toEqual([name, scope, '403 insufficient_scope']);
        }
      }
    },
  );
});
