import { join } from 'node:path';
import { openForAll } from '#testing';
import type { Page } from 'playwright-core';
import { Aggregates } from '#event-store';
import { type MinuteOfTraffic, type TrafficEvent, trafficLog } from '#events';
import { plus, systemContext } from '#kernel';
import type { RunningApi } from '../../apps/api/src/start.js';
import { callsOf, minutesOf } from '../../libs/traffic/src/testing/index.js';
import { violationsOn } from '../support/accessibility.js';
import { DESKTOP, SCREENS } from '../support/screens.js';
import { apiAt } from '../support/agent.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { startServiceInMemory } from '../support/service.js';
import { openWatchedPage } from '../support/watched-page.js';

const inChromium = hasChromium('the dashboard of agent traffic in a browser') ? describe : describe.skip;

/** Where pictures of the page are put, for people to look at; nowhere by default. */
const PICTURES = process.env['PICTURES'];

const browser = openForAll(() => launchChromium());
const api = openForAll(() => startServiceInMemory());

/** A hundred thousand calls of the last day. None is so old that it leaves the window when an hour begins. */
const fill = (service: RunningApi): Promise<void> =>
  write(service, callsOf(8, 100_000, plus(service.dependencies.clock.now(), -80_000_000), 79_600_000));

/** Has some calls in the log of a service, as processes would have written them down, and in its figures. */
const write = async (
  { dependencies }: RunningApi,
  calls: ReturnType<typeof callsOf>,
  asWritten: (minute: MinuteOfTraffic) => MinuteOfTraffic = (minute) => minute,
): Promise<void> => {
  const now = dependencies.clock.now();
  // The service projects what is written meanwhile, on the same thread.
  const patience = 60_000;
  const aggregates = new Aggregates(dependencies.events, dependencies.clock, dependencies.ids, { patience });
  for (const minutes of minutesOf(calls, 500)) {
    const facts: readonly TrafficEvent[] = [
      { type: 'AgentTrafficObserved', data: { minutes: minutes.map(asWritten) } },
    ];
    await aggregates.handle(trafficLog, { at: now, start: 'test' }, { facts }, systemContext('test'));
  }
  const head = await dependencies.events.head();
  if (head) await dependencies.readModels.caughtUp(head.position);
};

/** How many points of a chart's picture have a colour of the page. */
const painted = (page: Page, chart: string, colour: string): Promise<number> =>
  page.evaluate<number>(`(() => {
    const { width, height } = document.querySelector('[data-chart="${chart}"] canvas');
    const colours = document.createElement('canvas').getContext('2d');
    colours.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('${colour}').trim();
    colours.fillRect(0, 0, 1, 1);
    const wanted = colours.getImageData(0, 0, 1, 1).data;
    const canvas = document.querySelector('[data-chart="${chart}"] canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) if (wanted.every((part, place) => data[at + place] === part)) count += 1;
    return count;
  })()`);

const figure = (page: Page, name: string) =>
  page.locator('.figures > div', { has: page.getByText(name, { exact: true }) }).locator('.amount data');

