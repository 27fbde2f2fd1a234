import { ANA } from '../support/agent.js';
import type { Flight } from '../support/answers.js';
import { loggedIn } from '../support/challenge.js';
import { anError } from '../support/matchers.js';
import { bodyOf, book, brl, buy, grant, mandateNow, order, TRIP, TRIP_PRICE } from '../support/purchase.js';
import { SmallSetting } from '../support/setting.js';

const setting = new SmallSetting();
let flight: Flight;
beforeAll(async () => {
  flight = bodyOf(await setting.anyone.get<Flight>(`/flights/${TRIP.flightNumber}`), 200);
});

const ELSEWHERE = ['MAO'];

describe('the constraints of a mandate', () => {
  it('are shown wherever the mandate is, with who granted it', async () => {
    const constraints = { from: [flight.from], to: [flight.to], maxPricePerSeat: brl(TRIP_PRICE), maxOrders: 2 };
    const mandate = await grant(setting.ana, 1000_00, { constraints });
    expect(mandate).toMatchObject({ constraints, grantedBy: 'agent' });
    expect(await mandateNow(setting.ana, mandate)).toMatchObject({ constraints });
    expect(await grant(setting.ana, 1)).toMatchObject({ constraints: {} });
  });

  it.each([
    ['from', { from: ELSEWHERE }, ELSEWHERE],
    ['to', { to: ELSEWHERE }, ELSEWHERE],
    ['maxPricePerSeat', { maxPricePerSeat: brl(TRIP_PRICE - 1) }, brl(TRIP_PRICE - 1)],
    ['orderTotal', { orderTotal: { max: brl(1) } }, { max: brl(1) }],
  ])('refuse an order that violates %s, and leave no order', async (constraint, constraints, value) => {
    const mandate = await grant(setting.ana, 1000_00, { constraints });
    const booking = await book(setting.ana);
    expect(await order(setting.ana, booking, mandate)).toMatchObject(
      anError(422, 'mandate_constraint_violated', { details: { constraint, value } }),
    );
    expect(await setting.ana.get(`/mandates/${mandate.id}/events`)).toMatchObject({
      body: { items: [{ type: 'MandateCreated' }, { reason: 'mandate_constraint_violated', orderId: null }] },
    });
    await buy(setting.ana, booking, await grant(setting.ana, 1000_00)); // nothing has it
  });

  it('are read by the traveller in the account, beside the ceiling', async () => {
    const constraints = {
      from: ['GRU', 'CGH'],
      to: ['REC'],
      maxPricePerSeat: brl(700_00),
      maxOrders: 1,
      orderTotal: { min: brl(1_00), max: brl(800_00) },
    };
    const { id } = await grant(setting.ana, 1000_00, { constraints });
    const { page } = await loggedIn(`${setting.origin}/conta/mandatos/${id}`, ANA);
    const texts = [
      'Só voos que saem de São Paulo (GRU) ou São Paulo (CGH)',
      'Só voos para Recife (REC)',
      'Até R$\u00a0700,00 por assento',
      'Cada compra de R$\u00a01,00 a R$\u00a0800,00',
      'Uma única compra',
    ];
    for (const text of texts) expect(page.html).toContain(text);
  });

  it('are never passed by 50 orders at once: two constraints, and room in the ceiling for all', async () => {
    const constraints = { maxOrders: 3, maxPricePerSeat: brl(TRIP_PRICE) };
    const mandate = await grant(setting.ana, 100 * TRIP_PRICE, { constraints });
    const dear = await book(setting.ana, { flightNumber: TRIP.flightNumber, fareCode: 'CLASSICA' });
    expect(dear.total.amount).toBeGreaterThan(TRIP_PRICE);
    const bookings = await Promise.all(Array.from({ length: 49 }, () => book(setting.ana)));
    const answers = await Promise.all([dear, ...bookings].map((one) => order(setting.ana, one, mandate)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers[0]).toMatchObject({ status: 422, body: { details: { constraint: 'maxPricePerSeat' } } });
    expect((await mandateNow(setting.ana, mandate)).consumed).toEqual(brl(3 * TRIP_PRICE));
  });

  it.each([
    [{ from: [] }, 'invalid_constraints', 'constraints.from'],
    [{ from: ['gru'] }, 'invalid_constraints', 'constraints.from'],
    [{ to: 'REC' }, 'invalid_constraints', 'constraints.to'],
    [{ to: ['REC', 'REC'] }, 'invalid_constraints', 'constraints.to'],
    [{ maxOrders: 0 }, 'invalid_constraints', 'constraints.maxOrders'],
    [{ maxPricePerSeat: 100 }, 'invalid_constraints', 'constraints.maxPricePerSeat'],
    [
      { maxPricePerSeat: { amount: 1, currency: 'USD' } },
      'invalid_constraints',
      'constraints.maxPricePerSeat.currency',
    ],
    [{ orderTotal: { min: brl(1) } }, 'invalid_constraints', 'constraints.orderTotal.max'],
    [
      { orderTotal: { max: { amount: 1, currency: 'EUR' } } },
      'invalid_constraints',
      'constraints.orderTotal.max.currency',
    ],
    [{ maxPrice: brl(1) }, 'unknown_member', 'constraints.maxPrice'],
    [{ maxPricePerSeat: { ...brl(1), unit: 'seat' } }, 'unknown_member', 'constraints.maxPricePerSeat.unit'],
  ])('that read %j are refused, and never ignored: %s', async (constraints, error, field) => {
    const answer = await setting.ana.post('/mandates', { limit: brl(1), constraints });
    expect(answer).toMatchObject({ status: 422, body: { error, details: [{ field }] } });
  });
});
