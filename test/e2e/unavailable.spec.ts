import type { Booking, Mandate, Refused } from '../support/answers.js';
import { book, GOOD_CARD, grant, TRIP } from '../support/purchase.js';
import { SettingOnFiles } from '../support/setting.js';

const setting = new SettingOnFiles();
let booking: Booking;
let mandate: Mandate;
/** A service whose event log was closed under it. */
beforeAll(async () => {
  booking = await book(setting.ana);
  mandate = await grant(setting.ana, 1000_00);
  await setting.service.dependencies.events.close();
});

describe('a service that cannot write to its event log', () => {
  it('says so, that it is worth another try, and nothing else but which order to look up', async () => {
    const { ana } = setting;
    const request = { bookingId: booking.id, mandateId: mandate.id, payment: GOOD_CARD };
    for (const answer of [
      await ana.post<Refused>('/bookings', TRIP),
      await ana.post<Refused>('/orders', request),
      await ana.call<Refused>('DELETE', `/mandates/${mandate.id}`),
    ]) {
      expect(answer.status).toBe(503);
      expect({ ...answer.body, order: undefined }).toEqual({
        error: 'service_unavailable',
        message: expect.stringContaining('temporariamente indisponível'),
        doc_url: expect.stringMatching(/\/docs\/erros\/service_unavailable$/),
        requestId: answer.headers.get('x-request-id'),
      });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('still answers what needs no writing', async () => {
    expect(await setting.anyone.get('/health')).toMatchObject({ status: 200 });
    expect(await setting.anyone.get('/flights/AL1201')).toMatchObject({ status: 200 });
    expect(await setting.ana.get('/bookings')).toMatchObject({ status: 200, body: { count: 1 } });
  });
});
