import { openForAll } from '#testing';
import type { Page } from 'playwright-core';
import { flawsOf, tabTo } from '../support/accessibility.js';
import { agentAt, PILOT } from '../support/agent.js';
import type { Booking, Mandate, Order } from '../support/answers.js';
import { addAuditor, CLARA } from '../support/auditor.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { firstOf } from '../support/screens.js';
import { book, buy, DECLINED_CARD, grant, order } from '../support/purchase.js';
import { settled, startServiceInMemory } from '../support/service.js';
import { leave, openWatchedPage } from '../support/watched-page.js';

const inChromium = hasChromium('the audit in a browser') ? describe : describe.skip;

const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' } as const;

const browser = openForAll(() => launchChromium());
const api = openForAll(() => startServiceInMemory());
/** A mandate of eight events: created, paid, declined, refused, revoked; and what was bought with it. */
let mandate: Mandate;
let booking: Booking;
let paid: Order;
let holder = '';

const logIn = async (page: Page, path: string): Promise<void> => {
  await page.goto(api.origin + path);
  await page.getByLabel('E-mail').fill(CLARA.email);
  await page.getByLabel('Senha').fill(CLARA.password);
  await leave(page, page.getByRole('button', { name: 'Entrar' }));
};

const eventShown = (page: Page): Promise<string> => page.locator('#painel h3').innerText();

