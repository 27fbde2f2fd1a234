import { ANA, BRUNO, tokensFor } from '../support/agent.js';
import type { Booking, Mandate, Order } from '../support/answers.js';
import { catalogEntry, catalogIn, writeCatalog } from '../support/catalog.js';
import { loggedIn } from '../support/challenge.js';
import { changesOf } from '../support/changes.js';
import type { Traveller } from '../support/consent.js';
import { AN_ID, AN_INSTANT, anError } from '../support/matchers.js';
import { bodyOf, brl, giveBack, GOOD_CARD } from '../support/purchase.js';
import { failNextAppend, ownFolder } from '../support/service.js';
import { SmallSetting } from '../support/setting.js';

const [PRICE, TAXES] = [359_90, 34_68];
const files = ownFolder();
/** A flight that leaves in twenty days. */
beforeAll(async () => {
  const departureDate = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  const times = { arrivalTime: '08:30', arrivalDayOffset: 0, baggage: 'checked' };
  const fare = { code: 'CLASSICA', name: 'Clássica', price: PRICE, taxes: TAXES, ...times };
  const nothingBack = { cancellation: [], taxesRefundable: false, withdrawal: false };
  const prices = [fare, { ...fare, code: 'LEVE', name: 'Leve', conditions: nothingBack }];
  await writeCatalog(files, [catalogEntry({ departureDate, timeZone: 'America/Sao_Paulo', prices })]);
});
const setting = new SmallSetting({ CATALOG_FILE: catalogIn(files) });

interface PaidReceipt {
  readonly payment: { readonly mandateId: string };
}

interface Cancellation {
  readonly id: string;
  readonly refund: object;
}

const bought = async (card: object = GOOD_CARD, fareCode = 'CLASSICA'): Promise<Order> => {
  const { ana } = setting;
  const trip = { flightNumber: 'AL1201', fareCode };
  const { id: bookingId } = bodyOf(await ana.post<Booking>('/bookings', trip), 201);
  const { id: mandateId } = bodyOf(await ana.post<Mandate>('/mandates', { limit: brl(PRICE) }), 201);
  return bodyOf(await ana.post<Order>('/orders', { bookingId, mandateId, payment: card }), 201);
};

