import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * What axe finds wrong with the page as it stands, once it has its styles: each rule broken, and where. The page's own
 * policy does not hinder it.
 */
export const violationsOn = async (page: Page): Promise<readonly string[]> => {
  await page.waitForLoadState();
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`,
  );
};
