import { openForAll } from '#testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { tabTo, violationsOn } from '../support/accessibility.js';
import { ANA, BRUNO } from '../support/agent.js';
import type { Traveller } from '../support/consent.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { firstOf } from '../support/screens.js';
import { startServiceInMemory } from '../support/service.js';
import { leave, openWatchedPage, type WatchedPage } from '../support/watched-page.js';

const inChromium = hasChromium('the playground in a browser') ? describe : describe.skip;

const browser = openForAll(() => launchChromium());
const CARLA = { email: 'carla@example.com', password: ANA.password };
// Each has a limit of their own, which one purchase nearly uses up.
const api = openForAll(() => startServiceInMemory({ DEMO_TRAVELLERS: `${ANA.email},${BRUNO.email},${CARLA.email}` }));

const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' } as const;
const CALLS = [
  'Buscar voos',
  'Cotar tarifas',
  'Criar reserva',
  'Criar mandato',
  'Fazer o pedido',
  'Consultar o recibo',
  'Cotar o cancelamento',
  'Cancelar como cotado',
];

const AUTHORIZE = /^Autorizar/;
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const submit = (page: Page, name: string | RegExp) => leave(page, page.getByRole('button', { name, exact: true }));

const reachConsent = async (page: Page, { email, password }: Traveller = ANA): Promise<void> => {
  await submit(page, 'Montar o pedido');
  await leave(page, page.getByRole('link', { name: 'Ir para a autorização' }));
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha').fill(password);
  await submit(page, 'Entrar');
};

/** Presses a button of the page; returns the status that its form shows. */
const statusOf = async (page: Page, button: string): Promise<string> => {
  await press(page, button);
  await page.getByRole('status').filter({ hasText: button }).waitFor({ state: 'attached' });
  const form = page.locator('form', { has: page.getByText(button, { exact: true }) });
  return (await form.getByRole('group', { name: 'Resposta' }).innerText()).split('\n', 1)[0] ?? '';
};

/** A browser of somebody who has approved and stands before the exchange. */
const returned = async (options: BrowserContextOptions, traveller?: Traveller): Promise<WatchedPage> => {
  const watched = await openWatchedPage(browser, options);
  await watched.page.goto(`${api.origin}/oauth/playground`);
  await reachConsent(watched.page, traveller);
  await submit(watched.page, AUTHORIZE);
  await watched.page.getByRole('heading', { name: 'Trocar o código por tokens' }).waitFor();
  return watched;
};

