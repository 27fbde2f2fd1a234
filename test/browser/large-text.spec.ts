import { authorizationUrl, discover, pkce } from '#agent';
import { openForAll } from '#testing';
import { agentAt, PILOT, PURCHASE } from '../support/agent.js';
import { addAuditor, CLARA } from '../support/auditor.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { book, buy, grant } from '../support/purchase.js';
import { settled, startServiceInMemory } from '../support/service.js';
import { PlatformAgent } from '../support/ucp.js';
import { openWatchedPage } from '../support/watched-page.js';

const inChromium = hasChromium('pages with large text') ? describe : describe.skip;
const browser = openForAll(() => launchChromium());
const api = openForAll(() => startServiceInMemory({ DEMO_TRAVELLERS: 'grande@example.com' }));

const ASKED = { type: 'payment_mandate', limit: { amount: 1_000_000_00, currency: 'BRL' }, durationMinutes: 60 };

/** Where the pilot asks for these mandates. */
const consentPath = async (details: readonly object[]): Promise<string> => {
  const server = await discover(api.origin);
  const asked = { scopes: PURCHASE, state: 'estado', challenge: pkce().challenge, details };
  const { pathname, search } = authorizationUrl(
    server,
    { ...PILOT, redirectUri: 'http://127.0.0.1:8765/callback' },
    asked,
  );
  return pathname + search;
};

inChromium('pages with text of twice the size', () => {
  it('are no wider than a phone, a small one too', async () => {
    const traveller = { email: 'grande@example.com', password: 'alcada-demo' };
    const agent = await agentAt(api.origin, { traveller });
    const mandate = await grant(agent, 3000_00);
    const order = await buy(agent, await book(agent), mandate);
    await settled(api);
    await addAuditor(api);
    const { page } = await openWatchedPage(browser, { viewport: { width: 390, height: 760 } });
    const wide: string[] = [];
    const look = async (path: string): Promise<void> => {
      await page.goto(api.origin + path);
      if (path === '/observability') await page.waitForSelector('canvas');
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 760 });
        const needed = await page.evaluate<number>(
          `for (const one of document.querySelectorAll('.consent details')) one.open = true;
          document.documentElement.style.fontSize = '200%'; document.documentElement.scrollWidth`,
        );
        if (needed > width) wide.push(`${path} is ${needed} px wide, of ${width}`);
        // Its charts are drawn anew 150 ms after the window changed: the narrower window comes upon those of the wider one.
        if (path === '/observability') await page.waitForTimeout(300);
      }
    };
    const logIn = async ({ email, password }: typeof traveller): Promise<void> => {
      await page.fill('input[name=username]', email);
      await page.fill('input[name=password]', password);
      await page.click('button[type=submit]');
      await page.waitForLoadState();
    };
    const docs = ['/docs', '/docs/orders', '/docs/agents', '/docs/erros/rate_limited'];
    for (const path of ['/', '/voos', '/verificar', '/observability', ...docs, '/nada', '/conta']) await look(path);
    await logIn(traveller);
    const lists = ['', '/viagens', '/agentes', '/limites', '/avisos', '/pausa', '/mandatos'];
    const own = [`/mandatos/${mandate.id}`, `/mandatos/${mandate.id}/reduzir`, `/pedidos/${order.id}`];
    for (const path of [...lists, ...own]) await look(`/conta${path}`);
    for (const named of [[ASKED], [ASKED, ASKED]]) await look(await consentPath(named));
    const platform = new PlatformAgent(() => api.origin);
    await look(`/comprar/${(await platform.create(await platform.item())).id}`);
    await look('/auditoria');
    await logIn(CLARA);
    const month = order.createdAt.slice(0, 7);
    for (const path of ['', '/movimentos', `/meses/${month}`, `/mandatos/${mandate.id}`, `/pedidos/${order.id}`])
      await look(`/auditoria${path}`);
    expect(wide).toEqual([]);
  });
});
