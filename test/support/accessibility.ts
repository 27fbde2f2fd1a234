import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';
import { swept } from './sweep.js';

/** Without its spaces and comments: every page is given it anew. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with the page as it stands, once it has its styles: each rule broken, and where. */
export const violationsOn = async (page: Page): Promise<readonly string[]> => {
  await page.waitForLoadState();
  await page.evaluate(AXE);
  return page.evaluate<string[]>(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`,
  );
};

/** What is wrong with the page, to whoever uses it with a screen reader, a keyboard or a narrow screen. */
export const flawsOf = async (page: Page): Promise<readonly string[]> => {
  const isWide = await page.evaluate<boolean>(
    'document.documentElement.scrollWidth > Math.min(innerWidth, screen.width)',
  );
  return [...(await violationsOn(page)), ...(isWide ? [`${page.url()} is wider than the screen`] : [])];
};

const SCHEMES = swept<readonly ('light' | 'dark')[]>({
  short: ['light'],
  middle: ['light', 'dark'],
  full: ['light', 'dark'],
});

/** The same, in the light and in the dark; in the light alone where sweeps are short. */
export const flawsInAnyLight = async (page: Page): Promise<readonly string[]> => {
  const flaws: string[] = [];
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    flaws.push(...(await flawsOf(page)).map((flaw) => `${flaw} (${colorScheme})`));
  }
  return flaws;
};

/** Presses Tab until this has the focus, as somebody does who has no mouse. */
export const tabTo = async (page: Page, target: Locator): Promise<void> => {
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the keyboard does not get there');
};
