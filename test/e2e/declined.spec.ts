import type { Booking, Mandate } from '../support/answers.js';
import { book, brl, buy, GOOD_CARD, grant, mandateNow, order, TRIP_PRICE } from '../support/purchase.js';
import { refusalOf, refused } from '../support/refusal.js';
import { settled } from '../support/service.js';
import { SmallSetting } from '../support/setting.js';

const setting = new SmallSetting();
let booking: Booking;
let mandate: Mandate;
beforeAll(async () => {
  booking = await book(setting.ana);
  mandate = await grant(setting.ana, TRIP_PRICE);
});

/** A declined order goes as far as the charge and all the way back (docs/consistency.md, rules 2 and 5). */
const THERE_AND_BACK = [
  'BookingCheckoutAbandoned',
  'BookingCheckoutStarted',
  'MandateReleased',
  'MandateReserved',
  'OrderFailed',
  'OrderPlaced',
  'SeatsHeld',
  'SeatsReleased',
];

describe('a card the processor refuses', () => {
  it.each([
    ['4000000000000002', 'payment_declined'],
    ['4000-0000-0000-9995', 'payment_insufficient_funds'],
  ])('(%s) leaves a failed order, and holds nothing', async (cardNumber, error) => {
    const pay = () => order(setting.ana, booking, mandate, { ...GOOD_CARD, cardNumber }) as Promise<never>;
    const { events, ...left } = await refusalOf(setting.service, pay);
    // The first order of a departure begins its stream.
    const written = events.filter((type) => type !== 'FlightScheduled').toSorted();
    expect({ ...left, events: written }).toEqual(refused(402, error, THERE_AND_BACK, 1));
    expect(await mandateNow(setting.ana, mandate)).toMatchObject({ consumed: brl(0), reserved: brl(0) });
    expect((await setting.anyone.get<object>('/flights/AL1201')).body).toMatchObject({ seats: 118 });
    const { body } = await setting.ana.get('/orders?status=failed&limit=1');
    expect(body).toMatchObject({ items: [{ status: 'failed', failure: error, ticketCode: null }] });
  });

  it('does not keep the booking from being ordered with a good one', async () => {
    await buy(setting.ana, booking, mandate);
    expect(await mandateNow(setting.ana, mandate)).toMatchObject({ status: 'exhausted', consumed: brl(TRIP_PRICE) });
    await settled(setting.service);
    expect((await setting.anyone.get<object>('/flights/AL1201')).body).toMatchObject({ seats: 117 });
  });
});
