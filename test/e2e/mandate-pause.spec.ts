import type { Api } from '#agent';
import { agentAt, ANA, BRUNO } from '../support/agent.js';
import type { List, Mandate, Order, Refused } from '../support/answers.js';
import { CHALLENGED_CARD, challengeIn, loggedIn } from '../support/challenge.js';
import { agentWith, reachConsent, type Traveller } from '../support/consent.js';
import { bodyOf, book, brl, buy, grant, mandateNow, order, TRIP_PRICE } from '../support/purchase.js';
import { letPass, OTHER_AGENT, registerOtherAgent } from '../support/service.js';
import { ServiceUnderTest } from '../support/service-under-test.js';

const tested = new ServiceUnderTest();
let ana: Api;
beforeAll(() => registerOtherAgent(tested.service));
beforeEach(async () => {
  ana = await agentAt(tested.origin);
});

const pathOf = ({ id }: Mandate): string => `/conta/mandatos/${id}`;
const pageOf = (mandate: Mandate, path = '', traveller: Traveller = ANA) =>
  loggedIn(tested.origin + pathOf(mandate) + path, traveller);

const press = async (mandate: Mandate): Promise<string> => {
  const { browser, page } = await pageOf(mandate);
  return (await browser.submit(page, {})).html;
};

const narrow = async (mandate: Mandate, values: { readonly limit: string; readonly end: string }) => {
  const { browser, page } = await pageOf(mandate, '/reduzir');
  return browser.submit(page, values);
};

const PAUSED = { status: 409, body: { error: 'mandate_paused' } };

describe('a mandate that its traveller pauses', () => {
  it('charges nothing until it is resumed, and loses nothing', async () => {
    const mandate = await grant(ana, 2 * TRIP_PRICE);
    const booking = await book(ana);
    expect(await press(mandate)).toContain('Retomar');
    expect((await mandateNow(ana, mandate)).status).toBe('paused');
    expect(await order(ana, booking, mandate)).toMatchObject(PAUSED);
    const unnamed = await ana.post<Refused>('/orders', { bookingId: booking.id, payment: CHALLENGED_CARD });
    expect(unnamed).toMatchObject({ status: 422, body: { error: 'mandate_required' } });
    expect(bodyOf(await ana.get<List<Mandate>>('/mandates?status=paused'), 200).items).toHaveLength(1);
    expect(await press(mandate)).toContain('Pausar');
    expect(await buy(ana, booking, mandate)).toMatchObject({ status: 'paid' });
    const { items } = bodyOf(await ana.get<List<{ readonly type: string }>>(`/mandates/${mandate.id}/events`), 200);
    expect(items.map(({ type }) => type)).toEqual([
      'MandateCreated',
      'MandatePaused',
      'MandateChargeRefused',
      'MandateResumed',
      'MandateReserved',
      'MandateConsumed',
    ]);
  });

  it('settles what is under way before the page answers (rule 29)', async () => {
    const mandate = await grant(ana, TRIP_PRICE);
    const booking = await book(ana);
    const { id, url } = challengeIn(await order(ana, booking, mandate, CHALLENGED_CARD));
    await press(mandate);
    expect(await mandateNow(ana, mandate)).toMatchObject({ status: 'paused', reserved: brl(0), consumed: brl(0) });
    expect((await ana.get<Order>(`/orders/${id}`)).body).toMatchObject({ status: 'failed', failure: 'mandate_paused' });
    expect((await loggedIn(url, ANA)).page.html).not.toContain('name="decision"');
    expect(await order(ana, booking, mandate, CHALLENGED_CARD)).toMatchObject(PAUSED);
  });

  it('is still revoked by its agent, and expires', async () => {
    const [revoked, expired] = [await grant(ana, 1), await grant(ana, 1, { durationMinutes: 2 })];
    for (const mandate of [revoked, expired]) await press(mandate);
    expect((await ana.call<Mandate>('DELETE', `/mandates/${revoked.id}`)).body.status).toBe('revoked');
    letPass(tested.service, 120_000);
    expect((await mandateNow(ana, expired)).status).toBe('expired');
    const { items } = bodyOf(await ana.get<List<Mandate>>('/mandates?status=expired'), 200);
    expect(items.map(({ id }) => id)).toEqual([expired.id]);
  });

  it('is paused and narrowed by nobody else', async () => {
    const mandate = await grant(ana, 1);
    for (const path of ['', '/reduzir']) expect((await pageOf(mandate, path, BRUNO)).page.status).toBe(404);
  });
});

