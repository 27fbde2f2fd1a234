import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';

export interface WatchedPage {
  readonly page: Page;
  /** Errors of scripts and of the console, and what the page's policy forbade. */
  readonly faults: string[];
}

const opened: BrowserContext[] = [];
afterEach(() => Promise.all(opened.splice(0).map((context) => context.close())));

/** A page of a new browser profile that notes whatever goes wrong. Closed after the case. */
export const openWatchedPage = async (browser: Browser, options: BrowserContextOptions): Promise<WatchedPage> => {
  const context = await browser.newContext({ locale: 'pt-BR', ...options });
  opened.push(context);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000); // for what hangs, not for what is slow
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(`script: ${message}`));
  page.on('console', (line) => {
    if (line.type() === 'error') faults.push(`console: ${line.text()}`);
  });
  return { page, faults };
};

/** Clicks what leads from a page to another, and waits until that is there whole, with its styles. */
export const leave = async (page: Page, by: Locator): Promise<void> => {
  await Promise.all([page.waitForEvent('load'), by.click()]);
};
