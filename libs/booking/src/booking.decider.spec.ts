import { type BookingEvent, type Checkout, DEFAULT_CONDITIONS, NO_CONDITIONS } from '#events';
import { fold, type Instant, type Money, money, plus } from '#kernel';
import { NOW, scenarios } from '#testing';
import {
  type BookingCommand,
  bookingDecider,
  type BookingRequest,
  bookings,
  ChangedMeanwhile,
  type Offer,
} from './booking.decider.js';
import type { Choice } from './booking.state.js';
import { sampleCheckout } from './testing/index.js';

const given = scenarios(bookingDecider);
const agent = { holder: 'ana', clientId: 'pilot' } as const;
const draft: Choice = { flightNumber: null, fareCode: null, passengers: 1, total: money(0, 'BRL') };
const trip: Choice = { flightNumber: 'AL4012', fareCode: 'CLASSICA', passengers: 2, total: money(1159_80, 'BRL') };
/** How long (ms) prices are promised, and what a change to a fare without taxes has of it. */
const PROMISE = 1_800_000;
const promised = { taxes: money(0, 'BRL'), conditions: DEFAULT_CONDITIONS, expiresAt: plus(NOW, PROMISE) };
const checkout: Checkout = sampleCheckout();

const created = (choice: Choice = trip): BookingEvent => ({
  type: 'BookingCreated',
  data: { bookingId: 'b1', ...agent, ...choice, createdAt: NOW },
});
const changed = (choice: Choice): BookingEvent => ({ type: 'BookingChanged', data: { ...choice, changedAt: NOW } });
const started = (orderId = 'o1'): BookingEvent => ({
  type: 'BookingCheckoutStarted',
  data: { ...checkout, orderId, openedAt: NOW },
});
const abandoned = (orderId = 'o1', abandonedAt: Instant = NOW): BookingEvent => ({
  type: 'BookingCheckoutAbandoned',
  data: { orderId, abandonedAt },
});
const ticketed = (orderId = 'o1', ticketedAt: Instant = NOW): BookingEvent => ({
  type: 'BookingTicketed',
  data: { orderId, ticketCode: '9770000000014', ticketedAt },
});

const create: BookingCommand = { type: 'CreateBooking', bookingId: 'b1', ...agent, choice: trip };
const fare = (code: string, price: number) => ({ code, name: code, price });
const flight: Offer = {
  flightNumber: 'AL4012',
  currency: 'BRL',
  fares: [fare('CLASSICA', 579_90), fare('LEVE', 379_90)],
  departureDate: null,
  departureAt: null,
  closesAt: plus(NOW, 1),
};
const change = (
  changes: Partial<BookingRequest>,
  { offer = flight, ...party }: { offer?: Offer | null; holder?: string; clientId?: string } = {},
): BookingCommand => ({ type: 'ChangeBooking', ...agent, ...party, changes, offer, promise: PROMISE });
const start = (
  changes: Partial<Checkout> = {},
  abandonedBefore: readonly string[] = [],
  judged = { choice: trip, wasPromised: true },
): Extract<BookingCommand, { type: 'StartCheckout' }> => ({
  type: 'StartCheckout',
  checkout: { ...checkout, ...changes },
  judged,
  abandoned: Object.fromEntries(abandonedBefore.map((orderId) => [orderId, NOW])),
});
const abandon = (orderId = 'o1'): BookingCommand => ({ type: 'AbandonCheckout', orderId });
const ticket = (orderId = 'o1'): BookingCommand => ({ type: 'TicketBooking', orderId, ticketCode: '9770000000014' });

/** Deciding this way makes the caller begin anew. */
const startsAnew = (work: () => void) => expect(work).toThrow(ChangedMeanwhile);