inChromium('the playground in a browser', () => {
  it.each(
    firstOf([
      ['phone', PHONE, ANA],
      ['desktop', DESKTOP, CARLA],
    ] as const),
  )('buys a flight on a %s, without a fault, and is accessible all the way', async (_, options, traveller) => {
    const { page, faults } = await openWatchedPage(browser, options);
    await page.goto(`${api.origin}/oauth/playground`);
    expect(await violationsOn(page)).toEqual([]);
    await submit(page, 'Montar o pedido');
    expect(await violationsOn(page)).toEqual([]);
    await page.goBack();
    await reachConsent(page, traveller);
    await submit(page, AUTHORIZE);
    expect(await violationsOn(page)).toEqual([]);

    expect(await statusOf(page, 'Trocar o código por tokens')).toBe('HTTP 200');
    for (const call of CALLS) expect(await statusOf(page, call)).toMatch(/^HTTP 20[01]$/);
    expect(await page.locator('form').getByText('"status": "paid"').count()).toBe(1);
    expect(await page.locator('form').getByText('"refundedAt"').count()).toBe(1);
    expect(await page.getByText('"familyName": "dos Santos"').count()).toBeGreaterThan(0);
    const told = page.locator('#events').getByRole('listitem');
    await told.filter({ hasText: 'Um pedido foi pago.' }).waitFor();
    await told.filter({ hasText: 'Um pedido foi cancelado.' }).waitFor();
    expect(await statusOf(page, 'Renovar os tokens')).toBe('HTTP 200');
    expect(faults).toEqual([]);

    expect(await statusOf(page, 'Revogar o token de acesso')).toBe('HTTP 200');
    await page.getByText('O fluxo acabou com o token.').waitFor();
    // The stream asks once more with the token that is worth nothing.
    expect(faults).toEqual([expect.stringContaining('401 (Unauthorized)')]);
    expect(await violationsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await statusOf(page, 'Criar reserva')).toBe('HTTP 401');
  });

  it('leaves no code in the address and no token but in memory', async () => {
    const { page, faults } = await returned(DESKTOP);
    expect(page.url()).toBe(`${api.origin}/oauth/playground`);
    const answered = page.waitForResponse((response) => response.url().endsWith('/oauth/playground/token'));
    await statusOf(page, 'Trocar o código por tokens');
    const { response } = (await (await answered).json()) as { response: { body: Record<string, string> } };
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, document.documentElement.outerHTML])',
    );
    for (const token of [response.body['access_token'], response.body['refresh_token']]) {
      expect(token).toMatch(/.{40}/);
      expect(kept).not.toContain(token);
    }
    expect(kept).toMatch(/^\[\{\},\{\},"",null,/);
    await page.reload();
    expect(await page.getByRole('button').allInnerTexts()).toEqual(['Montar o pedido']);
    expect(faults).toEqual([]);
  });

  it('copies the token and the calls, by the keyboard alone, and folds what is done', async () => {
    // Of Ana's limit the purchase before has left too little.
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, faults } = await returned({ ...DESKTOP, permissions }, BRUNO);
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    const exchanged = page.waitForResponse((response) => response.url().endsWith('/oauth/playground/token'));
    await statusOf(page, 'Trocar o código por tokens');
    const { response } = (await (await exchanged).json()) as { response: { body: Record<string, string> } };
    await tabTo(page, page.getByRole('button', { name: 'Copiar token' }));
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Copiado' }).waitFor({ state: 'attached' });
    expect(await copied()).toBe(response.body['access_token']);
    expect(await page.evaluate('document.documentElement.outerHTML')).not.toContain(await copied());

    expect(await statusOf(page, 'Criar mandato')).toMatch(/^HTTP 201$/);
    const folded = "[...document.querySelectorAll('details.result')].map(({ open }) => open)";
    expect(await page.evaluate<readonly boolean[]>(folded)).toEqual([false, true]);
    await page.locator('details.result[open]').getByRole('button', { name: 'Copiar como curl' }).press('Enter');
    await page.locator('details.result[open]').getByRole('button', { name: 'Copiado' }).waitFor();
    expect(await copied()).toMatch(new RegExp(`^curl -X POST '${api.origin}/api/v1/mandates' .*Bearer \\$TOKEN"`, 's'));
    expect(faults).toEqual([]);
  });

  it('says in words what an answer warns of', async () => {
    const { page, faults } = await openWatchedPage(browser, DESKTOP);
    await page.goto(`${api.origin}/oauth/playground`);
    await reachConsent(page);
    await press(page, AUTHORIZE);
    await statusOf(page, 'Trocar o código por tokens');
    await statusOf(page, 'Buscar voos');
    await page.evaluate(`document.querySelector('[name="passengers"]').name = 'passangers'`);
    expect(await statusOf(page, 'Criar reserva')).toBe('HTTP 201');
    const warning = 'Aviso: passangers é desconhecido e foi ignorado; talvez seja passengers.';
    expect(await page.getByText(warning).count()).toBe(1);
    expect(await violationsOn(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('shows that the traveller denied', async () => {
    const { page, faults } = await openWatchedPage(browser, PHONE);
    await page.goto(`${api.origin}/oauth/playground`);
    await reachConsent(page);
    await press(page, 'Recusar');
    expect(await page.getByRole('alert').innerText()).toBe('O viajante recusou o pedido.');
    expect(await violationsOn(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('says up to where it goes without a script', async () => {
    const { page } = await returned({ ...DESKTOP, javaScriptEnabled: false });
    const words = page.locator('noscript p'); // which a search by text leaves out
    expect(await words.isVisible()).toBe(true);
    expect(await words.innerText()).toContain('Daqui em diante é preciso JavaScript');
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it('exchanges nothing in another browser that was given the address', async () => {
    const { page } = await openWatchedPage(browser, DESKTOP);
    await page.goto(`${api.origin}/oauth/playground`);
    await reachConsent(page);
    const sentBack = page.waitForRequest((request) => request.url().includes('/oauth/playground?code='));
    await press(page, AUTHORIZE);
    const address = (await sentBack).url();
    const { page: other } = await openWatchedPage(browser, DESKTOP);
    await other.goto(address);
    expect(await other.getByRole('alert').innerText()).toContain('não é de um pedido deste navegador');
    expect(other.url()).toBe(`${api.origin}/oauth/playground`);
  });
});
