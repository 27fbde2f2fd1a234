import { openForAll } from '#testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { violationsOn } from '../support/accessibility.js';
import { ANA, BRUNO } from '../support/agent.js';
import type { Traveller } from '../support/consent.js';
import type { Booking, Mandate, Order } from '../support/answers.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { firstOf } from '../support/screens.js';
import { brl, GOOD_CARD, TRIP, TRIP_PRICE } from '../support/purchase.js';
import { startServiceInMemory } from '../support/service.js';
import { openWatchedPage, type WatchedPage } from '../support/watched-page.js';
import { runTool, toolsCount, toolsOn, WEBMCP } from '../support/webmcp.js';

const inChromium = hasChromium('the tools for agents in a browser') ? describe : describe.skip;

const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' } as const;

const PUBLIC = ['get_flight', 'quote_fares', 'search_flights'];
/** Those and what a connected agent may do without paying. */
const CONNECTED = [
  'change_booking',
  'create_booking',
  'create_mandate',
  'get_booking',
  'get_flight',
  'get_receipt',
  'quote_fares',
  'revoke_mandate',
  'search_flights',
];
const PAYING = [...CONNECTED, 'place_order', 'quote_cancellation', 'cancel_order'].sort();
const CONNECTED_WORDS = 'Agente conectado: ele já pode reservar em seu nome.';

const browser = openForAll(() => launchChromium(WEBMCP));
const api = openForAll(() => startServiceInMemory());

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const box = (page: Page) => page.getByRole('checkbox', { name: 'Permitir que o agente pague' });
const said = (page: Page, words: string) => page.getByRole('status').getByText(words, { exact: true }).waitFor();

const openPage = async (options: BrowserContextOptions = DESKTOP, path = '/'): Promise<WatchedPage> => {
  const watched = await openWatchedPage(browser, options);
  await watched.page.goto(api.origin + path);
  await toolsCount(watched.page, PUBLIC.length);
  return watched;
};

/** The window that asks the traveller, who has logged in there. */
const openConsent = async (page: Page, traveller: Traveller = ANA): Promise<Page> => {
  const opened = page.waitForEvent('popup');
  await button(page, 'Conectar agente').click();
  const popup = await opened;
  await popup.getByLabel('E-mail').fill(traveller.email);
  await popup.getByLabel('Senha').fill(traveller.password);
  await button(popup, 'Entrar').click();
  await popup.getByRole('heading', { name: 'Agente deste navegador' }).waitFor();
  return popup;
};

const connect = async (page: Page, traveller?: Traveller): Promise<void> => {
  const popup = await openConsent(page, traveller);
  const closed = popup.waitForEvent('close');
  await button(popup, /^Autorizar/).click();
  await closed;
  await said(page, CONNECTED_WORDS);
};

const tokensUsed = (page: Page): string[] => {
  const tokens: string[] = [];
  page.on('request', (request) => {
    const [, token] = /^Bearer (.+)$/.exec(request.headers()['authorization'] ?? '') ?? [];
    if (token !== undefined) tokens.push(token);
  });
  return tokens;
};

const statusUnder = async (token: string | undefined): Promise<number> => {
  const headers = { authorization: `Bearer ${token ?? ''}` };
  return (await fetch(`${api.origin}/api/v1/bookings`, { headers })).status;
};

