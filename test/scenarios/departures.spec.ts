import { openForEach } from '#testing';
import { bookingView, loadBooking } from '#booking';
import { flights, importCatalog, timetables } from '#catalog';
import { type Money, systemContext } from '#kernel';
import { orders, receiptView } from '#order';
import { ChangeBooking, ChangeBookingHandler, CreateBooking } from '../../libs/booking/src/testing/index.js';
import { sampleFlight, sampleTimetable } from '../../libs/catalog/src/testing/index.js';
import type { Intercept } from '../support/intercept.js';
import { AGENT, LOCATORS } from '../support/market.js';
import { SETTINGS } from '../support/shared-stores.js';
import { Sale } from './sale.js';

const CONTEXT = systemContext('a test');
const NUMBER = 'AL7001';
const OTHER = 'AL7002';
/** 2026-01-15 is a Thursday. */
const [TODAY = '', TOMORROW = '', SATURDAY = ''] = ['15', '16', '17'].map((day) => `${NUMBER}.2026-01-${day}`);

const sale = openForEach(() => Sale.open());
beforeEach(() =>
  importCatalog(sale.calm.aggregates, [
    sampleTimetable({ flightNumber: NUMBER, slug: 'al7001', seats: 2 }),
    sampleTimetable({ flightNumber: OTHER, slug: 'al7002', seats: 2, days: '46' }),
    sampleFlight({ flightNumber: 'AL7003', slug: 'al7003' }),
  ]),
);

interface Named {
  readonly flightNumber?: string;
  readonly date?: string;
}
const book = async (flight: Named = { flightNumber: NUMBER }, passengers = 1, process = sale.calm) => {
  const id = sale.market.stores.ids.next();
  const request = { flightId: null, fareCode: 'LEVE', passengers };
  return process.createBooking.execute(new CreateBooking(id, AGENT, request, CONTEXT, {}, {}, flight));
};
const change = (bookingId: string, flight?: Named, changes: { readonly passengers?: number } = {}) =>
  sale.calm
    .the(ChangeBookingHandler)
    .execute(new ChangeBooking(bookingId, AGENT, changes, CONTEXT, undefined, {}, flight));
const order = (booking: string, card: 'good' | 'declined' = 'good', process = sale.calm) =>
  sale.market.order(process, { ...sale.wanted, booking, card });
const refused = (code: string) => ({ code });

describe('a booking on a departure', () => {
  it('is of the next one with seats for all, and stays on it', async () => {
    const first = await book();
    expect(first.flightId).toBe(TODAY);
    await order(first.bookingId);
    const two = await book({ flightNumber: 'al 7001' }, 2);
    expect(two).toMatchObject({ flightId: TOMORROW, departureDate: '2026-01-16' });
    expect(bookingView(two)).toMatchObject({ departureAt: '2026-01-16T18:30:00.000Z' });
    expect((await book()).flightId).toBe(TODAY);
    sale.past(2 * 86_400_000);
    expect(await change(first.bookingId).catch((error: unknown) => error)).toMatchObject(refused('booking_locked'));
    await expect(change(two.bookingId, undefined, { passengers: 1 })).rejects.toMatchObject(refused('flight_departed'));
    expect((await change(two.bookingId, { date: '2026-01-20' })).flightId).toBe(`${NUMBER}.2026-01-20`);
  });

  it('is of the day that is named, on sale and not yet closed', async () => {
    expect((await book({ flightNumber: NUMBER, date: '2026-03-15' })).flightId).toBe(`${NUMBER}.2026-03-15`);
    for (const date of ['2026-03-16', '2026-01-14'])
      await expect(book({ flightNumber: NUMBER, date })).rejects.toMatchObject(refused('invalid_flight'));
    await expect(book({ flightNumber: OTHER, date: '2026-01-16' })).rejects.toMatchObject(refused('invalid_flight'));
    await expect(book({ date: '2026-01-16' })).rejects.toMatchObject(refused('invalid_flight'));
    await expect(book({ flightNumber: 'AL7003', date: '2026-01-16' })).rejects.toMatchObject(refused('invalid_flight'));
    sale.past(5.5 * 3_600_000);
    await expect(book({ flightNumber: NUMBER, date: '2026-01-15' })).rejects.toMatchObject({
      ...refused('flight_departed'),
      details: { closedAt: '2026-01-15T17:30:00.000Z' },
    });
    expect((await book()).flightId).toBe(TOMORROW);
  });

  it('keeps its day unless another is named, or is not changed', async () => {
    const { bookingId } = await book({ flightNumber: NUMBER, date: '2026-01-17' });
    expect((await change(bookingId, undefined, { passengers: 2 })).flightId).toBe(SATURDAY);
    expect((await change(bookingId, { flightNumber: OTHER })).flightId).toBe(`${OTHER}.2026-01-17`);
    await expect(change(bookingId, { date: '2026-01-18' })).rejects.toMatchObject(refused('invalid_flight'));
    await expect(change(bookingId, { flightNumber: 'AL7003' })).rejects.toMatchObject(refused('invalid_flight'));
    expect((await change(bookingId, { flightNumber: NUMBER, date: '2026-01-18' })).flightId).toBe(
      `${NUMBER}.2026-01-18`,
    );
    await expect(change(bookingId, { flightNumber: OTHER })).rejects.toMatchObject(refused('invalid_flight'));
    expect(await loadBooking(sale.calm.aggregates, bookingId)).toMatchObject({
      choice: { flightId: `${NUMBER}.2026-01-18`, passengers: 2, departureDate: '2026-01-18' },
    });
  });

  it('goes to a timetable from a flight without a date as to its next departure', async () => {
    const { bookingId } = await book({ flightNumber: 'AL7003' });
    expect(await change(bookingId, { flightNumber: OTHER })).toMatchObject({ flightId: `${OTHER}.2026-01-15` });
  });
});

