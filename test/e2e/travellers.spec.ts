import type { Booking, List, Order, Receipt, Refused } from '../support/answers.js';
import { changesOf } from '../support/changes.js';
import { A_TICKET, AN_ID } from '../support/matchers.js';
import { bodyOf, book, buy, GOOD_CARD, grant, order, TRIP, TRIP_PRICE } from '../support/purchase.js';
import { tokensFor } from '../support/agent.js';
import { OTHER_AGENT } from '../support/service.js';
import { Setting } from '../support/setting.js';

const setting = new Setting();

const CONCEICAO = {
  givenName: 'Conceição',
  familyName: 'dos Santos',
  birthDate: '1990-05-17',
  document: { type: 'CPF', number: '123.456.789-09' },
};
const ZE = { givenName: 'José', familyName: "D'Ávila" };
const CONTACT = { email: 'conceicao@example.com', phone: '+55 11 91234-5678' };
const TWO = { ...TRIP, passengers: 2 };
const LOCATOR: unknown = expect.stringMatching(/^[2-9A-HJ-NP-Z]{6}$/);

const mandateOf = (passengers: number) => grant(setting.ana, passengers * TRIP_PRICE);
const orderNow = async ({ id }: Order, api = setting.ana) => bodyOf(await api.get<Order>(`/orders/${id}`), 200);
const bookingNow = async ({ id }: Booking, api = setting.ana) => bodyOf(await api.get<Booking>(`/bookings/${id}`), 200);
const change = ({ id }: Booking, changes: object) =>
  setting.ana.call<Booking & Refused>('PATCH', `/bookings/${id}`, changes);
const refused = ({ status, body }: { readonly status: number; readonly body: unknown }) => {
  const { error, details } = body as Refused;
  return [status, error, (details as readonly { readonly field: string }[] | undefined)?.map(({ field }) => field)];
};

