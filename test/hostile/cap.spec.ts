import { agentAt, ANA } from '../support/agent.js';
import type { List, Order, Refused } from '../support/answers.js';
import { loggedIn } from '../support/challenge.js';
import { bodyOf, book, grant, mandateNow, order } from '../support/purchase.js';
import { ServiceUnderTest } from '../support/service-under-test.js';

const WEEK_IN_MINUTES = 7 * 24 * 60;

const tested = new ServiceUnderTest();

describe('an agent that opened R$ 10,000,000 for a week before its traveller set a cap of R$ 100 (rule 28)', () => {
  it('charges nothing above the cap once it is answered, with that mandate, without naming it, or with a new one', async () => {
    const agent = await agentAt(tested.origin);
    const huge = await grant(agent, 10_000_000_00, { durationMinutes: WEEK_IN_MINUTES });
    const small = await grant(agent, 100_00, { durationMinutes: WEEK_IN_MINUTES });
    const bookings = await Promise.all(
      Array.from({ length: 3 }, () => book(agent, { flightNumber: 'AL1201', fareCode: 'LEVE', passengers: 9 })),
    );

    const { browser, page } = await loggedIn(`${tested.origin}/conta/limites`, ANA);
    const asked = await browser.submit(page, { cap: '100' });
    expect(asked.html).toContain('Mandato com teto de R$\u00a010.000.000,00');
    expect((await browser.submit(asked, {})).url.pathname).toBe('/conta/limites');

    expect((await mandateNow(agent, huge)).status).toBe('revoked');
    expect((await mandateNow(agent, small)).status).toBe('valid');
    const answers = await Promise.all(bookings.map((booking) => order(agent, booking, huge)));
    expect(answers).toMatchObject(answers.map(() => ({ status: 409, body: { error: 'mandate_revoked' } })));
    const [booking] = bookings;
    const payment = { cardNumber: '4242424242424242', expiry: '12/30', cvc: '123' };
    const unnamed = await agent.post<Order & Refused>('/orders', { bookingId: booking?.id, payment });
    expect([unnamed.status, unnamed.body.error]).toEqual([422, 'mandate_limit_exceeded']);
    const opening = await agent.post<Refused>('/mandates', { limit: { amount: 1, currency: 'BRL' } });
    expect([opening.status, opening.body.error]).toEqual([422, 'mandate_cap_exceeded']);
    expect(bodyOf(await agent.get<List<Order>>('/orders'), 200).items).toEqual([]);
  });
});