inChromium('the dashboard of agent traffic in a browser', () => {
  beforeAll(async () => {
    await fill(api);
  }, 120_000);

  it.each(SCREENS)('is accessible, fits the screen and draws its charts: %s', async (name, options) => {
    const { page, faults } = await openWatchedPage(browser, options);
    await page.goto(`${api.origin}/observability`);
    await page.locator('[data-chart="calls"] canvas').waitFor();
    const isWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
    expect([await violationsOn(page), isWide, faults]).toEqual([[], false, []]);
    expect(await figure(page, 'Chamadas').textContent()).toBe('100.000');
    if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  });

  it('shows another period without a new page, and has an address for it', async () => {
    const { page, faults } = await openWatchedPage(browser, DESKTOP);
    await page.goto(`${api.origin}/observability`);
    await page.getByLabel('Período').selectOption('Última hora'); // and no button
    expect(await page.getByRole('button', { name: 'Mostrar' }).isVisible()).toBe(false);
    await page.waitForURL('**/observability?periodo=1h');
    await page.locator('[data-part="series"] tbody tr').nth(55).waitFor({ state: 'attached' });
    const [told] = await figure(page, 'Chamadas').allTextContents();
    expect(Number(told?.replace('.', ''))).toBeLessThan(6_000);
    await page.goBack();
    await page.locator('[data-part="series"] tbody tr').nth(55).waitFor({ state: 'detached' });
    expect(await figure(page, 'Chamadas').textContent()).toBe('100.000');
    expect(faults).toEqual([]);
  });

  it('filters by agent and operation, by fields and by the names of rows, with the keyboard alone', async () => {
    const { page, faults } = await openWatchedPage(browser, DESKTOP);
    await page.goto(`${api.origin}/observability?periodo=7d`);
    await page.getByLabel('Agente', { exact: true }).selectOption('gptbot');
    await page.waitForURL('**/observability?periodo=7d&agente=gptbot');
    await page.getByText('Só chamadas da família GPTBot.').waitFor();
    expect(await painted(page, 'calls', '--accent')).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Comprar' }).press('Enter');
    await page.waitForURL('**/observability?periodo=7d&operacao=place_order&agente=gptbot');
    await page.getByText('Só chamadas de Comprar da família GPTBot.').waitFor();
    expect(await page.getByLabel('Operação').inputValue()).toBe('place_order');
    expect(await page.getByRole('link', { name: 'Comprar' }).getAttribute('aria-current')).toBe('true');
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('link', { name: 'Mostrar todas' }).press('Enter');
    await page.waitForURL('**/observability?periodo=7d');
    await page.getByText('Só chamadas').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Agente', { exact: true }).inputValue()).toBe('');
    expect(faults).toEqual([]);
  });

  it('is kept up to date while it is looked at, and says how old it is', async () => {
    const { page } = await openWatchedPage(browser, DESKTOP);
    await page.goto(`${api.origin}/observability`);
    await page.getByText(/Atualizado há \d+ s/).waitFor();
    for (let call = 0; call < 5; call += 1) await apiAt(api.origin).get('/flights');
    await figure(page, 'Chamadas').filter({ hasText: '100.005' }).waitFor();
  });

  it('keeps what it has and says so where it cannot be brought up to date', async () => {
    const { page } = await openWatchedPage(browser, DESKTOP);
    await page.goto(`${api.origin}/observability`);
    await page.route('**/observability?*', (route) => route.abort());
    await page.getByLabel('Operação').selectOption('Comprar');
    await page.getByText('Não foi possível atualizar.').waitFor();
    expect(await figure(page, 'Chamadas').textContent()).toMatch(/^100\.0/);
    expect(await violationsOn(page)).toEqual([]);
  });

  it('says by itself that the service is gone, and takes up again once it is back', async () => {
    const first = await startServiceInMemory();
    const { page } = await openWatchedPage(browser, DESKTOP);
    await page.goto(`${first.origin}/observability`);
    await page.getByText(/Atualizado há \d+ s/).waitFor();
    await first.stop();
    await page.getByText('Não foi possível atualizar.').waitFor();
    const second = await startServiceInMemory({ PORT: new URL(first.origin).port });
    await page.getByText('Não foi possível atualizar.').waitFor({ state: 'hidden' });
    await page.context().close();
    await second.stop();
  });

  it('leaves the focus and what is scrolled to where they are while the figures change', async () => {
    const { page } = await openWatchedPage(browser, DESKTOP);
    await page.goto(`${api.origin}/observability`);
    await page.getByText('A série em números').press('Enter'); // a chart being drawn may lie under the mouse
    const region = `document.querySelector('.series .scrolls')`;
    await page.evaluate(`${region}.scrollTo(0, 120); ${region}.id = 'before'`);
    await page.getByRole('link', { name: 'CSV', exact: true }).focus();
    await apiAt(api.origin).get('/flights');
    await page.locator('#before').waitFor({ state: 'detached' });
    const kept = `[document.activeElement.textContent, ${region}.scrollTop]`;
    expect(await page.evaluate<unknown>(kept)).toEqual(['CSV', 120]);
  });

  it('says what a figure means to whoever asks, by the keyboard too, also while the figures change', async () => {
    const { page } = await openWatchedPage(browser, DESKTOP);
    await page.goto(`${api.origin}/observability`);
    const definition = page.getByText('Chamadas acima do limite de frequência');
    expect(await definition.isVisible()).toBe(false);
    await page.locator('summary[aria-label="Limites: o que é"]').press('Enter');
    await definition.evaluate('(element) => (element.id = "before")');
    await apiAt(api.origin).get('/flights');
    await page.locator('#before').waitFor({ state: 'detached' });
    expect(await definition.isVisible()).toBe(true);
    expect(await page.evaluate<unknown>('document.activeElement.getAttribute("aria-label")')).toBe('Limites: o que é');
  });

  it('compares with the period before up to the same point, and says what runs still', async () => {
    const { page } = await openWatchedPage(browser, DESKTOP);
    await page.goto(`${api.origin}/observability`);
    expect(await page.locator('.updated').textContent()).toMatch(/até agora, horário\s+de\s+Brasília/);
  });

  it('prints its charts as wide as the paper', async () => {
    const { page } = await openWatchedPage(browser, DESKTOP);
    await page.goto(`${api.origin}/observability`);
    await page.locator('[data-chart="calls"] canvas').waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 700, height: 900 });
    expect(await page.locator('.picker').isVisible()).toBe(false);
    // The charts are drawn anew for the paper; both are looked at in one moment.
    const edges = "['canvas', '.panel.plot'].map((one) => document.querySelector(one)?.getBoundingClientRect().right)";
    await page.waitForFunction(`(([chart, panel]) => chart > 0 && chart <= panel)(${edges})`);
  });

  it('is complete without a script, and links to the same figures as JSON and CSV', async () => {
    const { page } = await openWatchedPage(browser, { ...DESKTOP, javaScriptEnabled: false });
    await page.goto(`${api.origin}/observability`);
    await page.getByLabel('Período').selectOption('Últimos 7 dias');
    await page.getByRole('button', { name: 'Mostrar' }).click();
    await page.waitForURL(/periodo=7d/);
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toContain('Da busca ao recibo');
    await page.getByText('A série em números').click();
    expect(await page.getByRole('row').count()).toBeGreaterThan(168);
    const address = (await page.getByRole('link', { name: 'JSON', exact: true }).getAttribute('href')) ?? '';
    const { totals } = (await (await fetch(address)).json()) as { readonly totals: { readonly requests: number } };
    expect(totals.requests).toBeGreaterThanOrEqual(100_000);
  });
});

