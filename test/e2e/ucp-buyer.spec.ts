import { Browser } from '#agent';
import { ANA, BRUNO } from '../support/agent.js';
import { CHALLENGED_CARD, loggedIn } from '../support/challenge.js';
import { changesOf } from '../support/changes.js';
import type { Traveller } from '../support/consent.js';
import { DECLINED_CARD, GOOD_CARD } from '../support/purchase.js';
import { letPass } from '../support/service.js';
import { SmallSetting } from '../support/setting.js';
import { ACCEPTED, type Checkout, PlatformAgent } from '../support/ucp.js';

const setting = new SmallSetting({ LIMIT_PUBLIC_READS: '0', LIMIT_REFUSED_CARDS: '0', LIMIT_OPEN_CHALLENGES: '0' });
const platform = new PlatformAgent(() => setting.origin);
let item = '';
beforeAll(async () => {
  item = await platform.item();
});
const put = (more?: object) => platform.create(item, 1, more);
const change = ({ id }: Checkout, quantity: number, more: object = {}) =>
  platform.ask('PUT', `/checkout-sessions/${id}`, { line_items: [{ item: { id: item }, quantity }], ...more });
const now = ({ id }: Checkout) => platform.get(id);
const complete = ({ id }: Checkout) => platform.ask('POST', `/checkout-sessions/${id}/complete`, ACCEPTED);
const addressOf = ({ id }: Checkout) => `${setting.origin}/comprar/${id}`;
const buys = (card: object = GOOD_CARD) => ({ ...(card as typeof GOOD_CARD), decision: 'approve' });
const opened = (session: Checkout, who: Traveller = ANA) => loggedIn(addressOf(session), who);
const textOf = ({ html }: { readonly html: string }): string =>
  html
    .replace(/<head>.*<\/head>|<[^>]*>/gs, ' ')
    .replace(/[ \n]+/g, ' ')
    .replace(/\u00a0|&nbsp;/g, ' ');
const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);
const price = ({ totals }: Checkout) => totals.find(({ type }) => type === 'total')?.amount ?? 0;
const reais = (amount: number) =>
  (amount / 100).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' }).replaceAll('\u00a0', ' ');