describe('the way back', () => {
  it('is quoted, which changes nothing, and carried out, with money and limit back', async () => {
    const { ana } = setting;
    const order = await bought();
    const receipt = (await ana.get(`/orders/${order.id}/receipt`)).body;
    const quote = await ana.post<Cancellation>(`/orders/${order.id}/cancellations`);
    const quoted = {
      id: AN_ID,
      orderId: order.id,
      status: 'quoted',
      refund: brl(PRICE),
      fee: brl(0),
      reason: 'withdrawal',
      refundTo: { brand: 'visa', last4: '4242' },
      expiresAt: AN_INSTANT,
    };
    expect([quote.status, quote.body]).toEqual([201, quoted]);
    expect((await ana.get(`/orders/${order.id}`)).body).toMatchObject({ status: 'paid' });
    expect(await ana.get(`/orders/${order.id}/credit-note`)).toMatchObject({ body: { error: 'ticket_not_found' } });

    const confirm = `/orders/${order.id}/cancellations/${quote.body.id}/confirm`;
    const confirmed = await ana.post(confirm);
    const { expiresAt: _, ...terms } = quoted;
    expect([confirmed.status, confirmed.body]).toEqual([
      200,
      { ...terms, status: 'confirmed', refundedAt: AN_INSTANT },
    ]);
    expect(await ana.post(confirm)).toMatchObject({ status: 200, body: confirmed.body });

    const refund = { cancellationId: quote.body.id, amount: brl(PRICE), fee: brl(0), reason: 'withdrawal' };
    expect((await ana.get(`/orders/${order.id}`)).body).toMatchObject({ status: 'cancelled', refund });
    expect((await ana.get(`/orders/${order.id}/receipt`)).body).toEqual(receipt);
    const { page } = await loggedIn(`${setting.origin}/conta/viagens`, ANA);
    expect(page.html).toContain('Nenhuma viagem marcada.');
    const note = await ana.get(`/orders/${order.id}/credit-note`);
    expect(note.body).toEqual({
      creditNoteId: `C-${order.ticketCode ?? ''}`,
      orderId: order.id,
      line: { base: brl(PRICE - TAXES), taxes: brl(TAXES) },
      fee: brl(0),
      refund: brl(PRICE),
      issuedAt: AN_INSTANT,
    });
    expect((await ana.get(`/orders/${order.id}/credit-note`)).body).toEqual(note.body);
    const [mandate] = bodyOf(await ana.get<{ items: Mandate[] }>('/mandates?limit=1'), 200).items;
    expect(mandate).toMatchObject({ status: 'valid', consumed: brl(0), refunded: brl(PRICE), remaining: brl(PRICE) });
  });

  it('is the same for a key that is sent again, and refused where it cannot be', async () => {
    const { ana, anyone } = setting;
    const order = await bought();
    const key = { 'idempotency-key': 'a-way-back' };
    const path = `/orders/${order.id}/cancellations`;
    const first = await ana.call<Cancellation>('POST', path, undefined, key);
    expect((await ana.call('POST', path, undefined, key)).body).toEqual(first.body);
    expect((await anyone.post(path)).status).toBe(401);
    const unknown = await ana.post(`${path}/${order.id}/confirm`);
    expect(unknown).toMatchObject(
      anError(409, 'cancellation_expired', { details: { cancellation: { orderId: order.id, refund: brl(PRICE) } } }),
    );
    expect((await ana.post(`${path}/${first.body.id}/confirm`)).status).toBe(200);
    expect((await ana.get(`/orders/${order.id}/ticket.ics`)).status).toBe(404);
    for (const again of [path, `${path}/${order.id}/confirm`])
      expect(await ana.post(again)).toMatchObject(
        anError(409, 'order_not_cancellable', { details: { reason: 'cancelled' } }),
      );
    expect(await ana.post(`/orders/${first.body.id}/cancellations`)).toMatchObject({
      body: { error: 'order_not_found' },
    });
  });

  it('takes nothing for a quote that is none, wherever it lies', async () => {
    const { ana, service, origin } = setting;
    const { access_token: token } = await tokensFor(origin);
    const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
    const cancelled = `/orders/${(await bought()).id}/cancellations`;
    const { id } = (await ana.post<Cancellation>(cancelled)).body;
    expect((await ana.post(`${cancelled}/${id}/confirm`)).status).toBe(200);
    // How many were cancelled on a day lies beside the quotes, under a name that its caller can guess.
    const day = service.dependencies.clock.now().slice(0, 10);
    const { id: orderId } = await bought();
    for (const name of [`${day} ${sub}`, 'x', '__proto__'])
      expect(await ana.post(`/orders/${orderId}/cancellations/${encodeURIComponent(name)}/confirm`)).toMatchObject(
        anError(409, 'cancellation_expired'),
      );
  });

  it('leaves the order paid where the card takes no refund', async () => {
    const { ana } = setting;
    const order = await bought({ ...GOOD_CARD, cardNumber: '4000 0000 0000 5126' });
    const { id } = (await ana.post<Cancellation>(`/orders/${order.id}/cancellations`)).body;
    expect(await ana.post(`/orders/${order.id}/cancellations/${id}/confirm`)).toMatchObject(
      anError(409, 'order_not_cancellable', { details: { reason: 'refund_failed' } }),
    );
    expect((await ana.get(`/orders/${order.id}`)).body).toMatchObject({ status: 'paid' });
  });
});