inChromium('the audit in a browser', () => {
  beforeAll(async () => {
    await addAuditor(api);
    const agent = await agentAt(api.origin);
    mandate = await grant(agent, 500_00);
    booking = await book(agent);
    paid = await buy(agent, booking, mandate);
    const other = await grant(agent, 300_00);
    await order(agent, await book(agent), other, DECLINED_CARD);
    await order(agent, await book(agent), mandate);
    await agent.call('DELETE', `/mandates/${mandate.id}`);
    await settled(api);
    for await (const { data } of api.dependencies.events.readStream(`order-${paid.id}`)) {
      if (typeof data['holder'] === 'string') holder = data['holder'];
    }
  });

  it.each(
    firstOf([
      ['desktop in the light', DESKTOP],
      ['phone in the dark', PHONE],
    ] as const),
  )('shows an auditor on a %s all of it, accessibly', async (_, options) => {
    const { page, faults } = await openWatchedPage(browser, options);
    await page.goto(`${api.origin}/auditoria`);
    const flaws = [...(await flawsOf(page))];
    await logIn(page, '/auditoria');
    for (const [path, heading] of [
      ['', 'Auditoria'],
      ['/busca?id=ninguem', 'Auditoria'],
      ['/movimentos?tipo=recusas', 'Cobranças e recusas'],
      ['/meses/2026-01', 'Compras de janeiro de 2026'],
      [`/mandatos/${mandate.id}?evento=4`, 'Mandato, evento por evento'],
      [`/pedidos/${paid.id}`, 'Pedido'],
      [`/reservas/${booking.id}`, 'Reserva'],
      [`/viajantes/${holder}`, 'Viajante'],
      [`/agentes/${PILOT.clientId}`, 'Agente'],
      [`/agentes/${PILOT.clientId}/viajantes/${holder}`, 'Mandatos de um agente'],
      ['/mandatos/x', 'Nada encontrado'],
    ] as const) {
      await page.goto(`${api.origin}/auditoria${path}`);
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(heading);
      flaws.push(...(await flawsOf(page)));
    }
    // What is not found is said with a 404, which the console tells.
    expect({ flaws, faults: faults.filter((fault) => !fault.includes('404')) }).toEqual({ flaws: [], faults: [] });
  });

  it('plays a mandate by arrow keys, slider, links and button, and asks the server for nothing again', async () => {
    const { page, faults } = await openWatchedPage(browser, DESKTOP);
    await logIn(page, `/auditoria/mandatos/${mandate.id}`);
    expect(await eventShown(page)).toBe('Evento 5 de 5: Mandato revogado');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.keyboard.press('ArrowLeft');
    expect(await eventShown(page)).toBe('Evento 4 de 5: Cobrança de R$\u00a0279,90 recusada');
    expect(await page.locator('tr[aria-current]').getAttribute('id')).toBe('evento-4');
    await page.getByLabel('Evento', { exact: true }).focus();
    await page.keyboard.press('Home');
    expect(await eventShown(page)).toContain('Evento 1 de 5');
    await page.keyboard.press('ArrowRight');
    expect(await page.getByLabel('Evento', { exact: true }).getAttribute('aria-valuetext')).toBe(
      '2 de 5: R$\u00a0279,90 reservados para um pedido; disponível R$\u00a0220,10',
    );
    await page.getByRole('link', { name: 'Próximo' }).click();
    await page.keyboard.press('Enter');
    expect(await eventShown(page)).toContain('Evento 4 de 5');
    expect(new URL(page.url()).search).toBe('?evento=4');
    await page.getByRole('link', { name: 'Mandato criado' }).click();
    await page.getByRole('button', { name: 'Reproduzir' }).click();
    await page.getByRole('button', { name: 'Parar' }).waitFor();
    await page.getByRole('heading', { name: 'Evento 5 de 5' }).waitFor();
    await page.getByRole('button', { name: 'Reproduzir' }).waitFor();
    // The icon of an address that changed is asked for anew by the browser itself.
    expect({ asked: asked.filter((url) => !url.includes('/icon.svg')), faults }).toEqual({ asked: [], faults: [] });
    await page.reload();
    expect(await eventShown(page)).toContain('Evento 5 de 5');
  });

  it('can be used by the keyboard alone, without a script', async () => {
    const { page } = await openWatchedPage(browser, { ...DESKTOP, javaScriptEnabled: false });
    const press = async (key: string) => Promise.all([page.waitForEvent('load'), page.keyboard.press(key)]);
    await page.goto(`${api.origin}/auditoria`);
    await tabTo(page, page.getByLabel('E-mail'));
    await page.keyboard.type(CLARA.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(CLARA.password);
    await press('Enter');
    await tabTo(page, page.getByLabel('O que procurar'));
    await page.keyboard.type(mandate.id);
    await press('Enter');
    expect(await eventShown(page)).toContain('Evento 5 de 5');
    expect(await page.getByRole('button', { name: 'Reproduzir' }).isVisible()).toBe(false);
    await tabTo(page, page.getByRole('link', { name: 'Primeiro' }));
    await press('Enter');
    await tabTo(page, page.getByRole('link', { name: 'Próximo' }));
    await press('Enter');
    expect(await eventShown(page)).toContain('Evento 2 de 5');
    await tabTo(page, page.getByRole('link', { name: 'sua cobrança' }));
    await press('Enter');
    expect(await page.getByText('Número e valor são os mesmos no pedido e no livro.').isVisible()).toBe(true);
    await tabTo(page, page.getByRole('button', { name: 'Sair' }));
    await press('Enter');
    expect(await page.getByRole('heading', { name: 'Entre na auditoria' }).isVisible()).toBe(true);
  });

  it('prints a mandate’s life, and nothing of the page around it', async () => {
    const { page } = await openWatchedPage(browser, PHONE);
    await logIn(page, '/auditoria');
    await page.goto(`${api.origin}/auditoria/mandatos/${mandate.id}?evento=3`);
    await page.emulateMedia({ media: 'print' });
    for (const printed of ['Evento 3 de 5', 'Todos os eventos', 'nenhuma quebra', 'Mandato criado, com teto'])
      expect([printed, await page.getByText(printed).first().isVisible()]).toEqual([printed, true]);
    expect(await page.locator('#grafico').isVisible()).toBe(true);
    for (const around of ['Sair', 'Você está em', 'Reproduzir', 'Próximo'])
      expect([around, await page.getByText(around).first().isVisible()]).toEqual([around, false]);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  });
});
