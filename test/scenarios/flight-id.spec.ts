import { openForEach } from '#testing';
import { loadBooking } from '#booking';
import { flights } from '#catalog';
import { money, systemContext } from '#kernel';
import { orders, receiptView } from '#order';
import { ChangeBooking, ChangeBookingHandler, CreateBooking } from '../../libs/booking/src/testing/index.js';
import { sampleFlight } from '../../libs/catalog/src/testing/index.js';
import { AGENT, FLIGHT, LOCATORS, PRICE } from '../support/market.js';
import { Sale } from './sale.js';

const CONTEXT = systemContext('a test');
/** Two flights of the number that a third one has as its id. */
const [FIRST, SECOND] = ['first-departure', 'second-departure'];

const sale = openForEach(() => Sale.open());
beforeEach(async () => {
  for (const flightId of [FIRST, SECOND]) {
    const flight = sampleFlight({ flightId, flightNumber: FLIGHT, slug: flightId, seats: 2 });
    await sale.calm.aggregates.handle(flights, flightId, { type: 'ScheduleFlight', flight }, CONTEXT);
  }
});

const booked = async (flightId: string, passengers = 1): Promise<string> => {
  const bookingId = sale.market.stores.ids.next();
  const request = { flightId, fareCode: 'LEVE', passengers };
  await sale.calm.createBooking.execute(new CreateBooking(bookingId, AGENT, request, CONTEXT));
  return bookingId;
};
const ordered = (booking: string, card: 'good' | 'declined' = 'good') =>
  sale.market.order(sale.calm, { ...sale.wanted, booking, card });
const seats = async () => {
  const streams = [FIRST, SECOND, FLIGHT].map((flightId) => sale.typesOf(flights.streamOf(flightId)));
  return (await Promise.all(streams)).map(([, ...types]) => types);
};

describe('a flight whose id is not its number', () => {
  it('has seats of its own, which an order holds and gives back', async () => {
    await expect(ordered(await booked(SECOND), 'declined')).rejects.toMatchObject({ code: 'payment_declined' });
    expect(await ordered(await booked(FIRST, 2))).toMatchObject({ status: 'paid', flightNumber: FLIGHT });
    await expect(ordered(await booked(FIRST))).rejects.toMatchObject({ code: 'seats_unavailable' });
    expect(await seats()).toEqual([['SeatsHeld'], ['SeatsHeld', 'SeatsReleased'], []]);
    await sale.expectSound();
  });

  it('has fares of its own, at which a booking on it is priced', async () => {
    const booking = await booked(SECOND);
    const { fares } = sampleFlight();
    const dearer = fares.map((fare) => ({ ...fare, price: fare.price + 1 }));
    await sale.calm.aggregates.handle(flights, SECOND, { type: 'RepriceFares', fares: dearer }, CONTEXT);
    const changed = (changes: ChangeBooking['changes']) =>
      sale.calm.the(ChangeBookingHandler).execute(new ChangeBooking(booking, AGENT, changes, CONTEXT));
    const name = { flightId: SECOND, flightNumber: FLIGHT };
    expect(await changed({ passengers: 2 })).toMatchObject({ ...name, total: money(2 * PRICE + 2, 'BRL') });
    expect(await changed({ flightId: FIRST })).toMatchObject({
      ...name,
      flightId: FIRST,
      total: money(2 * PRICE, 'BRL'),
    });
    expect(await loadBooking(sale.calm.aggregates, booking)).toMatchObject({ choice: { flightId: FIRST } });
  });

  it('is shown by its number alone', async () => {
    const { id } = await ordered(await booked(FIRST));
    const { state } = await sale.calm.aggregates.load(orders, id);
    if (state.kind !== 'paid') throw new Error(`the order is ${state.kind}`);
    expect(state.checkout.line).toMatchObject({ flightId: FIRST, flightNumber: FLIGHT });
    expect(receiptView(state, LOCATORS).line).not.toHaveProperty('flightId');
  });
});
