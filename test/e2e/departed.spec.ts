import type { Booking } from '../support/answers.js';
import { catalogEntry, catalogIn, writeCatalog } from '../support/catalog.js';
import { bodyOf, book, brl, GOOD_CARD } from '../support/purchase.js';
import { refusalOf, refused } from '../support/refusal.js';
import { letPass, ownFolder } from '../support/service.js';
import { SmallSetting } from '../support/setting.js';

const HALF_AN_HOUR = 30 * 60_000;
const departure = new Date(Date.now() + HALF_AN_HOUR + 60_000).toISOString();
const date = departure.slice(0, 10);
const files = ownFolder();
let booking: Booking;
/** A flight that leaves in half an hour, at least, by the clocks of Greenwich. */
beforeAll(async () => {
  const dated = catalogEntry({
    flightNumber: 'AL9001',
    slug: 'com-data',
    departureDate: date,
    departureTime: departure.slice(11, 16),
    timeZone: 'UTC',
    seats: 1,
  });
  await writeCatalog(files, [catalogEntry(), dated]);
});
const setting = new SmallSetting({ CATALOG_FILE: catalogIn(files) });
beforeAll(async () => {
  booking = await book(setting.ana, { flightNumber: 'AL9001', fareCode: 'LEVE', passengers: 2 });
});

describe('a dated flight', () => {
  it('is on sale until it departs', async () => {
    const flights = bodyOf(await setting.anyone.get<{ count: number }>('/flights'), 200);
    expect(flights.count).toBe(2);
    expect((await setting.anyone.get('/flights/AL9001')).body).toMatchObject({ departureDate: date });
  });

  it('is sold no more afterwards: nobody books it, nor changes to it, nor orders it, whatever else is wrong', async () => {
    letPass(setting.service, HALF_AN_HOUR + 60_000);
    const gone = refused(422, 'flight_departed');
    const { service, ana } = setting;
    expect(await refusalOf(service, () => ana.post('/bookings', { flightNumber: 'AL9001' }))).toEqual(gone);
    const draft = await book(ana, {});
    const change = { flightNumber: 'AL9001', fareCode: 'NOPE' };
    expect(await refusalOf(service, () => ana.call('PATCH', `/bookings/${draft.id}`, change))).toEqual(gone);
    const payment = { ...GOOD_CARD, cvc: '' };
    const request = { bookingId: booking.id, mandateId: crypto.randomUUID(), expectedTotal: brl(1), payment };
    expect(await refusalOf(service, () => ana.post('/orders', request))).toEqual(gone);
  });

  it('may be left behind for another one', async () => {
    const changed = await setting.ana.call('PATCH', `/bookings/${booking.id}`, { flightNumber: 'AL1201' });
    expect(changed).toMatchObject({ status: 200, body: { flightNumber: 'AL1201', fareCode: 'LEVE' } });
  });
});