describe('everything that a traveller pauses at once (rule 41)', () => {
  const pauseAll = () => loggedIn(`${tested.origin}/conta/pausa`, ANA);
  const ALL_PAUSED = { status: 409, body: { error: 'agents_paused' } };

  it('stands still for every agent, also one let in later, until it is undone', async () => {
    const [mandate, own] = [await grant(ana, 2 * TRIP_PRICE), await grant(ana, TRIP_PRICE)];
    const waiting = await grant(ana, TRIP_PRICE);
    const booking = await book(ana);
    const challenged = challengeIn(await order(ana, await book(ana), waiting, CHALLENGED_CARD));
    await press(own);
    const { browser, page } = await pauseAll();
    expect(page.html).toContain('Pausar tudo?');
    expect((await browser.submit(page, {})).html).toContain('<strong>Tudo em pausa</strong>');
    expect((await ana.get<Order>(`/orders/${challenged.id}`)).body).toMatchObject({ failure: 'mandate_paused' });
    expect(await order(ana, booking, mandate)).toMatchObject({ ...PAUSED, body: { details: { allAgents: true } } });
    const terms = { scope: ['order:write', 'payment:execute'], limit: brl(1), durationMinutes: 5 };
    expect(await ana.post<Refused>('/mandates', terms)).toMatchObject(ALL_PAUSED);
    expect(await ana.post<Refused>('/orders', { bookingId: booking.id, payment: CHALLENGED_CARD })).toMatchObject(
      ALL_PAUSED,
    );
    const late = await agentWith({}, tested.origin, ANA, OTHER_AGENT);
    expect(await late.post<Refused>('/mandates', terms)).toMatchObject(ALL_PAUSED);
    const statement = await pageOf(mandate);
    expect(statement.page.html).toContain('Em pausa com todos os agentes: nada é gasto até você retomar tudo');

    const { browser: again, page: held } = await pauseAll();
    expect(held.html).toContain('Retomar');
    expect((await again.open('/conta')).html).toContain('disponíveis quando você retomar');
    expect((await again.submit(held, {})).html).toContain('Pausar tudo…');
    expect((await mandateNow(ana, own)).status).toBe('paused');
    expect(await buy(ana, booking, mandate)).toMatchObject({ status: 'paid' });
    expect(bodyOf(await late.post<Mandate>('/mandates', terms), 201).status).toBe('valid');
  });

  it('lets no consent open a mandate meanwhile', async () => {
    const { browser, page } = await pauseAll();
    await browser.submit(page, {});
    const detail = { type: 'payment_mandate', limit: brl(1_00), durationMinutes: 10 };
    const consent = await reachConsent(tested.origin, ANA, OTHER_AGENT, [detail]);
    const { html } = await consent.approve(consent.page, {});
    expect(html).toContain('Você pausou todos os agentes');
    const { browser: again, page: held } = await pauseAll();
    await again.submit(held, {});
  });
});

describe('a mandate that its traveller narrows', () => {
  it('may spend less, for less long, and leaves the rest to the cap', async () => {
    const mandate = await grant(ana, 1000_00, { durationMinutes: 600 });
    await buy(ana, await book(ana), mandate);
    const { html } = await narrow(mandate, { limit: '300,00', end: '60' });
    expect(html).toContain('Mandato reduzido, com teto de R$\u00a0300,00');
    const narrowed = await mandateNow(ana, mandate);
    expect(narrowed).toMatchObject({ status: 'valid', limit: brl(300_00), remaining: brl(300_00 - TRIP_PRICE) });
    expect(narrowed.duration.expiresAt < mandate.duration.expiresAt).toBe(true);
    expect(await order(ana, await book(ana), mandate)).toMatchObject({ body: { error: 'mandate_limit_exceeded' } });
    letPass(tested.service, 61 * 60_000);
    expect((await mandateNow(await agentAt(tested.origin), mandate)).status).toBe('expired');
  });

  it('keeps an end that has come nearer than the one chosen on the page', async () => {
    const mandate = await grant(ana, 1000_00);
    const { status } = await narrow(mandate, { limit: '300,00', end: '60' });
    const { limit, duration } = await mandateNow(ana, mandate);
    expect([status, limit, duration.expiresAt]).toEqual([200, brl(300_00), mandate.duration.expiresAt]);
  });

  it('is told that nothing changed where the form is sent as it stands, whatever was done before', async () => {
    const mandate = await grant(ana, 1000_00);
    await press(mandate);
    await press(mandate);
    const { status, html } = await narrow(mandate, { limit: '1.000,00', end: '' });
    expect([status, html]).toEqual([200, expect.stringContaining('Nada mudou: o teto e o prazo já são estes.')]);
    expect(html).not.toContain('Mandato retomado');
  });

  it('is shown as it is by now where it was revoked while the page was open', async () => {
    const mandate = await grant(ana, 1000_00);
    const { browser, page } = await pageOf(mandate, '/reduzir');
    await ana.call('DELETE', `/mandates/${mandate.id}`);
    const { status, html } = await browser.submit(page, { limit: '300,00', end: '' });
    expect([status, html]).toEqual([200, expect.stringContaining('Mandato encerrado')]);
  });

  it.each(['1.000,01', '279,89', 'tudo', '0'])('is told which ceilings it may have instead of %s', async (limit) => {
    const mandate = await grant(ana, 1000_00);
    await buy(ana, await book(ana), mandate);
    const { status, html } = await narrow(mandate, { limit, end: '' });
    expect([status, html]).toEqual([422, expect.stringContaining('de R$\u00a0279,90 a R$\u00a01.000,00')]);
    expect((await mandateNow(ana, mandate)).limit).toEqual(brl(1000_00));
  });
});
