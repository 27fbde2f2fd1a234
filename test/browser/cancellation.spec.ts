import { openForAll } from '#testing';
import { flawsInAnyLight, tabTo } from '../support/accessibility.js';
import { agentAt } from '../support/agent.js';
import type { Order } from '../support/answers.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { book, buy, dayIn, grant } from '../support/purchase.js';
import { firstOf } from '../support/screens.js';
import { startServiceInMemory } from '../support/service.js';
import { leave, openWatchedPage } from '../support/watched-page.js';

const inChromium = hasChromium('a cancellation in a browser') ? describe : describe.skip;

const DESKTOP = { viewport: { width: 1280, height: 720 }, javaScriptEnabled: false };
const PHONE = { viewport: { width: 390, height: 760 }, isMobile: true, hasTouch: true } as const;

const browser = openForAll(() => launchChromium());
const api = openForAll(() => startServiceInMemory({ DEMO_TRAVELLERS: 'bolso@example.com,teclas@example.com' }));

inChromium('a cancellation in a browser', () => {
  it.each(
    firstOf([
      ['phone', PHONE, 'bolso@example.com'],
      ['desktop without a script', DESKTOP, 'teclas@example.com'],
    ] as const),
  )('shows what comes back, and gives it back: %s', async (_, options, email) => {
    const traveller = { email, password: 'alcada-demo' };
    const agent = await agentAt(api.origin, { traveller });
    const mandate = await grant(agent, 3000_00);
    const trip = { flightNumber: 'AL4011', passengers: 2 };
    const travellers = [
      { givenName: 'Conceição', familyName: 'dos Santos' },
      { givenName: 'João', familyName: 'Sá' },
    ];
    const early = { ...trip, fareCode: 'CLASSICA', date: dayIn(20), travellers };
    const paid: Order = await buy(agent, await book(agent, early), mandate);
    const late: Order = await buy(agent, await book(agent, { ...trip, fareCode: 'LEVE', date: dayIn(3) }), mandate);
    const { page, faults } = await openWatchedPage(browser, options);
    const flaws: string[] = [];
    const look = async (heading: string): Promise<void> => {
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      // axe waits for timers, which stand still where scripts are off.
      if (!('javaScriptEnabled' in options)) flaws.push(...(await flawsInAnyLight(page)));
    };
    const press = async (name: string): Promise<void> => {
      const button = page.getByRole('button', { name, exact: true });
      await tabTo(page, button);
      await leave(page, button);
    };

    await page.goto(`${api.origin}/conta/pedidos/${paid.id}`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Senha').fill(traveller.password);
    await press('Entrar');
    await look('Bilhete e recibo');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('heading', { name: 'Cancelamento' }).isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await leave(page, page.getByRole('link', { name: 'Cancelar esta compra' }));
    await look('Cancelar esta compra?');
    const lead = page.locator('.lead');
    expect(await lead.innerText()).toMatch(/^Voo AL4011, GRU–REC, em [\d/]{10}, para Conceição dos Santos e João Sá$/);
    expect(await page.locator('.sum').innerText()).toBe('R$\u00a01.239,80 de volta');
    await page.getByText('Desistência em até 24 horas da compra').waitFor();
    await leave(page, page.getByRole('link', { name: 'Voltar sem cancelar' }));
    await look('Bilhete e recibo');
    await leave(page, page.getByRole('link', { name: 'Cancelar esta compra' }));
    await press('Cancelar a compra');
    await look('Compra cancelada');
    await page.getByRole('heading', { name: `Nota de crédito C-${paid.ticketCode ?? ''}` }).waitFor();
    expect(await page.getByText('Bilhete em PDF').count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText(`C-${paid.ticketCode ?? ''}`).isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });

    await page.goto(`${api.origin}/conta/pedidos/${late.id}/cancelar`);
    await page.getByText('A tarifa não é devolvida: voltam só as taxas.').waitFor();
    expect(await page.locator('.sum').innerText()).toBe('R$\u00a068,40 de volta');
    await look('Cancelar esta compra?');
    await leave(page, page.getByRole('link', { name: 'Sua conta' }));
    await look('Sua conta');
    await leave(page, page.getByRole('link', { name: 'Viagens', exact: true }).first());
    await look('Viagens');
    expect(await page.locator('.lead').first().innerText()).toMatch(/Devolvido: R\$\s1\.239,80 de compras canceladas/);
    await page.goto(`${api.origin}/conta/mandatos/${mandate.id}`);
    await look('Voos para qualquer destino');
    await page.getByText('+R$\u00a01.239,80').waitFor();
    await page.getByText('Detalhes e provas').click();
    await page.getByText('R$\u00a01.239,80 de compras canceladas').waitFor();

    expect({ flaws, faults }).toEqual({ flaws: [], faults: [] });
  });
});