describe('who flies', () => {
  it('is said with the booking and stands on the tickets of its order, one a passenger', async () => {
    const booking = await book(setting.ana, { ...TWO, travellers: [CONCEICAO, ZE], contact: CONTACT });
    expect(booking).toMatchObject({ passengers: 2, travellers: [CONCEICAO, ZE], contact: CONTACT });
    const bought = await buy(setting.ana, booking, await mandateOf(2));
    expect(bought).toMatchObject({ locator: LOCATOR, travellers: [CONCEICAO, ZE], contact: CONTACT });
    expect(bought.tickets).toEqual([
      { ticketCode: bought.ticketCode, traveller: CONCEICAO },
      { ticketCode: A_TICKET, traveller: ZE },
    ]);
    expect(new Set(bought.tickets.map(({ ticketCode }) => ticketCode)).size).toBe(2);
    expect(await orderNow(bought)).toEqual(bought);
    const { items } = bodyOf(await setting.ana.get<List<Order>>('/orders?limit=1'), 200);
    expect(items).toEqual([bought]);
    const receipt = bodyOf(await setting.ana.get<Receipt>(`/orders/${bought.id}/receipt`), 200);
    const ticketCodes = bought.tickets.map(({ ticketCode }) => ticketCode);
    expect(receipt).toMatchObject({ locator: bought.locator, line: { ticketCode: bought.ticketCode, ticketCodes } });
    expect(JSON.stringify(receipt)).not.toMatch(/Conceição|José|example\.com/);
  });

  it('may be said by the order alone, and by it otherwise than by its booking', async () => {
    const booking = await book(setting.ana, { ...TRIP, travellers: [CONCEICAO], contact: CONTACT });
    const body = { bookingId: booking.id, mandateId: (await mandateOf(1)).id, payment: GOOD_CARD, travellers: [ZE] };
    const bought = bodyOf(await setting.ana.post<Order>('/orders', body), 201);
    expect(bought).toMatchObject({ tickets: [{ traveller: ZE }], travellers: [ZE], contact: CONTACT });
  });

  it('need not be said: each passenger has a ticket all the same', async () => {
    const booking = await book(setting.ana, TWO);
    expect(booking).not.toHaveProperty('travellers');
    const bought = await buy(setting.ana, booking, await mandateOf(2));
    expect(bought.tickets).toEqual([
      { ticketCode: bought.ticketCode, traveller: null },
      { ticketCode: A_TICKET, traveller: null },
    ]);
    expect(bought).not.toHaveProperty('contact');
  });

  it('can be changed while the booking can, and in no event', async () => {
    const booking = await book(setting.ana, { ...TRIP, travellers: [ZE] });
    const { events } = await changesOf(setting.service, async () => {
      expect(bodyOf(await change(booking, { travellers: [CONCEICAO] }), 200)).toMatchObject({
        travellers: [CONCEICAO],
      });
      expect(bodyOf(await change(booking, { contact: CONTACT }), 200)).toMatchObject({ contact: CONTACT });
    });
    expect(events).toEqual([]);
    expect(refused(await change(booking, { passengers: 2 }))).toEqual([422, 'invalid_travellers', ['travellers']]);
    const both = await change(booking, { passengers: 2, travellers: [CONCEICAO, ZE] });
    expect(bodyOf(both, 200)).toMatchObject({ passengers: 2, travellers: [CONCEICAO, ZE], contact: CONTACT });
    expect(await bookingNow(booking)).toEqual(both.body);
    const bought = await buy(setting.ana, booking, await mandateOf(2));
    expect(refused(await change(booking, { travellers: [ZE, ZE] }))).toEqual([422, 'booking_locked', undefined]);
    expect((await orderNow(bought)).travellers).toEqual([CONCEICAO, ZE]);
  });

  it('is seen by no other agent of the traveller, and by nobody else', async () => {
    const booking = await book(setting.ana, { ...TRIP, travellers: [CONCEICAO], contact: CONTACT });
    const bought = await buy(setting.ana, booking, await mandateOf(1));
    const other = setting.otherOfAna;
    const seen = [
      await bookingNow(booking, other),
      await orderNow(bought, other),
      bodyOf(await other.get<object>('/bookings?limit=500'), 200),
      bodyOf(await other.get<object>('/orders?limit=500'), 200),
      bodyOf(await other.get<object>(`/orders/${bought.id}/receipt`), 200),
      bodyOf(await setting.bruno.get<object>('/orders?limit=500'), 200),
    ];
    expect(JSON.stringify(seen)).not.toMatch(/Conceição|dos Santos|123\.456|example\.com|91234/);
    expect(seen[1]).toMatchObject({ locator: bought.locator, tickets: [{ ticketCode: A_TICKET, traveller: null }] });
    // Who reads names on a ticket and who does not: their documents differ. What is in them: ticket-pdf.spec.
    const ticket = async (client?: typeof OTHER_AGENT) => {
      const { access_token: token } = await tokensFor(setting.origin, client && { client });
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${setting.origin}/api/v1/orders/${bought.id}/ticket.pdf`, { headers });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      return Buffer.from(await answer.arrayBuffer());
    };
    expect((await ticket()).equals(await ticket(OTHER_AGENT))).toBe(false);
    for (const [path, status] of [
      [`/orders/${bought.id}/ticket.pdf`, 404],
      [`/orders/${bought.id}`, 404],
      [`/orders/${String(bought.locator)}`, 404],
    ] as const)
      expect(await setting.bruno.get(path)).toMatchObject({ status });
  });

  it('is refused where it cannot be, with the place, before anything is kept', async () => {
    const post = (given: object) => setting.ana.post('/bookings', { ...TRIP, ...given });
    const wrong = (given: object) => post(given).then(refused);
    const refusal = (...fields: readonly string[]) => [422, 'invalid_travellers', fields];
    const { events } = await changesOf(setting.service, async () => {
      expect(await wrong({ travellers: [CONCEICAO, ZE] })).toEqual(refusal('travellers'));
      expect(await wrong({ passengers: 9, travellers: Array(10).fill(ZE) })).toEqual(refusal('travellers'));
      expect(await wrong({ travellers: [{ ...ZE, givenName: 'Jo\u202esé' }] })).toEqual(
        refusal('travellers.0.givenName'),
      );
      expect(await wrong({ travellers: [{ givenName: 'José' }] })).toEqual(refusal('travellers.0.familyName'));
      expect(await wrong({ travellers: [{ ...ZE, birthDate: '2999-01-01' }] })).toEqual([
        422,
        'invalid_travellers',
        ['travellers.0.birthDate'],
      ]);
      expect(refused(await post({ contact: { email: 'ana' } }))).toEqual([422, 'invalid_body', ['contact.email']]);
    });
    expect(events).toEqual([]);
    const booking = await book(setting.ana, TRIP);
    const body = { bookingId: booking.id, mandateId: AN_ID, payment: GOOD_CARD, travellers: [ZE, ZE] };
    expect(refused(await setting.ana.post('/orders', { ...body, mandateId: (await mandateOf(1)).id }))).toEqual(
      refusal('travellers'),
    );
    expect(refused(await change(booking, { travellers: null }))).toEqual([422, 'invalid_change', ['travellers']]);
    expect(await order(setting.ana, booking, await mandateOf(1))).toMatchObject({ status: 201 });
  });

  it('names what it does not know in a list, with its place', async () => {
    const sent = { ...TRIP, travellers: [{ ...ZE, familyname: 'x' }] };
    const { warnings } = bodyOf(await setting.ana.post<{ warnings: unknown }>('/bookings', sent), 201);
    expect(warnings).toMatchObject([{ field: 'travellers.0.familyname', suggestion: 'travellers.0.familyName' }]);
  });
});

describe('who flies on a lap', () => {
  it('needs an adult of their own, asked for again by the order', async () => {
    const now = setting.service.dependencies.clock.now();
    const infant = {
      givenName: 'Lia',
      familyName: 'Sá',
      birthDate: `${Number(now.slice(0, 4)) - 1}${now.slice(4, 10)}`,
    };
    const child = { ...infant, birthDate: '2015-02-03' };
    const alone = await setting.ana.post('/bookings', { ...TWO, travellers: [infant, child] });
    expect(refused(alone)).toEqual([422, 'invalid_travellers', ['travellers.0.birthDate']]);
    const booking = await book(setting.ana, { ...TWO, travellers: [infant, ZE] });
    const mandate = await mandateOf(2);
    const body = { bookingId: booking.id, mandateId: mandate.id, payment: GOOD_CARD };
    const again = await setting.ana.post('/orders', { ...body, travellers: [infant, child] });
    expect(refused(again)).toEqual([422, 'invalid_travellers', ['travellers.0.birthDate']]);
    expect(bodyOf(await setting.ana.post<Order>('/orders', body), 201)).toMatchObject({ travellers: [infant, ZE] });
  });
});
