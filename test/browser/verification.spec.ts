import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openForAll } from '#testing';
import type { BrowserContextOptions } from 'playwright-core';
import { isOfStory, purchaseStory, STORY } from '../../libs/verifier/src/testing/index.js';
import { violationsOn } from '../support/accessibility.js';
import { DESKTOP, SCREENS } from '../support/screens.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { startServiceInMemory } from '../support/service.js';
import { openWatchedPage } from '../support/watched-page.js';

const inChromium = hasChromium('verifying a bundle in a browser') ? describe : describe.skip;

/** Where pictures of the page are put, for people to look at; nowhere by default. */
const PICTURES = process.env['PICTURES'];

const log = purchaseStory();
const lines = await log.bundle({ mandate: STORY.mandateId }, isOfStory);
const fileOf = (text: string) => ({ name: 'mandato.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(text) });
const text = lines.map((line) => `${line}\n`).join('');
const sound = fileOf(text);
const broken = fileOf(text.replace('"amount":57990', '"amount":57'));

const browser = openForAll(() => launchChromium());
const api = openForAll(() => startServiceInMemory());

const open = async (options: BrowserContextOptions) => {
  const { page, faults } = await openWatchedPage(browser, options);
  await page.goto(`${api.origin}/verificar`);
  await page.getByLabel('Chave do registro').waitFor();
  return { page, faults };
};

inChromium('verifying a bundle in a browser', () => {
  it.each(SCREENS)('is accessible and fits the screen, before and after: %s', async (name, options) => {
    const { page, faults } = await open(options);
    const fits = async () => [
      await violationsOn(page),
      await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth'),
    ];
    expect(await fits()).toEqual([[], false]);
    if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `verify-${name}.png`), fullPage: true });
    await page.getByLabel('Chave do registro').fill(log.vkey);
    for (const [file, verdict] of [
      [sound, 'Confere'],
      [broken, 'Não confere'],
    ] as const) {
      await page.getByLabel('Histórico').setInputFiles(file);
      await page.getByRole('button', { name: 'Verificar' }).click();
      await page.getByRole('heading', { name: verdict, exact: true }).waitFor();
      expect(await fits()).toEqual([[], false]);
      const path = join(PICTURES ?? '', `verify-${name}-${verdict === 'Confere' ? 'sound' : 'broken'}.png`);
      if (PICTURES !== undefined) await page.screenshot({ path, fullPage: true });
    }
    expect(faults).toEqual([]);
  });

  it('works without a network once it is loaded, and sends nothing before that', async () => {
    const { page, faults } = await open(DESKTOP);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.context().setOffline(true);
    await page.getByLabel('Chave do registro').fill(log.vkey);
    await page.getByLabel('Histórico').setInputFiles(sound);
    await page.getByRole('button', { name: 'Verificar' }).click();
    await page.getByRole('heading', { name: 'Confere', exact: true }).waitFor();
    expect(await page.getByRole('row').count()).toBe(12);
    const refusal = 'Cobrança de R$\u00a0500,00 recusada. O valor ultrapassa o teto do mandato; nada foi cobrado.';
    expect(await page.getByText(refusal).count()).toBe(1);
    expect(await page.getByText('mandate_limit_exceeded').count()).toBe(0);
    expect([asked, faults]).toEqual([[], []]);
  });

  it('says of the ticket whose code led there whether a file pays for it, and sends its number to nobody', async () => {
    const paid = lines.flatMap((line) => /"ticketCode":"(\d+)"/.exec(line)?.[1] ?? [])[0] ?? '';
    for (const [ticket, said] of [
      [paid, 'Pago neste arquivo, que não traz cancelamento'],
      ['9770000099999', 'Não é deste arquivo'],
    ] as const) {
      const { page, faults } = await openWatchedPage(browser, DESKTOP);
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url() + JSON.stringify(request.headers())));
      await page.goto(`${api.origin}/verificar#${ticket}`);
      await page.getByText(`pagamento do bilhete ${ticket}`).waitFor();
      await page.getByLabel('Chave do registro').fill(log.vkey);
      await page.getByLabel('Histórico').setInputFiles(sound);
      await page.getByRole('button', { name: 'Verificar' }).click();
      await page.getByText(said, { exact: true }).waitFor();
      expect(asked.filter((request) => request.replace(/#\d+/, '').includes(ticket))).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  it('says that the order of a ticket was cancelled, and that the proof of a payment cannot say so', async () => {
    const folder = 'docs/audit-vectors';
    const key = await readFile(join(folder, 'key'), 'utf8');
    for (const [vector, said] of [
      ['lives-refund.jsonl', 'Pago e depois cancelado, em 31/01/2026, 09:29:59: não vale mais'],
      ['receipt-v2.tlog-proof', 'Pago. Esta prova é só do pagamento: se o pedido foi cancelado depois, ela não diz'],
    ] as const) {
      const { page, faults } = await openWatchedPage(browser, DESKTOP);
      await page.goto(`${api.origin}/verificar#9570000000014`);
      await page.getByLabel('Chave do registro').fill(key);
      await page.getByLabel('Histórico').setInputFiles(join(folder, vector));
      await page.getByRole('button', { name: 'Verificar' }).click();
      await page.getByText(said, { exact: true }).waitFor();
      if (PICTURES !== undefined)
        for (const [name, { viewport }] of SCREENS) {
          if (viewport) await page.setViewportSize(viewport);
          await page.screenshot({ path: join(PICTURES, `ticket-${vector}-${name}.png`), fullPage: true });
        }
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  it('can be used with the keyboard alone, and leads to what it found', async () => {
    const { page } = await open(DESKTOP);
    await page.getByLabel('Chave do registro').focus();
    await page.keyboard.insertText(log.vkey);
    await page.getByLabel('Histórico').setInputFiles(sound);
    await page.getByLabel('Histórico').focus();
    await page.keyboard.press('Tab'); // what witnesses there have to be
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Confere', exact: true }).waitFor();
    expect(await page.evaluate<string>('document.activeElement.getAttribute("aria-label")')).toBe('Resultado');
  });

  it('reads no file that is larger than it says', async () => {
    const { page } = await open(DESKTOP);
    await page.getByLabel('Chave do registro').fill(log.vkey);
    // It has the size and no content, so that reading it would be seen.
    await page.evaluate(
      `(() => { const file = new File([''], 'tudo.jsonl'); Object.defineProperty(file, 'size', { value: 100_000_001 }); file.arrayBuffer = () => { throw new Error('read'); }; Object.defineProperty(document.querySelector('[data-form]').elements.file, 'files', { value: [file] }); })()`,
    );
    await page.getByRole('button', { name: 'Verificar' }).click();
    await page.getByRole('alert').getByText('O arquivo tem mais de 100 MB').waitFor();
  });

  it('takes a file that is dropped on it', async () => {
    const { page } = await open(DESKTOP);
    await page.getByLabel('Chave do registro').fill(log.vkey);
    const transfer = await page.evaluateHandle(
      `(() => { const all = new DataTransfer(); all.items.add(new File([${JSON.stringify(text)}], 'mandato.jsonl')); return all; })()`,
    );
    await page.locator('[data-drop]').dispatchEvent('drop', { dataTransfer: transfer });
    await page.getByRole('heading', { name: 'Confere', exact: true }).waitFor();
  });

  it('says what is missing, beside it, and believes no key but the one that it was given', async () => {
    const { page } = await open(DESKTOP);
    const said = page.getByRole('alert');
    await page.getByRole('button', { name: 'Verificar' }).click();
    expect(await said.textContent()).toBe('Informe a chave do registro.');
    await page.getByLabel('Chave do registro').fill('nada');
    await page.getByRole('button', { name: 'Verificar' }).click();
    await said.getByText('Esta não é uma chave de registro').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page
      .getByLabel('Chave do registro')
      .fill('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
    await page.getByRole('button', { name: 'Verificar' }).click();
    await said.getByText('Escolha o arquivo.').waitFor();
    await page.getByLabel('Histórico').setInputFiles(sound);
    await page.getByRole('button', { name: 'Verificar' }).click();
    await page.getByText('O ponto de controle não vale').waitFor();
  });

  it('lets its page call nobody, and serves modules that belong together', async () => {
    const answer = await fetch(`${api.origin}/verificar`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; connect-src 'none'");
    const [script = ''] = /\/assets\/verificar\/[^"]+/.exec(await answer.text()) ?? [];
    const [, version = ''] = /verificar\/(\w+)/.exec(script) ?? [];
    const core = `/assets/verificar/${version}/libs/verifier/src/verify-bundle.js`;
    const statuses = [script, core, core.replace(version, 'older'), core.replace('verify-bundle', 'testing/index')];
    const found = await Promise.all(statuses.map(async (path) => (await fetch(api.origin + path)).status));
    expect(found).toEqual([200, 200, 404, 404]);
  });
});
