import { openForAll } from '#testing';
import type { Locator, Page } from 'playwright-core';
import { authorizationUrl, discover, pkce } from '#agent';
import { flawsInAnyLight, flawsOf, tabTo } from '../support/accessibility.js';
import { agentAt, PILOT, PURCHASE } from '../support/agent.js';
import type { Mandate, Order } from '../support/answers.js';
import { challengeIn, CHALLENGED_CARD, type Challenged } from '../support/challenge.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { firstOf } from '../support/screens.js';
import type { Traveller } from '../support/consent.js';
import { book, buy, DECLINED_CARD, grant, order } from '../support/purchase.js';
import { sealed } from '../support/sealed.js';
import { settled, startServiceInMemory } from '../support/service.js';
import { leave, openWatchedPage } from '../support/watched-page.js';

const inChromium = hasChromium('the account in a browser') ? describe : describe.skip;

const DESKTOP = { viewport: { width: 1280, height: 720 }, javaScriptEnabled: true };
const PHONE = { viewport: { width: 390, height: 760 }, isMobile: true, hasTouch: true, colorScheme: 'dark' } as const;

const browser = openForAll(() => launchChromium());
const api = openForAll(() =>
  startServiceInMemory({
    DEMO_TRAVELLERS:
      'mesa@example.com,bolso@example.com,teclas@example.com,papel@example.com,teto@example.com,dedo@example.com,tecla@example.com,bruma@example.com,vivo@example.com',
  }),
);

const press = (page: Page, name: string) => leave(page, page.getByRole('button', { name, exact: true }));
const follow = (page: Page, name: string | RegExp) => leave(page, page.getByRole('link', { name }).first());

const logIn = async (page: Page, { email, password }: Traveller): Promise<void> => {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha').fill(password);
  await press(page, 'Entrar');
};