inChromium('the tools for agents in a browser', () => {
  it('are those of the manifest, with all that an agent has to know of them', async () => {
    const { page, faults } = await openPage();
    const answer = await fetch(`${api.origin}/.well-known/webmcp.json`);
    const { tools } = (await answer.json()) as { tools: { name: string; access: string }[] };
    const offered = await page.evaluate<object[]>(
      `document.modelContext.getTools().then((tools) => tools.map(({ name, title, description, inputSchema }) =>
        ({ name, title, description, inputSchema })))`,
    );
    const listed = tools.filter(({ access }) => access === 'public');
    expect(listed).toEqual(expect.arrayContaining(offered.map((tool) => expect.objectContaining(tool))));
    expect(offered).toHaveLength(listed.length);
    expect(tools.map(({ name }) => name).sort()).toEqual(PAYING);
    expect(faults).toEqual([]);
  });

  it('search and compare for anybody, and answer every refusal as a result', async () => {
    const { page } = await openPage(DESKTOP, '/voos/sao-paulo-cgh-rio-de-janeiro-sdu-al1001');
    const found = await runTool(page, 'search_flights', { q: 'noronha' });
    expect(found).toMatchObject({ isError: false, structuredContent: { count: 1, items: [{ to: 'FEN' }] } });
    expect(JSON.parse(found.content[0]?.text ?? '')).toEqual(found.structuredContent);
    const quoted = await runTool(page, 'quote_fares', { flightNumber: TRIP.flightNumber, budget: 500_00 });
    expect(quoted).toMatchObject({ isError: false, structuredContent: { budget: brl(500_00) } });
    expect(await runTool(page, 'get_flight', { flightNumber: 'XX1' })).toMatchObject({
      isError: true,
      structuredContent: { error: 'flight_not_found', status: 404, message: expect.any(String) },
    });
    expect(await runTool(page, 'quote_fares', { flightNumber: 'AL1201', budget: -1 })).toMatchObject({
      isError: true,
      structuredContent: { error: 'invalid_arguments', status: 400 },
    });
  });

  it.each(
    firstOf([
      ['desktop', DESKTOP, '/', ANA],
      ['phone', PHONE, '/voos/sao-paulo-cgh-belo-horizonte-cnf-al1201', BRUNO],
    ] as const),
  )('buy a flight for a traveller who lets them and ticks that, on a %s', async (_, options, path, traveller) => {
    const { page, faults } = await openPage(options, path);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    const tokens = tokensUsed(page);
    expect(await violationsOn(page)).toEqual([]);

    await connect(page, traveller);
    await toolsCount(page, CONNECTED.length);
    expect(await toolsOn(page)).toEqual(CONNECTED);
    expect(await violationsOn(page)).toEqual([]);

    const booking = (await runTool<Booking>(page, 'create_booking', TRIP)).structuredContent;
    expect(booking).toMatchObject({ flightNumber: TRIP.flightNumber, total: brl(TRIP_PRICE) });
    const mandate = (await runTool<Mandate>(page, 'create_mandate', { limit: brl(TRIP_PRICE) })).structuredContent;
    expect(mandate).toMatchObject({ status: 'valid', remaining: brl(TRIP_PRICE) });

    const purchase = { bookingId: booking.id, mandateId: mandate.id, payment: GOOD_CARD };
    await expect(runTool(page, 'place_order', purchase)).rejects.toThrow('the page offers no tool place_order');
    await page.evaluate(`document.querySelector('[data-part="paying"]').click()`);
    expect(await box(page).isChecked()).toBe(false);
    expect(await toolsOn(page)).toEqual(CONNECTED);

    await box(page).check();
    await toolsCount(page, PAYING.length);
    expect(await violationsOn(page)).toEqual([]);
    const isConsequential = 'tools.filter(({ annotations }) => annotations.consequentialHint).map(({ name }) => name)';
    const consequential = await page.evaluate<string[]>(
      `document.modelContext.getTools().then((tools) => ${isConsequential})`,
    );
    expect(consequential.sort()).toEqual(['cancel_order', 'place_order']);
    const order = (await runTool<Order>(page, 'place_order', purchase)).structuredContent;
    expect(order).toMatchObject({ status: 'paid', grandTotal: brl(TRIP_PRICE) });
    expect(await runTool(page, 'get_receipt', { orderId: order.id })).toMatchObject({
      isError: false,
      structuredContent: { ticketId: order.id, total: brl(TRIP_PRICE) },
    });
    expect(await runTool(page, 'place_order', purchase)).toMatchObject({
      isError: true,
      structuredContent: { error: 'booking_already_ordered', status: 409 },
    });

    await box(page).uncheck();
    await toolsCount(page, CONNECTED.length);
    const revoked = page.waitForResponse((response) => response.url().endsWith('/oauth/revoke'));
    await button(page, 'Desconectar agente').click();
    await said(page, 'Agente desconectado.');
    expect(await toolsOn(page)).toEqual(PUBLIC);
    await revoked;
    expect(new Set(tokens).size).toBe(1);
    expect(await statusUnder(tokens[0])).toBe(401);

    expect(addresses.filter((address) => address.includes('4242') || address.includes(tokens[0] ?? ''))).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(faults.filter((fault) => !fault.includes('409'))).toEqual([]);
  });

  it('keep the token in the page alone, and lose it with the page', async () => {
    const { page, faults } = await openPage();
    await connect(page);
    const tokens = tokensUsed(page);
    await runTool(page, 'create_booking', {});
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, document.documentElement.outerHTML, Object.keys(window)])',
    );
    expect(kept).toMatch(/^\[\{\},\{\},"",null,/);
    expect(kept).not.toContain(tokens[0]);
    expect(await statusUnder(tokens[0])).toBe(200);

    await page.reload();
    while ((await toolsOn(page)).join() !== PUBLIC.join()); // a page that is loading may drop what it offered
    // Its revocation was sent when the page was left, and outlives it.
    while ((await statusUnder(tokens[0])) !== 401);
    expect(faults).toEqual([]);
  });

  it('are gone once the token is good for nothing', async () => {
    const { page } = await openPage();
    await connect(page);
    const tokens = tokensUsed(page);
    await runTool(page, 'create_booking', {});
    const body = new URLSearchParams({ token: tokens[0] ?? '', client_id: 'alcada-site' });
    await fetch(`${api.origin}/oauth/revoke`, { method: 'POST', body });
    expect(await runTool(page, 'create_booking', {})).toMatchObject({
      isError: true,
      structuredContent: { error: 'invalid_token', status: 401 },
    });
    await said(page, 'A conexão terminou. Conecte o agente de novo.');
    expect(await toolsOn(page)).toEqual(PUBLIC);
  });

  it('stay the public ones where the traveller does not let the agent in', async () => {
    const { page, faults } = await openPage();
    const popup = await openConsent(page);
    const closed = popup.waitForEvent('close');
    await button(popup, 'Recusar').click();
    await closed;
    await said(page, 'O acesso não foi autorizado.');
    expect(await toolsOn(page)).toEqual(PUBLIC);
    expect(faults).toEqual([]);
  });

  it('take no answer but that of the server they asked, to what they asked', async () => {
    const { page } = await openPage();
    const exchanged: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/oauth/token')) exchanged.push(request.url());
    });
    const asked = page.context().waitForEvent('request', (request) => request.url().includes('/oauth/authorize?'));
    await openConsent(page);
    const parameters = new URL((await asked).url()).searchParams;
    expect(parameters.get('code_challenge_method')).toBe('S256');

    const other = await page.context().newPage();
    await other.goto(api.origin);
    const send = (answer: Record<string, string>) =>
      other.evaluate(
        `new BroadcastChannel('alcada-conectar').postMessage({ answer: '?' + ${JSON.stringify(new URLSearchParams(answer).toString())} })`,
      );
    const state = parameters.get('state') ?? '';
    await send({ code: 'alheio', state: 'outro', iss: api.origin });
    await send({ code: 'alheio', state, iss: 'https://outro.example' });
    await said(page, 'A resposta não veio de quem devia.');
    expect(exchanged).toEqual([]);
    expect(await toolsOn(page)).toEqual(PUBLIC);
  });

  it('are registered once, however often the script is loaded', async () => {
    const { page, faults } = await openPage();
    await page.addScriptTag({ url: '/webmcp.js' });
    await page.addScriptTag({ url: '/webmcp.js?v=outra', type: 'module' });
    expect(await toolsOn(page)).toEqual(PUBLIC);
    await connect(page);
    expect(await toolsOn(page)).toEqual(CONNECTED);
    expect(faults).toEqual([]);
  });

  it('stop calling when the agent does, and say so where the service does not answer', async () => {
    const { page } = await openPage();
    await page.route('**/webmcp/call', () => undefined); // never answered
    const failed = page.waitForEvent('requestfailed');
    const cancelled = page.evaluate(
      `document.modelContext.getTools().then(([tool]) => {
        const end = new AbortController();
        setTimeout(() => end.abort(), 50);
        return document.modelContext.executeTool(tool, {}, { signal: end.signal });
      })`,
    );
    await expect(cancelled).rejects.toThrow('AbortError');
    expect((await failed).failure()?.errorText).toBe('net::ERR_ABORTED');

    await page.route('**/webmcp/call', (route) => route.abort());
    expect(await runTool(page, 'search_flights', {})).toMatchObject({
      isError: true,
      structuredContent: { error: 'service_unreachable' },
    });
  });

  it('are no trouble to a browser without agents', async () => {
    const plain = await launchChromium();
    const { page, faults } = await openWatchedPage(plain, DESKTOP);
    await page.goto(api.origin);
    expect(await page.evaluate('document.modelContext')).toBeUndefined();
    expect(await button(page, 'Conectar agente').isVisible()).toBe(false);
    expect(await page.getByText(`${api.origin}/mcp`).first().isVisible()).toBe(true);
    expect(faults).toEqual([]);
    await plain.close();
  });
});
