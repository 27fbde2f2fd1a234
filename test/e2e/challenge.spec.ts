import { LEDGER } from '#checkout';
import type { Booking, Mandate, Order, Refused } from '../support/answers.js';
import { ANA } from '../support/agent.js';
import { type Challenged, CHALLENGED_CARD, challengeIn, decide, loggedIn } from '../support/challenge.js';
import { changesOf } from '../support/changes.js';
import { AN_ID, AN_INSTANT } from '../support/matchers.js';
import { bodyOf, book, brl, GOOD_CARD, grant, laterTrip, mandateNow, order, TRIP_PRICE } from '../support/purchase.js';
import { letPass } from '../support/service.js';
import { Setting } from '../support/setting.js';

const setting = new Setting({ LIMIT_OPEN_CHALLENGES: '0', LIMIT_REFUSED_CARDS: '0' });
let booking: Booking;
let mandate: Mandate;
beforeEach(async () => {
  booking = await book(setting.ana, laterTrip());
  mandate = await grant(setting.ana, TRIP_PRICE);
});

const placed = (payment: object = CHALLENGED_CARD) => order(setting.ana, booking, mandate, payment);
const challenged = async (): Promise<Challenged['challenge']> => challengeIn(await placed());
const codeOf = async (answer: Promise<{ readonly status: number; readonly body: unknown }>): Promise<string> => {
  const { status, body } = await answer;
  return `${status} ${(body as Refused).error}`;
};
const ledgerOf = async (id: string): Promise<unknown> =>
  (await setting.service.dependencies.documents.get<{ readonly status: string }>(LEDGER.name, id))?.body;

describe('an order whose card wants the word of its holder (rule 10)', () => {
  it('is answered with the challenge and the pending order, the same each time until it is decided', async () => {
    const first = await placed();
    const { id } = challengeIn(first);
    expect(first.body).toEqual({
      error: 'payment_challenge_required',
      message: 'O pagamento aguarda a confirmação do viajante.',
      challenge: {
        id: AN_ID,
        url: `${setting.origin}/desafios/${id}`,
        expiresAt: AN_INSTANT,
        pollAfterSeconds: expect.any(Number),
      },
      order: { id, status: 'pending', url: `${setting.ana.base}/orders/${id}` },
      doc_url: `${setting.origin}/docs/erros/payment_challenge_required`,
      requestId: first.headers.get('x-request-id'),
    });
    const { events, ledgerRows } = await changesOf(setting.service, async () => {
      const again = await placed();
      expect(again).toMatchObject({ status: 402, body: { ...first.body, requestId: expect.any(String) } });
    });
    expect([events, ledgerRows]).toEqual([[], 0]);
    expect(await mandateNow(setting.ana, mandate)).toMatchObject({ reserved: brl(TRIP_PRICE), remaining: brl(0) });
    expect(bodyOf(await setting.ana.get<Order>(`/orders/${id}`), 200)).toMatchObject({ status: 'pending' });
  });

  it('is completed by the same order after the approval, and charged once', async () => {
    const { id, url } = await challenged();
    expect((await decide(url, ANA, 'approve')).html).toContain('Pagamento aprovado');
    const answers = await Promise.all([placed(), placed(), placed()]);
    const paid = answers.find(({ status }) => status === 201);
    expect(paid?.body).toMatchObject({ id, status: 'paid' });
    expect(await ledgerOf(id)).toMatchObject({ status: 'captured', amount: brl(TRIP_PRICE) });
    expect(await mandateNow(setting.ana, mandate)).toMatchObject({
      consumed: brl(TRIP_PRICE),
      reserved: brl(0),
    });
    expect(await codeOf(placed())).toBe('409 booking_already_ordered');
  });

  it('has what its agent noted when it was placed, whatever the request that completes it says', async () => {
    const noting = (viagem: string) => {
      const request = { bookingId: booking.id, mandateId: mandate.id, payment: CHALLENGED_CARD, metadata: { viagem } };
      return setting.ana.post<Order>('/orders', request);
    };
    const { url } = challengeIn(await noting('primeira'));
    await decide(url, ANA, 'approve');
    expect(await noting('segunda')).toMatchObject({ status: 201, body: { metadata: { viagem: 'primeira' } } });
  });

  it('fails at once where the holder denies: what was held is free, the card is not asked again, another one may pay', async () => {
    const { id, url } = await challenged();
    expect((await decide(url, ANA, 'deny')).html).toContain('Pagamento recusado');
    expect(await mandateNow(setting.ana, mandate)).toMatchObject({ reserved: brl(0), remaining: brl(TRIP_PRICE) });
    expect(await setting.ana.get(`/orders/${id}`)).toMatchObject({
      body: { status: 'failed', failure: 'payment_challenge_failed' },
    });
    const { ledgerRows } = await changesOf(setting.service, async () => {
      expect(await codeOf(placed())).toBe('402 payment_challenge_failed');
    });
    expect(ledgerRows).toBe(0);
    const other = bodyOf(await placed(GOOD_CARD), 201);
    expect(other.id).not.toBe(id);
    expect(await ledgerOf(id)).toEqual({ status: 'refused', reason: 'payment_challenge_failed' });
  });

  it('asks for the same card again once ten minutes have passed', async () => {
    const { id, url } = await challenged();
    await decide(url, ANA, 'deny');
    letPass(setting.service, 601_000);
    expect((await challenged()).id).not.toBe(id);
  });

  it('is completed without the mandate being named again', async () => {
    const { id, url } = await challenged();
    await decide(url, ANA, 'approve');
    const unnamed = { bookingId: booking.id, payment: CHALLENGED_CARD };
    expect(await setting.ana.post('/orders', unnamed)).toMatchObject({ status: 201, body: { id } });
  });
});

describe('a challenge whose mandate ends meanwhile (rule 11)', () => {
  it('fails with the mandate that was revoked, approved or not', async () => {
    const { id, url } = await challenged();
    await decide(url, ANA, 'approve');
    bodyOf(await setting.ana.call('DELETE', `/mandates/${mandate.id}`), 200);
    expect(await ledgerOf(id)).toEqual({ status: 'closed' });
    expect(await codeOf(placed())).toBe('409 mandate_revoked');
    expect(await setting.ana.get(`/orders/${id}`)).toMatchObject({
      body: { status: 'failed', failure: 'mandate_revoked' },
    });
    expect((await loggedIn(url, ANA)).page.html).toContain('Compra não concluída');
  });
});
