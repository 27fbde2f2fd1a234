import { KEPT_CARDS } from '#ucp';
import { ANA, BRUNO } from '../support/agent.js';
import { loggedIn } from '../support/challenge.js';
import { changesOf } from '../support/changes.js';
import type { Traveller } from '../support/consent.js';
import { DECLINED_CARD, GOOD_CARD } from '../support/purchase.js';
import { failNextAppend, letPass } from '../support/service.js';
import { SmallSetting } from '../support/setting.js';
import { ACCEPTED, grantedTo, OTHER_PLATFORM, paidBy, PlatformAgent } from '../support/ucp.js';

const setting = new SmallSetting({ LIMIT_REFUSED_CARDS: '0' });
const platform = new PlatformAgent(() => setting.origin);
const other = new PlatformAgent(() => setting.origin, OTHER_PLATFORM);
let item = '';
let ids = { holder: '', clientId: '' };
let path = '';

const granted = () => grantedTo(setting.service, ids);

beforeAll(async () => {
  item = await platform.item();
  const { id } = await platform.create(item);
  const { browser, page } = await loggedIn(`${setting.origin}/comprar/${id}`, ANA);
  const { events } = await changesOf(setting.service, () =>
    browser.submit(page, { ...GOOD_CARD, decision: 'approve' }),
  );
  const party = events.find(({ type }) => type === 'AgentAuthorized')?.data as typeof ids;
  ids = { holder: party.holder, clientId: party.clientId };
  path = `/conta/agentes/${ids.clientId}/pagamento`;
});

const opened = (who: Traveller = ANA) => loggedIn(setting.origin + path, who);
const tokenIn = ({ html }: { readonly html: string }): string => /alct_[A-Za-z0-9_-]{43}/.exec(html)?.[0] ?? '';
const made = async (card: Readonly<Record<keyof typeof GOOD_CARD, string>> = GOOD_CARD) => {
  const mandate = await granted();
  const { browser, page } = await opened();
  const shown = await browser.submit(page, { mandate, ...card });
  return { mandate, browser, shown, token: tokenIn(shown) };
};
const pays = async (token: string, by = platform) => {
  const { id } = await by.create(item);
  const { status, messages } = await by.complete(id, paidBy(token));
  return status === 'completed' ? status : messages.map(({ code }) => code).join();
};

describe('a token that everybody knows', () => {
  it('lets nobody in while its traveller has paused all agents, which is an error by its code', async () => {
    const { browser, page } = await loggedIn(`${setting.origin}/conta/pausa`, { ...ANA, email: 'ucp@example.com' });
    const held = await browser.submit(page, {});
    const { id } = await other.create(item);
    const { events } = await changesOf(setting.service, async () => {
      const { status, body } = await other.ask('POST', `/checkout-sessions/${id}/complete`, ACCEPTED);
      expect([status, body.messages.map(({ code }) => code)]).toEqual([409, ['agents_paused']]);
    });
    expect(events).toEqual([]);
    await browser.submit(held, {});
  });

  it('opens the mandate of its month once, whoever broke off before it was created', async () => {
    const { events } = await changesOf(setting.service, async () => {
      failNextAppend(setting.service, 'mandate-');
      const { id } = await other.create(item);
      expect((await other.ask('POST', `/checkout-sessions/${id}/complete`, ACCEPTED)).status).toBe(503);
      letPass(setting.service, 1_000);
      expect((await other.complete(id)).status).toBe('completed');
    });
    const of = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
    const [opened, created] = [of('MandateOpened'), of('MandateCreated')] as { readonly expiresAt: string }[][];
    expect([opened, created]).toMatchObject([[{ expiresAt: created?.[0]?.expiresAt }], [{}]]);
  });
});

