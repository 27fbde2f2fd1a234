import { openForAll } from '#testing';
import { flawsOf, tabTo } from '../support/accessibility.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { DESKTOP, PHONE, SCREENS } from '../support/screens.js';
import { startServiceInMemory } from '../support/service.js';
import { swept } from '../support/sweep.js';
import { openWatchedPage } from '../support/watched-page.js';

const inChromium = hasChromium('the reference of the API in a browser') ? describe : describe.skip;

/** Each kind of page on the first screen; on the others they take turns, but in a full sweep. */
const VIEWS = SCREENS.flatMap(([screen, options], at) =>
  ['/docs', '/docs/en/orders', '/docs/search?q=remaining']
    .filter((_, place) => at === 0 || swept({ short: place < 2, middle: place % 2 === at % 2, full: true }))
    .map((path) => [screen, path, options] as const),
);

const browser = openForAll(() => launchChromium());
const api = openForAll(() => startServiceInMemory());

inChromium('the reference of the API in a browser', () => {
  it.each(VIEWS)('is accessible and fits the screen: %s, %s', async (_, path, options) => {
    const { page, faults } = await openWatchedPage(browser, options);
    await page.goto(api.origin + path);
    expect(await flawsOf(page)).toEqual([]);
    // As text has links, and not as the tabs of an account.
    const displayed = "[...document.querySelectorAll('.facts a')].map((one) => getComputedStyle(one).display)";
    expect(await page.evaluate<string[]>(displayed)).toEqual(path === '/docs' ? ['inline', 'inline', 'inline'] : []);
    expect(faults).toEqual([]);
  });

  it('leads by the keyboard alone, without a script, by its search or an old address to what is there', async () => {
    const { page } = await openWatchedPage(browser, { ...PHONE, javaScriptEnabled: false });
    await page.goto(`${api.origin}/docs`);
    await tabTo(page, page.getByRole('searchbox', { name: 'Buscar na referência' }));
    await page.keyboard.type('placeorder');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/search\?q=placeorder$/);
    await page.getByRole('link', { name: 'placeOrder', exact: true }).press('Enter');
    await page.waitForURL(/\/docs\/orders#placeOrder$/);
    const operation = page.locator('#placeOrder');
    expect(await operation.getByRole('group', { name: 'Requisição' }).innerText()).toContain('Bearer $TOKEN');
    await operation.locator('summary', { hasText: 'mandate_limit_exceeded' }).press('Enter');
    const answer = operation.getByRole('group', { name: 'mandate_limit_exceeded' });
    expect(await answer.innerText()).toContain('"remaining": {');
    await operation.getByRole('link', { name: 'Order', exact: true }).press('Enter');
    await page.waitForURL(/#schema-Order$/);
    await page.goto(`${api.origin}/docs#placeOrder`);
    await page.locator('#placeOrder a').press('Enter');
    await page.waitForURL(/\/docs\/orders#placeOrder$/);
  });

  it('jumps at once, since its page is too long to be scrolled through as others are', async () => {
    const { page } = await openWatchedPage(browser, DESKTOP);
    const scrolling: string[] = [];
    for (const path of ['/docs', '/docs/orders', '/']) {
      await page.goto(api.origin + path);
      scrolling.push(await page.evaluate<string>('getComputedStyle(document.documentElement).scrollBehavior'));
    }
    expect(scrolling).toEqual(['auto', 'auto', 'smooth']);
  });

  it('copies a call, and says so', async () => {
    const options = { ...DESKTOP, permissions: ['clipboard-read', 'clipboard-write'] };
    const { page, faults } = await openWatchedPage(browser, options);
    await page.goto(`${api.origin}/docs/en/flights`);
    const operation = page.locator('#searchFlights');
    await operation.getByRole('button', { name: 'Copy' }).click();
    await operation.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(new RegExp(`^curl '${api.origin}/api/v1/flights`));
    expect(faults).toEqual([]);
  });

  it('leads to the playground for a token, and back to Portuguese', async () => {
    const { page } = await openWatchedPage(browser, DESKTOP);
    await page.goto(`${api.origin}/docs/en`);
    await page.getByRole('link', { name: 'playground' }).first().click();
    await page.waitForURL('**/oauth/playground');
    await page.goBack();
    await page.getByRole('link', { name: 'Português' }).click();
    await page.waitForURL('**/docs');
  });
});