describe('a booking', () => {
  it('is priced at the time at which its change is written', () => {
    const leaving: Offer = { ...flight, closesAt: NOW };
    given(created())
      .when(change({ passengers: 3 }))
      .then(changed({ ...trip, ...promised, passengers: 3, total: money(1739_70, 'BRL') }));
    given(created())
      .when(change({ passengers: 3 }, { offer: leaving }))
      .refuses('flight_departed');
  });

  it('changes to no fare that its flight does not have', () => {
    given(created())
      .when(change({ fareCode: 'PLENA' }))
      .refuses('invalid_fare');
    given(created(draft))
      .when(change({ fareCode: 'LEVE' }, { offer: null }))
      .refuses('invalid_fare');
  });

  it('is created once', () => {
    given().when(create).then(created());
    given(created()).when(create).then();
  });

  it('is what its own stream says, from its creation on', () => {
    expect(bookings.streamOf('b1')).toBe('booking-b1');
    expect(fold(bookingDecider, [started(), ticketed()])).toEqual({ kind: 'none' });
  });

  it('says once, at the price that it has, that somebody is named, and its checkout says so too', () => {
    const names = { ...change({}), names: true } as BookingCommand;
    const isNamed = { type: 'BookingChanged', data: { ...trip, named: true, changedAt: NOW } } as const;
    given(created()).when(names).then(isNamed);
    given(created())
      .when(change({}))
      .then(changed({ ...trip, ...promised }));
    given(created(), isNamed, changed(trip)).when(names).then();
    const told = (named?: boolean) => ({ ...created(), data: { ...created().data, named } }) as BookingEvent;
    const opened = (named?: boolean) => [{ ...started(), data: { ...started().data, named } } as BookingEvent] as const;
    given(told(false), isNamed)
      .when(start({ named: false }))
      .then(...opened(true));
    given(told(false))
      .when(start({ named: true }))
      .then(...opened(true));
    given(told(false))
      .when(start({ named: false }))
      .then(...opened(false));
    // Of before it was told: nobody can say.
    given(told())
      .when(start({ named: false }))
      .then(...opened());
  });

  it('redeems each mandate of AP2 by one order, whatever became of that one', () => {
    const closed = (redemption: string) => ({ redemption, reference: `of ${redemption}` });
    const by = (checkoutMandate: string, payment: string) =>
      ({ ap2: { checkout: closed(checkoutMandate), payment: closed(payment) } }) as const;
    const first = { ...started('o1'), data: { ...started('o1').data, ...by('c1', 'p1') } } as BookingEvent;
    const over = [created(), first, abandoned('o1', plus(NOW, -3_600_000))] as const;
    for (const [orderId, mandates] of [
      ['o1', by('c1', 'p1')],
      ['o2', by('c1', 'p2')],
      ['o3', by('c2', 'p1')],
    ] as const)
      given(...over)
        .when(start({ orderId, ...mandates }, ['o1']))
        .refuses('mandate_redeemed');
    const second = { ...started('o2'), data: { ...started('o2').data, ...by('c2', 'p2') } } as BookingEvent;
    given(...over)
      .when(start({ orderId: 'o2', ...by('c2', 'p2') }, ['o1']))
      .then(second);
    given(created(), first)
      .when(start({ orderId: 'o1', ...by('c1', 'p1') }))
      .then();
  });

  it('changes to another choice, and writes nothing for the same one', () => {
    const light = { ...promised, fareCode: 'LEVE', passengers: 3, total: money(1139_70, 'BRL') };
    given(created())
      .when(change({ fareCode: 'LEVE', passengers: 3 }))
      .then(changed({ ...trip, ...light }));
    given(created(draft))
      .when(change({ flightId: 'AL4012', fareCode: 'LEVE', passengers: 3 }))
      .then(changed({ ...trip, ...light }));
    given(created(draft))
      .when(change({ passengers: 1 }, { offer: null }))
      .then();
  });

  it('has another promise from each change on, also to the same', () => {
    const kept = { ...trip, ...promised };
    given(created())
      .when(change({ passengers: 2 }))
      .then(changed(kept));
    given(created({ ...kept, expiresAt: plus(NOW, 1) }))
      .when(change({ passengers: 2 }))
      .then(changed(kept));
    given(created(kept))
      .when(change({ passengers: 2 }))
      .then();
    given(created(kept))
      .when(change({ flightId: 'AL4012', fareCode: null }))
      .then(changed({ ...trip, fareCode: null, total: money(0, 'BRL') }));
  });

  it('is changed from what it is then, not from what it was when somebody looked', () =>
    given(created(), changed({ ...trip, fareCode: 'LEVE', total: money(759_80, 'BRL') }))
      .when(change({ passengers: 3 }))
      .then(changed({ ...trip, ...promised, fareCode: 'LEVE', passengers: 3, total: money(1139_70, 'BRL') })));

  it('is not changed by who looked at another flight than it has by then', () => {
    given(created(), changed(draft))
      .when(change({ passengers: 3 }))
      .then();
    given(created())
      .when(change({ passengers: 3 }, { offer: null }))
      .then();
  });

  it('is unknown to another holder, and changed by no other client', () => {
    given(created())
      .when(change({}, { holder: 'bruno' }))
      .refuses('booking_not_found');
    given(created())
      .when(change({}, { clientId: 'other' }))
      .refuses('invalid_change');
    given().when(change({})).refuses('booking_not_found');
  });

  it('refuses a change while an order is under way and once a ticket is issued', () => {
    given(created(), started())
      .when(change({ passengers: 3 }))
      .refuses('booking_locked');
    given(created(), started(), ticketed())
      .when(change({ passengers: 3 }))
      .refuses('booking_locked');
  });

  it('may be changed again after its order was abandoned', () =>
    given(created(), started(), abandoned())
      .when(change({ fareCode: 'LEVE' }))
      .then(changed({ ...trip, ...promised, fareCode: 'LEVE', total: money(759_80, 'BRL') })));
});