describe('a token that a traveller makes for a platform', () => {
  it('is shown once, pays for that platform alone, and is written nowhere', async () => {
    const { browser, shown, token } = await made();
    expect([shown.status, token]).toEqual([200, expect.stringMatching(/^alct_/)]);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    const { events } = await changesOf(setting.service, async () => {
      expect(await pays(token)).toBe('completed');
    });
    expect(await pays(token, other)).toBe('payment_failed');
    expect(await pays(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toBe('payment_failed');
    const kept = await setting.service.dependencies.documents.scan(KEPT_CARDS.name, null, 100);
    expect(kept).toHaveLength(1);
    for (const written of [events, kept].map((one) => JSON.stringify(one)))
      for (const secret of [token, GOOD_CARD.cardNumber.replaceAll(' ', '')]) expect(written).not.toContain(secret);
    const after = await browser.open(path);
    expect(tokenIn(after)).toBe('');
    expect(after.html).toContain('Cartão final 4242');
    expect(after.html).toContain('usado pela última vez');
    expect((await browser.open(`/conta/agentes/${ids.clientId}`)).html).toContain(path);
    expect((await browser.open('/conta/agentes/pilot/pagamento')).status).toBe(404);
  });

  it('leaves room for others once its mandate has ended', async () => {
    const { browser, mandate } = await made();
    const page = await browser.open(path);
    const another = async () => tokenIn(await browser.submit(page, { mandate, ...GOOD_CARD }));
    let count = 0;
    while ((await another()) !== '') count += 1;
    expect(count).toBeLessThan(10);
    const end = `/conta/mandatos/${mandate}/revogar`;
    await browser.press(await browser.open(end), end);
    expect((await made()).token).not.toBe('');
  });

  it.each<[string, (one: Awaited<ReturnType<typeof made>>) => Promise<unknown>]>([
    [
      'it is removed',
      async ({ browser }) => {
        const list = await browser.open(path);
        const id = /name="remove" value="([^"]*)"/.exec(list.html)?.[1] ?? '';
        const thief = await opened(BRUNO);
        expect([thief.page.status, (await thief.browser.submit(list, { remove: id })).status]).toEqual([404, 403]);
        expect((await browser.open(path)).html).toContain(id);
        await browser.submit(list, { remove: id });
      },
    ],
    [
      'its mandate ends',
      async ({ browser, mandate }) => {
        const end = `/conta/mandatos/${mandate}/revogar`;
        await browser.press(await browser.open(end), end);
        expect((await browser.open(path)).html).not.toContain(mandate);
      },
    ],
    ['its traveller is forgotten', () => setting.service.dependencies.keptCards.forget(ids.holder)],
  ])('is worth nothing once %s', async (_, end) => {
    const one = await made();
    await end(one);
    const { events } = await changesOf(setting.service, async () => {
      expect(await pays(one.token)).toBe('payment_failed');
    });
    expect(events).toEqual([]);
  });

  it('buys nothing that another traveller has tried to buy', async () => {
    const { token } = await made();
    const { id } = await platform.create(item);
    await platform.complete(id, paidBy('alcada_test_declined'));
    const { events } = await changesOf(setting.service, async () => {
      const { status, messages } = await platform.complete(id, paidBy(token));
      expect([status, messages.map(({ code }) => code)]).toEqual(['ready_for_complete', ['invalid_mandate']]);
    });
    expect(events).toEqual([]);
  });

  it('charges the card that was typed, and is not made of what is none or by an old login', async () => {
    expect(await pays((await made(DECLINED_CARD)).token)).toBe('payment_failed');
    const { browser, page } = await opened();
    for (const wrong of [
      { mandate: await granted(), ...GOOD_CARD, cardNumber: '4242' },
      { mandate: crypto.randomUUID(), ...GOOD_CARD },
    ]) {
      const refused = await browser.submit(page, wrong);
      expect([refused.status, tokenIn(refused), refused.html.includes('role="alert"')]).toEqual([422, '', true]);
      expect(refused.html).not.toContain(`value="${wrong.cardNumber}"`);
    }
    letPass(setting.service, 301_000);
    const again = await browser.submit(page, { mandate: await granted(), ...GOOD_CARD });
    expect([again.status, again.html.includes('name="password"')]).toEqual([403, true]);
  });

  it('ends with its agent', async () => {
    const { browser, token } = await made();
    const end = `/conta/agentes/${ids.clientId}/revogar`;
    await browser.press(await browser.open(end), end);
    expect(await pays(token)).toBe('payment_failed');
    expect((await browser.open(path)).html).not.toContain('name="cardNumber"');
  });
});