const stranger = async (): Promise<string> => {
  const answer = await fetch(`${api.origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Um agente de nome tão longo que ocupa mais de uma linha',
      redirect_uris: ['http://127.0.0.1:8765/callback'],
      token_endpoint_auth_method: 'none',
    }),
  });
  return ((await answer.json()) as { readonly client_id: string }).client_id;
};

/** Where an agent asks for all of a purchase, with these authorization details. */
const consentAddress = async (details?: readonly unknown[], clientId: string = PILOT.clientId): Promise<URL> => {
  const client = { ...PILOT, clientId, redirectUri: 'http://127.0.0.1:8765/callback' };
  const request = { scopes: PURCHASE, state: 'estado', challenge: pkce().challenge };
  const url = authorizationUrl(await discover(api.origin), client, request);
  if (details) url.searchParams.set('authorization_details', JSON.stringify(details));
  return url;
};

interface AskedMandate extends Mandate {
  readonly approval: { readonly url: string };
}

const DETAIL = {
  type: 'payment_mandate',
  limit: { amount: 700_00, currency: 'BRL' },
  durationMinutes: 60,
  constraints: { to: ['CNF'], maxOrders: 1 },
  purpose: 'Reunião em Belo Horizonte',
};
const ANYWHERE = { ...DETAIL, constraints: {} };

/** A traveller whose agent has bought, failed to buy, and waits for their word. */
const busyTraveller = async (email: string) => {
  const traveller = { email, password: 'alcada-demo' };
  const agent = await agentAt(api.origin, { traveller });
  const mandate: Mandate = await grant(agent, 1000_00);
  const paid: Order = await buy(agent, await book(agent), mandate);
  await order(agent, await book(agent), mandate, DECLINED_CARD);
  const waiting: Challenged['challenge'] = challengeIn(await order(agent, await book(agent), mandate, CHALLENGED_CARD));
  await settled(api);
  return { traveller, agent, mandate, paid, waiting };
};

inChromium('the account in a browser', () => {
  it.each(
    firstOf([
      ['desktop', DESKTOP, 'mesa@example.com'],
      ['phone', PHONE, 'bolso@example.com'],
    ] as const),
  )('shows a traveller on a %s all of it, accessibly, and takes their decisions', async (_, options, email) => {
    const { traveller, agent, paid, waiting } = await busyTraveller(email);
    const { page, faults } = await openWatchedPage(browser, options);
    const flaws: string[] = [];
    const look = async (heading: string): Promise<void> => {
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(heading);
      flaws.push(...(await flawsOf(page)));
    };

    await page.goto(`${api.origin}/conta`);
    await look('Entre na sua conta');
    await page.getByLabel('Senha').fill(traveller.password);
    await page.getByRole('button', { name: 'Mostrar a senha' }).click();
    expect(await page.getByLabel('Senha').getAttribute('type')).toBe('text');
    await look('Entre na sua conta');
    await page.getByRole('button', { name: 'Ocultar a senha' }).click();
    expect(await page.getByLabel('Senha').getAttribute('type')).toBe('password');
    await logIn(page, traveller);
    await look('Sua conta');

    await follow(page, 'Limites');
    await look('Limites');
    await page.getByText('Alterar limite').click();
    await page.getByLabel('Limite total de gastos').fill('1,500');
    await press(page, 'Salvar limite');
    await look('Limites');
    expect(await page.evaluate('document.activeElement.value')).toBe('1,500');
    await page.getByLabel('Limite total de gastos').fill('1.500,00');
    await press(page, 'Salvar limite');
    expect(await page.getByText('Limite total de R$\u00a01.500,00').count()).toBe(1);

    await follow(page, 'Início');
    await follow(page, 'Abrir em uma página própria');
    await look('Aprovar este pagamento?');
    const shown = await page.getByRole('timer').innerText();
    await page.getByText(shown, { exact: true }).waitFor({ state: 'detached' }); // it counts down
    await press(page, 'Recusar');
    await look('Pagamento recusado');
    expect(page.url()).toBe(waiting.url);

    for (const [path, heading] of [
      ['/conta/acontecimentos', 'O que aconteceu'],
      ['/conta/mandatos', 'Mandatos'],
      ['/conta/viagens', 'Viagens'],
      ['/conta/agentes', 'Agentes'],
      ['/conta/avisos', 'Avisos'],
      [`/conta/pedidos/${waiting.id}`, 'Compra não concluída'],
      [`/conta/pedidos/${paid.id}`, 'Bilhete e recibo'],
    ] as const) {
      await page.goto(api.origin + path);
      await look(heading);
    }
    expect(await page.getByText('use a impressão').isVisible()).toBe(false);
    await page.evaluate('window.print = () => document.body.setAttribute("data-printed", "")');
    await page.getByRole('button', { name: 'Imprimir ou salvar PDF' }).click();
    expect(await page.locator('body[data-printed]').count()).toBe(1);
    await follow(page, 'Ver o mandato que pagou');
    await look('Voos para qualquer destino');
    await page.getByText('Detalhes e provas').click();
    await sealed(api);
    await follow(page, 'Conferir no meu navegador');
    await page.getByRole('heading', { name: 'Confere', exact: true }).waitFor();
    expect(await page.getByText('A deste próprio site').count()).toBe(1);
    flaws.push(...(await flawsOf(page)));
    await follow(page, 'Voltar ao mandato');
    await follow(page, 'Encerrar…');
    await look('Encerrar este mandato?');
    await press(page, 'Encerrar mandato');
    expect(await page.getByText('Mandato encerrado: nada mais pode ser gasto').count()).toBe(1);

    await follow(page, 'Sua conta');
    await follow(page, 'Agentes');
    await follow(page, 'Cliente piloto');
    await look('Cliente piloto');
    await follow(page, /^Revogar\s+o agente Cliente piloto/);
    await look('Revogar este agente?');
    await press(page, 'Revogar agente');
    await page.getByRole('heading', { name: 'Agentes revogados' }).waitFor();
    await look('Agentes');
    expect((await agent.get('/mandates')).status).toBe(401);
    await page.goto((await consentAddress()).href);
    await look('Permitir que Cliente piloto compre voos para você?');
    await page.goto(`${api.origin}/conta`);
    await press(page, 'Sair');
    await look('Você saiu');

    // The cap that could not be read came back with a 422, which the console tells.
    expect({ flaws, faults: faults.filter((fault) => !fault.includes('422')) }).toEqual({ flaws: [], faults: [] });
  });

  it.each(
    firstOf([
      ['phone', PHONE, 'dedo@example.com'],
      ['desktop', DESKTOP, 'teto@example.com'],
    ] as const),
  )(
    'asks on a %s for the limit first, lets it be lowered and paused later, and asks for the next',
    async (_, options, email) => {
      const { page, faults } = await openWatchedPage(browser, { ...options, javaScriptEnabled: true });
      const flaws: string[] = [];
      await page.goto((await consentAddress([DETAIL])).href);
      await logIn(page, { email, password: 'alcada-demo' });
      await page.getByRole('heading', { name: 'Permitir que Cliente piloto compre voos para você?' }).waitFor();
      const { height } = options.viewport;
      const limit = page.getByLabel('Pode gastar até, em BRL');
      expect(await limit.inputValue()).toBe('700,00');
      for (const shown of ['em uma compra', /^\s*até (hoje|amanhã)/, 'voos para Belo Horizonte', 'Recusar']) {
        const box = await page.locator('summary, button', { hasText: shown }).boundingBox();
        expect({ shown, isInView: box !== null && box.y + box.height <= height }).toEqual({ shown, isInView: true });
      }
      const button = page.locator('button[value=approve]');
      const isInView = async (one: Locator) => {
        const box = await one.boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height <= height;
      };
      const atMost = page.locator('.at-most');
      const said = async () => [await button.innerText(), await atMost.innerText()];
      const then = 'Depois disso, pergunta a você.';
      expect([await said(), await isInView(button), await isInView(atMost)]).toEqual([
        ['Autorizar R$\u00a0700,00', `Pode gastar no máximo R$\u00a0700,00 ao todo. ${then}`],
        true,
        true,
      ]);
      flaws.push(...(await flawsInAnyLight(page)));
      await page.getByRole('button', { name: 'Diminuir o valor' }).click();
      expect([await limit.inputValue(), await button.innerText()]).toEqual(['650,00', 'Autorizar R$\u00a0650,00']);
      await limit.fill('mil');
      expect(await said()).toEqual(['Autorizar', 'Pode gastar até o valor que você escrever.']);
      await limit.fill('350');
      await limit.press('Enter'); // grants nothing
      await page.getByText('Outras compras:').click();
      await page.getByRole('radio', { name: 'R$\u00a01.000', exact: true }).check();
      await page.getByRole('radio', { name: 'O agente decide sozinho' }).check();
      expect(await said()).toEqual(['Autorizar R$\u00a01.000,00', 'Pode gastar no máximo R$\u00a01.000,00 ao todo.']);
      await page.getByRole('radio', { name: 'O agente pergunta antes' }).check();
      for (const line of ['em uma compra', 'voos para Belo Horizonte', 'O que ele pode ver e fazer'])
        await page.locator('summary', { hasText: line }).click();
      expect(await said()).toEqual([
        'Autorizar R$\u00a0350,00',
        `Pode gastar no máximo R$\u00a0350,00 ao todo. ${then}`,
      ]);
      flaws.push(...(await flawsInAnyLight(page)));
      const back = page.waitForRequest('http://127.0.0.1:8765/**');
      await leave(page, button); // its amount was kept by the script: nothing comes back
      expect((await back).url()).toContain('code=');

      await page.goto(`${api.origin}/conta/limites`);
      expect(await page.getByText('Limite total de R$\u00a01.000,00').count()).toBe(1);
      await follow(page, 'Reunião em Belo Horizonte');
      await page.getByRole('heading', { name: 'Reunião em Belo Horizonte' }).waitFor();
      await page.getByText('Detalhes e provas').click();
      for (const said of ['por você', 'Uma única compra']) await page.getByText(said, { exact: true }).waitFor();
      await follow(page, 'Reduzir…');
      flaws.push(...(await flawsInAnyLight(page)));
      await page.getByLabel('Novo teto, em reais').fill('400');
      await press(page, 'Reduzir');
      flaws.push(...(await flawsInAnyLight(page)));
      await page.getByLabel('Novo teto, em reais').fill('300');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Reunião em Belo Horizonte' }).waitFor();
      await press(page, 'Pausar');
      await page.getByText('em pausa', { exact: true }).waitFor();
      flaws.push(...(await flawsInAnyLight(page)));
      await press(page, 'Retomar');
      await page.getByText('em vigor', { exact: true }).waitFor();

      const traveller = { email, password: 'alcada-demo' };
      const agent = await agentAt(api.origin, { traveller });
      const { approval, id } = (await grant(agent, 500_00, { constraints: { maxOrders: 1 } })) as AskedMandate;
      await page.goto(approval.url);
      await page.getByRole('heading', { name: 'Permitir este mandato?' }).waitFor();
      for (const shown of ['R$\u00a0500,00, como pediu', 'Uma única compra', 'Por até'])
        expect(await page.getByText(shown).isVisible()).toBe(true);
      flaws.push(...(await flawsInAnyLight(page)));
      await page.getByRole('radio', { name: 'Outro valor' }).check();
      await page.getByLabel('Outro valor, em reais').fill('muito');
      await press(page, 'Permitir');
      await page.getByRole('alert').waitFor();
      flaws.push(...(await flawsInAnyLight(page)));
      await page.getByLabel('Outro valor, em reais').fill('200');
      await press(page, 'Permitir');
      await page.getByText('Mandato permitido, com teto de R$\u00a0200,00').waitFor();
      flaws.push(...(await flawsInAnyLight(page)));
      expect((await agent.get<Mandate>(`/mandates/${id}`)).body).toMatchObject({
        status: 'valid',
        limit: { amount: 200_00 },
      });

      // What could not be read came back with a 422, which the console tells.
      expect({ flaws, faults: faults.filter((fault) => !fault.includes('422')) }).toEqual({
        flaws: [],
        faults: [],
      });
    },
  );

  it.each([
    ['phone', PHONE, true],
    ['desktop', DESKTOP, true],
    ['phone, without a script', PHONE, false],
    ['desktop, without a script', DESKTOP, false],
  ] as const)(
    'has its amount, sentence and button in view without scrolling: %s',
    async (_, options, javaScriptEnabled) => {
      const { page, faults } = await openWatchedPage(browser, { ...options, javaScriptEnabled });
      const agent = await stranger();
      await page.goto((await consentAddress([DETAIL], agent)).href);
      await logIn(page, { email: 'bruma@example.com', password: 'alcada-demo' });
      const addresses = [
        await consentAddress([DETAIL]),
        await consentAddress(),
        await consentAddress([DETAIL], agent),
        await consentAddress([DETAIL, ANYWHERE], agent),
        await consentAddress(undefined, agent),
      ];
      for (const address of addresses) {
        await page.goto(address.href);
        const inView: boolean[] = [];
        for (const shown of [
          ':is(.number input, .total strong):visible',
          '.at-most',
          'button[value=approve]',
          'button[value=deny]',
        ]) {
          const box = await page.locator(shown).boundingBox();
          inView.push(box !== null && box.y >= 0 && box.y + box.height <= options.viewport.height);
        }
        expect(inView).toEqual([true, true, true, true]);
        if ((await page.locator('.total').count()) === 0) continue;
        await page.getByText('Compra 2 de 2:').click();
        await page.locator('summary', { hasText: /^\s*em qualquer voo/ }).click();
        const to = page.getByLabel('Para', { exact: true });
        await to.selectOption('Recife');
        const said = page.locator('.mandate [data-flights="2"]');
        expect(await said.innerText()).toBe(javaScriptEnabled ? 'voos para Recife' : 'em qualquer voo');
      }
      // The number of the last page, in all: none, with which nobody that is unknown buys without asking, and one again.
      const [button, limit] = [page.locator('button[value=approve]'), page.locator('.number input')];
      const press = async (one: Locator) => (javaScriptEnabled ? one.click() : leave(page, one));
      expect(await button.innerText()).toBe('Autorizar R$\u00a0500,00');
      await page.getByText('ao todo, em quantas compras quiser').click();
      await press(page.getByRole('button', { name: 'Sem limite total' }));
      expect([await button.innerText(), await limit.inputValue()]).toEqual(['Autorizar', '']);
      await press(page.getByRole('button', { name: 'Aumentar o valor' }));
      expect([await button.innerText(), await limit.inputValue()]).toEqual(['Autorizar R$\u00a0500,00', '500,00']);
      await limit.fill('80');
      if (!javaScriptEnabled) await press(button);
      expect([await button.innerText(), await page.getByText('Nada foi autorizado ainda').count()]).toEqual([
        'Autorizar R$\u00a080,00',
        javaScriptEnabled ? 0 : 1,
      ]);
      const back = page.waitForRequest('http://127.0.0.1:8765/**');
      await leave(page, button);
      expect((await back).url()).toContain('code=');
      expect(faults).toEqual([]);
    },
  );

  it('grants, asks and is refused by the keyboard alone, without a script', async () => {
    const traveller = { email: 'tecla@example.com', password: 'alcada-demo' };
    const { page } = await openWatchedPage(browser, { ...DESKTOP, javaScriptEnabled: false });
    await page.goto((await consentAddress([DETAIL])).href);
    await tabTo(page, page.getByLabel('E-mail'));
    await page.keyboard.type(traveller.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(traveller.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Permitir que Cliente piloto compre voos para você?' }).waitFor();
    await tabTo(page, page.getByLabel('Pode gastar até, em BRL'));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('500');
    await page.keyboard.press('Enter'); // shows the page again, with its button
    const button = page.getByRole('button', { name: 'Autorizar R$\u00a0500,00' });
    await button.waitFor();
    await tabTo(page, page.locator('summary', { hasText: 'Outras compras:' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('radio', { name: 'O agente pergunta antes' }));
    const back = page.waitForRequest('http://127.0.0.1:8765/**');
    await page.keyboard.press('Shift+Tab');
    await button.focus();
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    expect((await back).url()).toContain('code=');

    const agent = await agentAt(api.origin, { traveller });
    const { approval } = (await grant(agent, 500_00)) as AskedMandate;
    await page.goto(approval.url);
    await tabTo(page, page.getByRole('button', { name: 'Recusar' }));
    await page.keyboard.press('Enter');
    await page.getByText('não permitido', { exact: true }).waitFor();
    await page.goto(`${api.origin}/conta/mandatos`);
    await tabTo(page, page.getByRole('link', { name: 'Reunião em Belo Horizonte' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Pausar' }));
    await page.keyboard.press('Enter');
    await page.getByText('em pausa', { exact: true }).waitFor();
  });

  it('can be used by the keyboard alone, without a script', async () => {
    const { traveller } = await busyTraveller('teclas@example.com');
    const { page } = await openWatchedPage(browser, { ...DESKTOP, javaScriptEnabled: false });
    await page.goto(`${api.origin}/conta/limites`);
    await page.getByLabel('E-mail').focus();
    await page.keyboard.type(traveller.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(traveller.password);
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByText('Alterar limite'));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('750');
    await page.keyboard.press('Enter');
    // The open mandate of R$ 1.000,00 does not fit: the page asks first.
    await page.getByText('Mandato com teto de R$\u00a01.000,00').waitFor();
    await page.getByRole('button', { name: 'Salvar limite' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Limite total de R$\u00a0750,00').waitFor();
    expect(await page.getByLabel('Limite total de gastos').inputValue()).toBe('750,00');
  });

  it('prints a ticket and its receipt, and nothing of the page around them', async () => {
    const { traveller, paid } = await busyTraveller('papel@example.com');
    const { page } = await openWatchedPage(browser, PHONE);
    await page.goto(`${api.origin}/conta/pedidos/${paid.id}`);
    await logIn(page, traveller);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText(`R-${paid.ticketCode ?? ''}`).isVisible()).toBe(true);
    expect(await page.getByText('Datas e horas no horário de Brasília.').isVisible()).toBe(true);
    for (const around of ['Sair', 'Sua conta', 'Você está em', 'use a impressão', 'Imprimir ou salvar PDF'])
      expect(await page.getByText(around).isVisible()).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  });

  it('shows what becomes news at once, and leaves the focus and what is unfolded as they are', async () => {
    const traveller = { email: 'vivo@example.com', password: 'alcada-demo' };
    const agent = await agentAt(api.origin, { traveller });
    const mandate = await grant(agent, 1000_00);
    await settled(api);
    const { page, faults } = await openWatchedPage(browser, DESKTOP);
    await page.goto(`${api.origin}/conta`);
    await logIn(page, traveller);
    const waiting = async (): Promise<string> =>
      challengeIn(await order(agent, await book(agent), mandate, CHALLENGED_CARD)).id;
    const first = await waiting();
    await page.locator(`#espera-${first}`).waitFor();
    // The page itself folds nothing today that is live; what it folds some day stays as it is.
    await page.evaluate(`(() => {
      const folded = '<details><summary>Mais</summary></details>';
      document.getElementById('novidades').insertAdjacentHTML('beforeend', folded);
      document.querySelector('#novidades details').open = true;
      const parse = DOMParser.prototype.parseFromString;
      DOMParser.prototype.parseFromString = function (...sent) {
        const fresh = parse.apply(this, sent);
        fresh.getElementById('novidades').insertAdjacentHTML('beforeend', folded);
        return fresh;
      };
    })()`);
    await page.getByRole('button', { name: 'Recusar' }).focus();
    const second = await waiting();
    await page.locator(`#espera-${second}`).waitFor();
    expect(await page.evaluate('document.activeElement.form.action.split("/").at(-1)')).toBe(first);
    expect(await page.locator('#novidades details[open]').count()).toBe(1);
    const shown = await page.getByRole('timer').first().innerText();
    await page.getByText(shown, { exact: true }).first().waitFor({ state: 'detached' }); // it counts down
    expect([await flawsOf(page), faults]).toEqual([[], []]);

    const link = page.getByRole('link', { name: 'Cliente piloto pode gastar até R$\u00a01.000,00' });
    await link.focus();
    await buy(agent, await book(agent), mandate);
    await page.getByRole('link', { name: 'São Paulo → Belo Horizonte, R$\u00a0279,90' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe(await link.textContent());
  });
});