describe('the way back on the account', () => {
  const statusOf = async ({ id }: Order) => (await setting.ana.get<Order>(`/orders/${id}`)).body.status;
  /** What a page says, without its markup. */
  const textOf = ({ html }: { readonly html: string }): string =>
    html.replace(/<head>[\s\S]*<\/head>|<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  const cancelling = ({ id }: Order, by: Traveller = ANA) =>
    loggedIn(`${setting.origin}/conta/pedidos/${id}/cancelar`, by);

  /** Cents that came back this month. */
  const refundedOn = (account: { readonly html: string }): number => {
    const [, sum = '0,00'] = /Devolvido: R\$ ([\d.,]+) de compras canceladas/.exec(textOf(account)) ?? [];
    return Number(sum.replace(/\D/g, ''));
  };

  it('shows the sums first, and is carried out once, however often it is asked for', async () => {
    const order = await bought();
    const path = `/conta/pedidos/${order.id}`;
    const { browser, page: asked } = await cancelling(order);
    expect((await browser.open(path)).html).toContain(`href="${path}/cancelar"`);
    expect([asked.status, asked.url.pathname]).toEqual([200, `${path}/cancelar`]);
    expect(textOf(asked)).toMatch(
      /Cancelar esta compra\? Voo AL1201 , CGH–CNF, em [\d/]{10}, para 1 passageiro R\$ 359,90 de volta .* Pago R\$ 359,90 Tarifa e taxas R\$ 325,22 \+ R\$ 34,68 Não volta R\$ 0,00 Volta R\$ 359,90 Para Visa final 4242, como estorno Por quê Desistência em até 24 horas .* Vale até .* Cancelar a compra Voltar sem cancelar/,
    );
    const other = { ...asked, html: asked.html.replace(/(name="cancellation" value=")[^"]*/, `$1${order.id}`) };
    const again = await browser.submit(other, {});
    expect([again.status, textOf(again)]).toEqual([
      409,
      expect.stringContaining('O que você viu antes não vale mais.'),
    ]);
    expect(await statusOf(order)).toBe('paid');
    const before = refundedOn(await browser.open('/conta/viagens'));

    const { events } = await changesOf(setting.service, async () => {
      const clicks = [browser.submit(asked, {}), browser.submit(again, {}), browser.submit(asked, {})];
      for (const done of [...(await Promise.all(clicks)), await browser.submit(asked, {})])
        expect([done.status, done.url.pathname]).toEqual([200, path]);
    });
    expect(events.filter(({ type }) => type === 'OrderCancelled')).toHaveLength(1);
    expect(refundedOn(await browser.open('/conta/viagens')) - before).toBe(PRICE);
    const cancelled = await browser.open(`${path}/cancelar`);
    expect(cancelled.url.pathname).toBe(path);
    expect(textOf(cancelled)).toMatch(
      /Compra cancelada .* Nota de crédito C-\d{13} R\$ 359,90 de volta Pago R\$ 359,90 Tarifa e taxas .* Devolvido R\$ 359,90 .* Para Visa final 4242, como estorno .* Recibo R-\d{13}/,
    );
    const stranger = await cancelling(order, BRUNO);
    expect([stranger.page.status, textOf(stranger.page)]).toEqual([
      404,
      expect.stringContaining('Página não encontrada'),
    ]);
  });

  it('is signed in the statement by who cancelled, whoever carries it out', async () => {
    const { ana, service, origin } = setting;
    const signed = async ({ id }: Order) => {
      const { payment } = bodyOf(await ana.get<PaidReceipt>(`/orders/${id}/receipt`), 200);
      const { page } = await loggedIn(`${origin}/conta/mandatos/${payment.mandateId}`, ANA);
      return /Devolvido: compra cancelada\. (.+?) · /.exec(textOf(page))?.[1];
    };
    const byAgent = await bought();
    await giveBack(ana, byAgent);
    expect(await signed(byAgent)).toBe('Cliente piloto');

    const cut = await bought();
    const { browser, page } = await cancelling(cut);
    failNextAppend(service, 'mandate-');
    await browser.submit(page, {});
    // What its traveller began and could not finish, its agent finishes, or the service by itself.
    const late = await ana.post(`/orders/${cut.id}/cancellations/${cut.id}/confirm`);
    expect(late).toMatchObject(anError(409, 'order_not_cancellable', { details: { reason: 'cancelled' } }));
    expect(await signed(cut)).toBe('Você');
  });

  it('says before the button that nothing comes back, and afterwards that a card took no refund', async () => {
    const lost = await cancelling(await bought(GOOD_CARD, 'LEVE'));
    expect(textOf(lost.page)).toMatch(/R\$ 0,00 de volta Nada volta: .*Regra da tarifa Leve.*Cancelar sem reembolso/);
    expect(textOf(await lost.browser.submit(lost.page, {}))).toMatch(
      /Nota de crédito C-\d+ R\$ 0,00 de volta .* Devolvido R\$ 0,00 Por quê/,
    );
    const order = await bought({ ...GOOD_CARD, cardNumber: '4000 0000 0000 5126' });
    const refused = await cancelling(order);
    expect(textOf(await refused.browser.submit(refused.page, {}))).toContain('o cartão não aceitou a devolução');
    expect(await statusOf(order)).toBe('paid');
  });
});