inChromium('the dashboard before anybody has called', () => {
  it('says that there is nothing yet, and leads to the guide', async () => {
    const other = await launchChromium();
    const service = await startServiceInMemory();
    const { page, faults } = await openWatchedPage(other, DESKTOP);
    await page.goto(`${service.origin}/observability`);
    await page
      .getByText('Nenhuma chamada neste período. Escolha')
      .or(page.getByText('faça a primeira'))
      .first()
      .waitFor();
    expect([await violationsOn(page), faults]).toEqual([[], []]);
    if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, 'empty.png'), fullPage: true });

    // Calls in one hour alone: nothing leads to its values, nor from them.
    const calls = callsOf(9, 40, plus(service.dependencies.clock.now(), -5 * 3_600_000), 1_000);
    // As they were written before agents were followed, of which the page tells.
    await write(service, calls, (minute) => ({
      ...minute,
      agents: minute.agents.map(({ family, hashes }) => ({ family, hashes })),
    }));
    await page.reload();
    await page.getByText('De 40 chamadas,').waitFor();
    await page.locator('[data-chart="latencies"] canvas').waitFor();
    expect(await painted(page, 'latencies', '--accent')).toBeGreaterThan(0);
    // The hour that is running is marked, in the picture and in the table.
    expect(await painted(page, 'calls', '--tint')).toBeGreaterThan(0);
    expect(await page.locator('[data-part="series"] tr').last().textContent()).toContain('ainda em andamento');
    expect(await page.locator('.u-legend').first().innerText()).not.toContain('Início');
    await other.close();
    await service.stop();
  });
});
