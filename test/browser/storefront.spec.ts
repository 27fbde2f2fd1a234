import { openForAll } from '#testing';
import type { Page } from 'playwright-core';
import { flawsOf } from '../support/accessibility.js';
import { DESKTOP, SCREENS } from '../support/screens.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { startServiceInMemory } from '../support/service.js';
import { openWatchedPage } from '../support/watched-page.js';

const inChromium = hasChromium('the public pages in a browser') ? describe : describe.skip;

const browser = openForAll(() => launchChromium());
const api = openForAll(() => startServiceInMemory());

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent.trim()');

inChromium('the public pages in a browser', () => {
  it.each(SCREENS)('are accessible and fit the screen: %s', async (_, options) => {
    const { page, faults } = await openWatchedPage(browser, options);
    for (const path of [
      '/',
      '/voos',
      '/?from=GRU&to=REC',
      '/?q=recife+sao+paulo',
      '/?q=nada+disso',
      '/voos/sao-paulo-gru-recife-rec-al4012',
      '/nada',
      '/demonstracao',
      '/docs/agents',
      '/docs/en/agents',
      '/docs/erros',
      '/docs/errors/payment_challenge_required',
      '/conectar/retorno',
    ]) {
      await page.goto(api.origin + path);
      expect([path, await flawsOf(page)]).toEqual([path, []]);
    }
    // The page that is not there is told by the console too.
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
  });

  it.each(SCREENS)('show an agent that buys, line by line, accessible to the last: %s', async (_, options) => {
    const { page, faults } = await openWatchedPage(browser, { ...options, javaScriptEnabled: true });
    await page.goto(api.origin);
    await page.getByText('Cartões de teste').click();
    expect(await flawsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Ver um agente comprar' }).click();
    await page.getByText('Recusado: Tentou comprar').waitFor();
    expect(await page.locator('.lines li').count()).toBe(6);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await flawsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Ver na conta de Ana' }).click();
    await page.getByRole('button', { name: 'Continuar como Ana' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/conta');
    expect(faults).toEqual([]);
  });

  it('lead from a search to the fares by the keyboard alone, without a script', async () => {
    const { page } = await openWatchedPage(browser, { ...DESKTOP, javaScriptEnabled: false });
    await page.goto(api.origin);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Pular para o conteúdo');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.getByLabel('De', { exact: true }).focus();
    await page.keyboard.type('guarulhos');
    await page.keyboard.press('Tab');
    await page.keyboard.type('recife');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '3 voos encontrados' }).waitFor();
    expect(new URL(page.url()).search).toBe('?from=guarulhos&to=recife&date=');
    await page.getByLabel('Para', { exact: true }).fill('4012');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '1 voo encontrado' }).waitFor();
    await page.getByRole('link', { name: 'São Paulo para Recife' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'São Paulo para Recife' }).waitFor();
    expect(await page.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'Leve menor preço',
      'Clássica com conexão',
      'Clássica',
      'Completa',
    ]);
  });
});
