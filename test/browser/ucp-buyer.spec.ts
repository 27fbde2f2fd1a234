import { openForAll } from '#testing';
import { flawsInAnyLight } from '../support/accessibility.js';
import { ANA } from '../support/agent.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { startServiceInMemory } from '../support/service.js';
import { grantedTo, PlatformAgent } from '../support/ucp.js';
import { leave, openWatchedPage } from '../support/watched-page.js';

const inChromium = hasChromium('a purchase of a platform in a browser') ? describe : describe.skip;
const browser = openForAll(() => launchChromium());
const api = openForAll(() => startServiceInMemory());

inChromium('the page of what a platform put together', () => {
  it.each([
    ['with a script', true],
    ['without one', false],
  ] as const)('is decided on a phone %s, accessibly', async (_, javaScriptEnabled) => {
    const { page, faults } = await openWatchedPage(browser, {
      ...{ viewport: { width: 390, height: 760 }, isMobile: true, javaScriptEnabled },
    });
    const flaws: string[] = [];
    const look = async (heading: string): Promise<void> => {
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(heading);
      if (javaScriptEnabled) flaws.push(...(await flawsInAnyLight(page)));
    };
    const pay = async (card: string): Promise<void> => {
      await page.getByLabel('Número do cartão').fill(card);
      await page.getByLabel('Validade, MM/AA').fill('12/49');
      await page.getByLabel('Código (CVC)').fill('123');
      await leave(page, page.getByRole('button', { name: /^Comprar/ }));
    };
    const platform = new PlatformAgent(() => api.origin);
    const item = await platform.item();
    const session = await platform.create(item, 1, { buyer: { first_name: 'Ana', email: ANA.email } });
    await page.goto(session.continue_url ?? '');
    await look('Entre para decidir');
    await page.getByLabel('E-mail').fill(ANA.email);
    await page.getByLabel('Senha').fill(ANA.password);
    await leave(page, page.getByRole('button', { name: 'Entrar', exact: true }));
    await look('Comprar esta passagem?');
    await pay('4000 0000 0000 0002');
    await look('Comprar esta passagem?');
    expect(await page.getByRole('alert').innerText()).toContain('recusado pelo emissor');
    expect(await page.getByLabel('Número do cartão').inputValue()).toBe('');
    await pay('4000 0000 0000 3220');
    await look('Aprovar este pagamento?');
    await leave(page, page.getByRole('button', { name: 'Aprovar' }));
    await look('Concluir esta compra?');
    await pay('4000 0000 0000 3220');
    await look('Bilhete e recibo');
    await page.goto((await platform.create(item)).continue_url ?? '');
    await leave(page, page.getByRole('button', { name: 'Recusar' }));
    await look('Compra recusada');
    expect({ flaws, faults: faults.filter((fault) => !fault.includes('422')) }).toEqual({ flaws: [], faults: [] });
  });

  it('and the tokens that a traveller makes for it', async () => {
    const { page, faults } = await openWatchedPage(browser, { viewport: { width: 390, height: 760 }, isMobile: true });
    const flaws: string[] = [];
    await page.goto(`${api.origin}/conta/agentes`);
    await page.getByLabel('E-mail').fill(ANA.email);
    await page.getByLabel('Senha').fill(ANA.password);
    await leave(page, page.getByRole('button', { name: 'Entrar', exact: true }));
    await leave(page, page.getByRole('link', { name: 'spck.dev', exact: true }).first());
    const clientId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const query = {
      where: [{ field: 'email', equals: ANA.email }],
      sort: { field: 'email', direction: 'ascending' },
      limit: 1,
    } as const;
    const [account] = await api.dependencies.documents.find('accounts', query);
    await grantedTo(api, { holder: account?.id ?? '', clientId });
    await leave(page, page.getByRole('link', { name: 'Meio de pagamento' }));
    flaws.push(...(await flawsInAnyLight(page)));
    for (const card of ['4242', '4242 4242 4242 4242']) {
      await page.getByLabel('Número do cartão').fill(card);
      await page.getByLabel('Validade, MM/AA').fill('12/49');
      await page.getByLabel('Código (CVC)').fill('123');
      await leave(page, page.getByRole('button', { name: 'Criar token' }));
      flaws.push(...(await flawsInAnyLight(page)));
    }
    expect(await page.locator('code').innerText()).toMatch(/^alct_/);
    if (process.env['SHOTS']) await page.screenshot({ path: '/tmp/pay-shots/tokens.png', fullPage: true });
    await leave(page, page.getByRole('button', { name: /^Remover/ }));
    expect(await page.getByRole('button', { name: /^Remover/ }).count()).toBe(0);
    expect({ flaws, faults: faults.filter((fault) => !fault.includes('422')) }).toEqual({ flaws: [], faults: [] });
  });
});