describe('a checkout', () => {
  it('takes the booking for one order, freezing what is bought', () => {
    given(created()).when(start()).then(started());
    const { type, data } = started();
    given(created())
      .when({ ...start(), runner: 'r1' })
      .then({ type, data: { ...data, runner: 'r1' } } as BookingEvent);
    given(created(), started()).when(start()).then();
  });

  it('freezes only what the booking is', () => {
    for (const different of [{ passengers: 1 }, { fareCode: 'LEVE' }, { flightNumber: 'AL4011' }])
      startsAnew(() =>
        given(created())
          .when(start({ line: { ...checkout.line, ...different } }))
          .then(),
      );
    startsAnew(() =>
      given(created())
        .when(start({ total: money(1, 'BRL') }))
        .then(),
    );
  });

  it('has another price than the booking only after the promise, and as it was judged then (rule 34)', () => {
    const held = { ...trip, expiresAt: plus(NOW, 1) };
    const over = { ...trip, expiresAt: NOW };
    const at = (total: Money, judged: { choice: Choice; wasPromised: boolean }) => start({ total }, [], judged);
    const lower = money(1000_00, 'BRL');
    const { type, data } = started();
    given(created(held))
      .when(at(trip.total, { choice: held, wasPromised: true }))
      .then(started());
    given(created(over))
      .when({ ...at(lower, { choice: over, wasPromised: false }), accepted: lower })
      .then({ type, data: { ...data, total: lower, accepted: lower } } as BookingEvent);
    // The promise ended, began anew, or another price was promised since the order was judged.
    for (const [choice, judged] of [
      [over, { choice: over, wasPromised: true }],
      [held, { choice: held, wasPromised: false }],
      [held, { choice: over, wasPromised: true }],
      [
        { ...held, taxes: lower },
        { choice: held, wasPromised: true },
      ],
      [
        { ...held, conditions: NO_CONDITIONS },
        { choice: held, wasPromised: true },
      ],
      [
        { ...held, conditions: NO_CONDITIONS },
        { choice: { ...held, conditions: DEFAULT_CONDITIONS }, wasPromised: true },
      ],
      [
        { ...over, total: lower },
        { choice: over, wasPromised: false },
      ],
    ] as const)
      startsAnew(() => given(created(choice)).when(at(trip.total, judged)).then());
  });

  it('is refused while another order is under way or once there is a ticket, naming that order', () => {
    const second = start({ orderId: 'o2' });
    const refusal = (code: string): unknown => expect.objectContaining({ code, orderId: 'o1' });
    expect(() => given(created(), started()).when(second).then()).toThrow(refusal('order_in_progress'));
    expect(() => given(created(), started(), ticketed()).when(second).then()).toThrow(
      refusal('booking_already_ordered'),
    );
  });

  it('opens again after an abandoned one', () =>
    given(created(), started(), abandoned())
      .when(start({ orderId: 'o2' }, ['o1']))
      .then(started('o2')));

  it('opens only where every abandoned one was judged: the card may be that of its challenge', () =>
    startsAnew(() =>
      given(created(), started(), abandoned())
        .when(start({ orderId: 'o2' }))
        .then(),
    ));

  it('opens under no id that was abandoned, however soon that is tried again', () => {
    given(created(), started(), abandoned()).when(start()).refuses('service_unavailable');
    given(created(), started(), abandoned(), started('o2'), abandoned('o2'))
      .when(start())
      .refuses('service_unavailable');
  });

  it('forgets an abandoned one ten minutes before the latest', () => {
    const after = (milliseconds: number) =>
      given(created(), started(), abandoned(), started('o2'), abandoned('o2', plus(NOW, milliseconds))).when(
        start({ orderId: 'o3' }, ['o2']),
      );
    startsAnew(() => after(599_999).then());
    after(600_000).then(started('o3'));
  });

  it.each([
    ['a draft', draft],
    ['a flight without a fare', { ...trip, fareCode: null }],
  ])('is refused for %s', (_, choice) => given(created(choice)).when(start()).refuses('booking_empty'));

  it('does not tell an unknown booking from that of another holder or client', () => {
    given().when(start()).refuses('invalid_booking');
    given(created())
      .when(start({ holder: 'bruno' }))
      .refuses('invalid_booking');
    given(created())
      .when(start({ clientId: 'other' }))
      .refuses('invalid_booking');
  });

  it('ends once: abandoned or with a ticket', () => {
    given(created(), started()).when(abandon()).then(abandoned());
    given(created(), started()).when(ticket()).then(ticketed());
    given(created(), started(), abandoned()).when(ticket()).then();
    given(created(), started(), ticketed()).when(abandon()).then();
  });

  it('is not ended by a command of another order (rule 3)', () => {
    for (const command of [abandon('o2'), ticket('o2')]) {
      given(created(), started()).when(command).then();
      given(created()).when(command).then();
      given().when(command).then();
    }
    given(created(), started(), abandoned(), started('o2')).when(abandon()).then();
  });
});
