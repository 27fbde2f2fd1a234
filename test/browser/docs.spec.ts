import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { RunningApi } from '../../apps/api/src/start.js';
import { tokensFor } from '../support/agent.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { newFolder, removeFolder, startService } from '../support/service.js';
import { openWatchedPage } from '../support/watched-page.js';

const inChromium = hasChromium('the description of the API in a browser') ? describe : describe.skip;

let folder: string;
let api: RunningApi;
let browser: Browser;

inChromium('the description of the API in a browser', () => {
  beforeAll(async () => {
    folder = await newFolder();
    api = await startService(folder);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await api.stop();
    await removeFolder(folder);
  });

  it('takes a token and calls the API with it, under a policy that no script or frame of others gets past', async () => {
    const { page, faults } = await openWatchedPage(browser, { viewport: { width: 1280, height: 800 } });
    const answer = await page.goto(`${api.origin}/docs`);
    const policy = answer?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; connect-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");

    await page.getByRole('button', { name: 'Authorize' }).click();
    const dialog = page.locator('.modal-ux');
    expect(await dialog.locator('h4').allInnerTexts()).toEqual([expect.stringContaining('bearer')]);
    expect(await dialog.innerText()).toContain('/oauth/playground');
    await dialog.getByRole('textbox').fill((await tokensFor(api.origin)).access_token);
    await dialog.getByRole('button', { name: 'Apply credentials' }).click();
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();

    const operation = page.locator('.opblock-get').filter({ hasText: '/mandates' }).first();
    await operation.click();
    await operation.filter({ hasText: 'Escopos: mandate:create.' }).waitFor();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table tr.response').waitFor();
    expect(await operation.locator('.live-responses-table .response-col_status').allInnerTexts()).toContain('200');
    expect(faults).toEqual([]);
  });
});