describe('an order on a departure', () => {
  it('begins its stream with its terms, and no other’s', async () => {
    const { bookingId } = await book({ flightNumber: NUMBER, date: '2026-01-16' });
    expect(await sale.typesOf(flights.streamOf(TOMORROW))).toEqual([]);
    const { id, ...shown } = await order(bookingId);
    expect(shown).toMatchObject({
      flightNumber: NUMBER,
      departureDate: '2026-01-16',
      departureAt: '2026-01-16T18:30:00.000Z',
    });
    expect(await sale.typesOf(flights.streamOf(TOMORROW))).toEqual(['FlightScheduled', 'SeatsHeld']);
    expect(await sale.typesOf(flights.streamOf(TODAY))).toEqual([]);
    const { state } = await sale.calm.aggregates.load(orders, id);
    if (state.kind !== 'paid') throw new Error(`the order is ${state.kind}`);
    expect(receiptView(state, LOCATORS)).toMatchObject({
      departureDate: '2026-01-16',
      departureAt: '2026-01-16T18:30:00.000Z',
      line: { departureDate: '2026-01-16', departureTime: '15:30' },
    });
    await sale.expectSound();
  });

  it('has seats of its day alone, one booking after the other or all at once', async () => {
    const mandate = await sale.market.grant(sale.calm, 1_000_000);
    const bookings = await Promise.all([1, 2, 3].map(() => book()));
    const placed = await Promise.allSettled(
      bookings.map(({ bookingId }) =>
        sale.market.order(sale.market.process(), { ...sale.wanted, mandate, booking: bookingId }),
      ),
    );
    expect(placed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect((await book()).flightId).toBe(TOMORROW);
    await sale.expectSound();
  });

  it('begins nothing that would fail unheard, as long as its day is read', async () => {
    const { bookingId } = await book();
    const people = { travellers: [{ givenName: 'Ana', familyName: 'Souza' }] };
    await sale.calm
      .the(ChangeBookingHandler)
      .execute(new ChangeBooking(bookingId, AGENT, {}, CONTEXT, undefined, people));
    const calls: string[] = [];
    const intercept: Intercept = (call, work) => {
      calls.push(call);
      return work();
    };
    await order(bookingId, 'good', sale.market.process({ intercept }));
    expect(calls.indexOf('insert travellers')).toBeGreaterThan(calls.lastIndexOf('read timetable'));
    expect(calls).toEqual(expect.arrayContaining(['insert travellers', 'read timetable']));
  });

  it('is sold for no time at which it leaves no more: its timetable changed as its day was opened', async () => {
    const { bookingId } = await book({ flightNumber: NUMBER, date: '2026-01-16' });
    const { answer, open } = await sale.stoppedOrder('before', 'append BookingCheckoutStarted', {
      ...sale.wanted,
      booking: bookingId,
    });
    const { replacesUndated: _, ...terms } = sampleTimetable({ flightNumber: NUMBER, slug: 'al7001', seats: 2 });
    const later = { ...terms, departureTime: '16:00' };
    const change = { type: 'ScheduleTimetable', terms: later, firstDate: '2026-01-16' } as const;
    await sale.calm.aggregates.handle(timetables, NUMBER, change, CONTEXT);
    open();
    await expect(answer).rejects.toMatchObject(refused('invalid_fare'));
    expect(await order(bookingId)).toMatchObject({ departureAt: '2026-01-16T19:00:00.000Z' });
    await sale.expectSound();
  });

  it('leaves nothing held where its card is refused', async () => {
    const { bookingId } = await book();
    await expect(order(bookingId, 'declined')).rejects.toMatchObject(refused('payment_declined'));
    expect(await sale.typesOf(flights.streamOf(TODAY))).toEqual(['FlightScheduled', 'SeatsHeld', 'SeatsReleased']);
    await sale.expectSound();
  });

  it.each(['append FlightScheduled+SeatsHeld', 'append OrderPlaced', 'charge'])(
    'that stood still before %s is finished by whoever comes, and holds nothing afterwards (rule 6)',
    async (call) => {
      const { bookingId } = await book();
      const { answer, open } = await sale.stoppedOrder('before', call, { ...sale.wanted, booking: bookingId });
      sale.past(SETTINGS.hold);
      await sale.market.recover(sale.market.process());
      open();
      await expect(answer).rejects.toMatchObject({ code: expect.stringMatching(/unavailable$/) });
      expect((await sale.typesOf(flights.streamOf(TODAY))).at(-1)).toBe('SeatsReleased');
      await sale.expectSound();
    },
  );

  it('is not placed in the last hour before it leaves', async () => {
    const { bookingId, total } = await book();
    const wanted = { ...sale.wanted, booking: bookingId, acceptUpTo: total satisfies Money };
    sale.past(5.5 * 3_600_000);
    await expect(sale.market.order(sale.calm, wanted)).rejects.toMatchObject(refused('flight_departed'));
  });
});