describe('the page that completing escalates to', () => {
  it('shows after a login what the platform put together, and buys that alone', async () => {
    const session = await put();
    const { browser, page } = await opened(session);
    expect([page.status, page.url.pathname]).toEqual([200, `/comprar/${session.id}`]);
    const total = reais(price(session));
    for (const text of ['spck.dev/agent endereço comprovado', `Comprar por ${total}`, 'Cancelamento', 'Prazo'])
      expect(textOf(page)).toContain(text);
    expect(page.html).not.toMatch(/<script(?! type="module" src="\/assets\/page\.js)|<style| style=| on[a-z]+=/);
    const { events, ledgerRows } = await changesOf(setting.service, async () => {
      const after = await browser.submit(page, buys());
      expect([after.status, after.url.pathname]).toEqual([200, expect.stringMatching(/^\/conta\/pedidos\//)]);
    });
    expect(ledgerRows).toBe(1);
    expect(typesOf(events).slice(0, 4)).toEqual([
      ...['AgentAuthorized', 'SpendingCapSet', 'ApprovalModeSet', 'MandateOpened'],
    ]);
    expect(typesOf(events).filter((type) => type === 'OrderPaid' || type === 'MandateRevoked')).toHaveLength(2);
    const amount = { amount: price(session), currency: 'BRL' };
    expect(events.find(({ type }) => type === 'SpendingCapSet')?.data).toMatchObject({ cap: amount });
    expect(events.find(({ type }) => type === 'MandateCreated')?.data).toMatchObject({
      ...{ limit: amount, grantedBy: 'traveller', constraints: { maxOrders: 1 } },
    });
    expect(JSON.stringify(events)).not.toMatch(/4242 ?4242/);
    expect(textOf(await browser.open('/conta/acontecimentos'))).toContain('Você encerrou o mandato de spck.dev');
    expect(await now(session)).toMatchObject({ status: 'completed', order: { id: expect.any(String) } });
    // The next purchase raises the limit by what it costs, and no more.
    const next = await put();
    const again = await opened(next);
    expect(textOf(again.page)).toContain(
      `O limite total de spck.dev passa de ${total} a ${reais(2 * price(next))}, que`,
    );
    await again.browser.submit(again.page, buys());
    expect((await now(next)).status).toBe('completed');
  });

  it('is told to the platform where it is refused, which completes nothing then', async () => {
    const session = await put();
    const { browser, page } = await opened(session, BRUNO);
    const { events } = await changesOf(setting.service, () => browser.submit(page, { decision: 'deny' }));
    expect(events).toEqual([]);
    expect(textOf(await browser.open(addressOf(session)))).toContain('Compra recusada');
    const { status, messages } = await now(session);
    expect([status, messages[0]?.code]).toEqual(['canceled', 'buyer_declined']);
    expect((await complete(session)).status).toBe(409);
    expect((await browser.submit(page, buys())).status).toBe(200);
    expect((await now(session)).order).toBeUndefined();
  });

  it('buys nothing else than it showed', async () => {
    const session = await put();
    const { browser, page } = await opened(session);
    await change(session, 2);
    const { events } = await changesOf(setting.service, async () => {
      const after = await browser.submit(page, buys());
      expect([after.status, textOf(after)]).toEqual([422, expect.stringContaining('A compra mudou')]);
    });
    expect(events).toEqual([]);
    const forged = { ...page, html: page.html.replace(/name="shown" value="[^"]*"/, 'name="shown" value=""') };
    expect((await browser.submit(forged, buys())).status).toBe(422);
  });

  it('says why a card was refused, leaves no mandate open, and takes another one', async () => {
    const session = await put();
    const { browser, page } = await opened(session);
    const { events } = await changesOf(setting.service, async () => {
      const wrong = await browser.submit(page, buys({ ...GOOD_CARD, cardNumber: '1' }));
      expect([wrong.status, textOf(wrong)]).toEqual([422, expect.stringContaining('dados do cartão são inválidos')]);
      const declined = await browser.submit(wrong, buys(DECLINED_CARD));
      expect([declined.status, textOf(declined)]).toEqual([422, expect.stringContaining('recusado pelo emissor')]);
      expect(declined.html).not.toContain(DECLINED_CARD.cardNumber);
      await browser.submit(declined, buys());
    });
    const count = (type: string) => typesOf(events).filter((one) => one === type).length;
    expect([count('MandateOpened'), count('MandateRevoked'), count('MandateClosed'), count('OrderPaid')]).toEqual([
      ...[2, 2, 2, 1],
    ]);
    expect((await now(session)).status).toBe('completed');
  });

  it('goes on to the challenge of a card, and comes back for the same card', async () => {
    const session = await put();
    const { browser, page } = await opened(session);
    const challenge = await browser.submit(page, buys(CHALLENGED_CARD));
    expect(challenge.url.pathname).toMatch(/^\/desafios\//);
    expect((await browser.open(addressOf(session))).url.pathname).toBe(challenge.url.pathname);
    expect((await now(session)).status).toBe('requires_escalation');
    const back = await browser.submit(challenge, { decision: 'approve' });
    expect([back.url.pathname, textOf(back)]).toEqual([
      ...[`/comprar/${session.id}`, expect.stringContaining('Concluir esta compra?')],
    ]);
    const other = await browser.submit(back, buys());
    expect([other.status, textOf(other)]).toEqual([422, expect.stringContaining('Informe o mesmo cartão')]);
    expect((await browser.submit(other, buys(CHALLENGED_CARD))).url.pathname).toMatch(/^\/conta\/pedidos\//);
    expect((await now(session)).status).toBe('completed');

    for (const where of ['its page', 'its card']) {
      const denied = await opened(await put());
      const asked = await denied.browser.submit(denied.page, buys(CHALLENGED_CARD));
      const shown = where === 'its page' ? asked : await denied.browser.open('/conta');
      const { events } = await changesOf(setting.service, () => denied.browser.submit(shown, { decision: 'deny' }));
      expect([where, ...typesOf(events)]).toContain('MandateRevoked');
    }
  });

  it.each<[string, (session: Checkout, press: (who: Traveller) => Promise<unknown>) => readonly Promise<unknown>[]]>([
    ['the button twice', (_, press) => [press(ANA), press(ANA), press(ANA)]],
    ['two travellers', (_, press) => [press(ANA), press(BRUNO)]],
    ['a traveller and the platform by its token', (session, press) => [press(ANA), complete(session), press(ANA)]],
  ])('makes one order or none of %s at once', async (_, racers) => {
    const session = await put();
    const pages = new Map<Traveller, Awaited<ReturnType<typeof opened>>>();
    for (const who of [ANA, BRUNO]) pages.set(who, await opened(session, who));
    const press = async (who: Traveller) => {
      const { browser, page } = pages.get(who) ?? (await opened(session, who));
      return browser.submit(page, buys());
    };
    const { events, ledgerRows } = await changesOf(setting.service, () => Promise.all(racers(session, press)));
    const paid = typesOf(events).filter((type) => type === 'OrderPaid').length;
    expect([paid, ledgerRows]).toEqual([1, 1]);
    const opening = typesOf(events).filter((type) => type === 'MandateOpened').length;
    const closing = typesOf(events).filter((type) => type === 'MandateClosed').length;
    expect(opening - closing).toBeLessThanOrEqual(1);
    expect((await now(session)).status).toBe('completed');
  });

  it('shows nobody what the platform says of a buyer but the account that is meant', async () => {
    const buyer = {
      first_name: 'Zuleica',
      last_name: 'Prado',
      email: 'Ana@Example.com',
      phone_number: '+55 11 98888-7777',
    };
    const session = await put({ buyer });
    expect(session).toMatchObject({ buyer, continue_url: addressOf(session) });
    const own = await opened(session);
    expect(textOf(own.page)).toContain('Zuleica Prado, Ana@Example.com');
    const { browser, page } = await opened(session, BRUNO);
    expect(textOf(page)).toContain('não é mostrado nem usado');
    const declined = await browser.submit(page, buys(DECLINED_CARD));
    // What the platform says again is not this traveller's either.
    await change(session, 1, { buyer });
    const bought = await browser.submit(await browser.open(declined.url), buys());
    expect(bought.url.pathname).toMatch(/^\/conta\/pedidos\//);
    for (const html of [page.html, declined.html, bought.html]) expect(html).not.toMatch(/Zuleica|ana@example|98888/i);
    expect(textOf(await own.browser.open(addressOf(session)))).toContain('não é sua');
  });

  it('is of our own form, in a login of the last five minutes', async () => {
    const [session, other] = [await put(), await put()];
    const { browser, page } = await opened(session);
    const forged = page.html.replaceAll(session.id, other.id);
    expect((await browser.submit({ ...page, html: forged }, buys())).status).toBe(403);
    expect((await browser.submit(page, buys(), { origin: 'https://evil.example' })).status).toBe(403);
    const stranger = new Browser(setting.origin);
    expect((await stranger.submit(page, buys())).status).toBe(403);
    for (const id of [crypto.randomUUID(), 'x']) expect((await browser.open(`/comprar/${id}`)).status).toBe(404);
    letPass(setting.service, 301_000);
    const again = await browser.submit(page, buys());
    expect([again.status, again.html.includes('name="password"')]).toEqual([403, true]);
    expect((await now(session)).status).toBe('ready_for_complete');
  });

  it('says in words why nothing can be bought', async () => {
    const [first, session, later] = [await put(), await put(), await put()];
    const known = await opened(first, BRUNO);
    await known.browser.submit(known.page, buys());
    const { browser, page } = await opened(session, BRUNO);
    const says = async (text: string) => {
      const { events, ledgerRows } = await changesOf(setting.service, () => browser.submit(page, buys()));
      expect([typesOf(events), ledgerRows]).toEqual([[], 0]);
      const shown = await browser.open(addressOf(session));
      expect(textOf(shown)).toContain(text);
      expect(shown.html).not.toContain('name="cardNumber"');
    };
    await browser.press(await browser.open('/conta/pausa'), '/conta/pausa');
    await says('Você pausou todos os agentes');
    await browser.press(await browser.open('/conta/pausa'), '/conta/pausa/retomar');

    await browser.submit(await browser.open('/conta/limites'), { mode: 'agent' });
    await says('não cabe no limite de');
    await browser.submit(await browser.open('/conta/limites'), { cap: '9.999,00' });
    const fits = await browser.open(addressOf(later));
    expect(textOf(fits)).not.toContain('O limite total');
    await browser.submit(fits, buys());
    expect((await now(later)).status).toBe('completed');

    const client = /\/conta\/agentes\/([^"/]+)"/.exec((await browser.open('/conta/agentes')).html)?.[1] ?? '';
    const end = `/conta/agentes/${client}/revogar`;
    await browser.press(await browser.open(end), end);
    await says('Você revogou spck.dev');
    letPass(setting.service, 31 * 60_000);
    await says('O prazo acabou');
  });
});
