import { until } from '#testing';
import { ANA, apiAt, tokensFor } from '../support/agent.js';
import { alcada } from '../support/alcada.js';
import type { Booking, Mandate, Order } from '../support/answers.js';
import { catalogEntry, catalogIn, writeCatalog } from '../support/catalog.js';
import { loggedIn } from '../support/challenge.js';
import { bodyOf, brl, GOOD_CARD } from '../support/purchase.js';
import { ownFolder, startService } from '../support/service.js';

const PRICE = 359_90;
const TRIP = { flightNumber: 'AL1201', fareCode: 'CLASSICA' };
const [folder, files] = [ownFolder(), ownFolder()];
const DATE = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
const env = { CATALOG_FILE: catalogIn(files) };
const cancel = (...args: readonly string[]) => alcada(folder, ['flight', 'cancel', ...args], { environment: env });

describe('alcada flight cancel', () => {
  it('gives back what was paid, lists whose card takes nothing, and nobody books it afterwards', async () => {
    const fare = { code: 'CLASSICA', name: 'Clássica', price: PRICE, arrivalTime: '08:30', arrivalDayOffset: 0 };
    const prices = [{ ...fare, baggage: 'checked' }];
    await writeCatalog(files, [catalogEntry({ departureDate: DATE, timeZone: 'America/Sao_Paulo', prices })]);
    let service = await startService(folder, env);
    const ana = apiAt(service.origin, (await tokensFor(service.origin)).access_token);
    const bought = async (cardNumber: string): Promise<string> => {
      const { id: bookingId } = bodyOf(await ana.post<Booking>('/bookings', TRIP), 201);
      const { id: mandateId } = bodyOf(await ana.post<Mandate>('/mandates', { limit: brl(PRICE) }), 201);
      const payment = { ...GOOD_CARD, cardNumber };
      return bodyOf(await ana.post<Order>('/orders', { bookingId, mandateId, payment }), 201).id;
    };
    const [paid, open] = [await bought(GOOD_CARD.cardNumber), await bought('4000000000005126')];
    const { id: unordered } = bodyOf(await ana.post<Booking>('/bookings', TRIP), 201);
    await service.stop();

    const why = ['--reason', 'neve no aeroporto'];
    expect(await cancel('AL1201', '2020-01-01', ...why)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no flight AL1201 leaves on 2020-01-01'),
    });
    expect(await cancel('AL1201', DATE)).toMatchObject({ code: 2 });
    expect(await cancel('AL1201', DATE, '--reason', ' ')).toMatchObject({ code: 1 });
    const shown = await cancel('al 1201', DATE, ...why);
    expect(shown).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`order ${open}: the card does not take`),
      stderr: expect.stringMatching(
        /"client":"alcada-pilot".*"msg":"order cancelled"[^]*Orders brought to an end: 100 %/,
      ),
    });
    expect(JSON.parse((await cancel('AL1201', DATE, ...why, '--json')).stdout)).toMatchObject({
      orders: { refunded: 1, cancelled: 0, failed: 0, refund_failed: 1 },
      openCases: [{ orderId: open, amount: brl(PRICE) }],
      unfinished: [],
    });
    expect(await alcada(folder, ['audit', 'verify'], { environment: env })).toMatchObject({ code: 0 });

    service = await startService(folder, env);
    const beside = await cancel('AL1201', DATE, ...why, '--json'); // while others sell, and once more
    expect(JSON.parse(beside.stdout)).toMatchObject({ orders: { refunded: 1, refund_failed: 1 }, unfinished: [] });
    const again = apiAt(service.origin, (await tokensFor(service.origin)).access_token);
    expect((await again.get(`/orders/${paid}`)).body).toMatchObject({
      status: 'cancelled',
      refund: { amount: brl(PRICE), fee: brl(0), reason: 'flight_cancelled' },
    });
    expect((await again.get(`/orders/${open}`)).body).toMatchObject({ status: 'paid' });
    const { browser, page: notices } = await loggedIn(`${service.origin}/conta/avisos`, ANA);
    let { html } = notices;
    await until(async () => {
      ({ html } = await browser.open('/conta/avisos'));
      return html.includes('O dinheiro de uma compra cancelada foi devolvido');
    });
    // Of two orders it leads to all of them.
    const [, notice = ''] = /href="(\S+)">Um voo comprado em seu nome foi cancelado/.exec(html) ?? [];
    expect((await browser.open(notice)).url.pathname).toBe('/conta/viagens');
    const gone = { status: 422, body: { error: 'flight_cancelled' } };
    expect(await again.post('/bookings', TRIP)).toMatchObject(gone);
    const { id: mandateId } = bodyOf(await again.post<Mandate>('/mandates', { limit: brl(PRICE) }), 201);
    const late = { bookingId: unordered, mandateId, payment: GOOD_CARD };
    expect(await again.post('/orders', late)).toMatchObject(gone);
    expect((await again.get(`/flights?date=${DATE}`)).body).toMatchObject({ items: [] });
    const page = await fetch(`${service.origin}/voos/${catalogEntry().slug}`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Este voo foi cancelado.')]);
    await service.stop();
  });
});
