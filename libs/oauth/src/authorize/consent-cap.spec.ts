import { openForAll } from '#testing';
import { delegations } from '#mandate';
import { Aggregates } from '#event-store';
import { RECENT_LOGIN } from '#identity';
import { type Money, money, plus, RandomIds, systemContext } from '#kernel';
import {
  authorizeUrl,
  callApi,
  codeFields,
  type Fields,
  locationOf,
  postToken,
  refreshFields,
} from '../testing/agent.js';
import { Browser, formTo } from '../testing/browser.js';
import { type Received, send } from '../testing/send.js';
import { startTestServer } from '../testing/test-server.js';
import { HOST, ISSUER, OTHER_CLIENT, PASSWORD, PILOT } from '../testing/test-settings.js';

const server = openForAll(() => startTestServer());
let browser: Browser;
let stream: string;
let agent: { readonly holder: string; readonly clientId: string };
beforeAll(async () => {
  browser = new Browser(server);
  const login = formTo(await browser.get(authorizeUrl()), '/oauth/login');
  await browser.post(login, { username: 'bruno@example.com', password: PASSWORD });
  const { access } = await tokensOf(await consent());
  const { holder } = (await callApi(server, `Bearer ${access}`)).body;
  agent = { holder: String(holder), clientId: PILOT.clientId };
  stream = delegations.streamOf(agent);
});
beforeEach(() => consent({ cap: '' }));

/** Bruno decides on a new request of the agent. */
const consent = async (fields: Readonly<Record<string, string>> = {}, change: Fields = {}): Promise<Received> => {
  const page = await browser.get(authorizeUrl(change));
  return browser.post(formTo(page, '/oauth/consent'), { decision: 'approve', ...fields });
};

const tokensOf = async (answer: Received) => {
  const { body } = await postToken(server, codeFields(locationOf(answer).searchParams.get('code') ?? ''));
  return { access: body['access_token'] ?? '', refresh: body['refresh_token'] ?? '' };
};

const written = async (of = stream): Promise<readonly string[]> => {
  const words: string[] = [];
  for await (const stored of server.eventStore.readStream(of)) {
    const event = delegations.decode(stored);
    if (event.type === 'SpendingCapSet') words.push(event.data.cap ? `cap ${event.data.cap.amount}` : 'no cap');
    else if (event.type === 'ApprovalModeSet') words.push(event.data.asksFirst ? 'asks first' : 'opens itself');
    else words.push(event.type);
  }
  return words;
};

const since = async (work: () => Promise<unknown>, of = stream): Promise<readonly string[]> => {
  const before = (await written(of)).length;
  await work();
  return (await written(of)).slice(before);
};

const fieldOf = ({ body }: { readonly body: string }) => ({
  value: /<input[^>]*name="cap"[^>]*?value="([^"]*)"/s.exec(body)?.[1],
  isRefused: /<input[^>]*name="cap"[^>]*aria-invalid="true"/s.test(body),
});

const chosenOn = ({ body }: { readonly body: string }) =>
  /<input type="radio" name="cap-choice" value="([^"]*)" checked/.exec(body)?.[1];

describe('an agent that only reads', () => {
  it('is asked about no limit, and the one it has stays', async () => {
    await consent({ cap: '100' });
    const { body } = await browser.get(authorizeUrl({ scope: 'receipt:read' }));
    expect(body).toContain('name="decision"');
    expect(body).not.toMatch(/name="cap|ainda não cobra/);
    expect(await since(() => consent({}, { scope: 'receipt:read' }))).not.toContain('no cap');
  });
});

describe('the cap on the consent page (rule 19)', () => {
  it('is set together with the authorization', async () => {
    expect(await since(() => consent({ cap: '1.500,00' }))).toEqual(['AgentAuthorized', 'cap 150000']);
  });

  it('stays as it is where the field is absent or unchanged', async () => {
    await consent({ cap: '1.500,00' });
    const { value } = fieldOf(await browser.get(authorizeUrl()));
    expect(value).toBe('1.500,00');
    expect(await since(() => consent())).toEqual(['AgentAuthorized']);
    expect(await since(() => consent({ cap: value ?? '' }))).toEqual(['AgentAuthorized']);
  });

  it('becomes what the field says, and is removed where the field is empty', async () => {
    await consent({ cap: '1500' });
    expect(await since(() => consent({ cap: '200.50' }))).toEqual(['AgentAuthorized', 'cap 20050']);
    expect(await since(() => consent({ cap: '' }))).toEqual(['AgentAuthorized', 'no cap']);
    expect(fieldOf(await browser.get(authorizeUrl()))).toEqual({ value: '', isRefused: false });
  });

  it('is shown again as it was written where it cannot be read, and the request can still be decided', async () => {
    const form = formTo(await browser.get(authorizeUrl()), '/oauth/consent');
    const back = await browser.post(form, { decision: 'approve', cap: '1,500 "mil"' });
    expect(back.status).toBe(422);
    expect(fieldOf(back)).toEqual({ value: '1,500 &quot;mil&quot;', isRefused: true });
    expect(back.body).toContain('Não entendemos o limite');
    const again = formTo(back, '/oauth/consent');
    const decided = () => browser.post(again, { decision: 'approve', cap: '1.500' });
    expect(await since(decided)).toEqual(['AgentAuthorized', 'cap 150000']);
  });

  it('is ignored where the traveller refuses', async () => {
    expect(await since(() => consent({ decision: 'deny', cap: '10' }))).toEqual([]);
    expect(await since(() => consent({ decision: 'deny', cap: 'dez' }))).toEqual([]);
  });

  it('is refused where it is sent twice', async () => {
    const { action, fields } = formTo(await browser.get(authorizeUrl()), '/oauth/consent');
    const twice = new URLSearchParams([...Object.entries(fields), ['decision', 'approve'], ['cap', '1'], ['cap', '2']]);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { host: HOST, origin: ISSUER, cookie, 'content-type': 'application/x-www-form-urlencoded' };
    const sendTwice = async () => {
      const { status } = await send(server.port, { method: 'POST', path: action, headers, body: twice.toString() });
      expect(status).toBe(400);
    };
    expect(await since(sendTwice)).toEqual([]);
  });

  it('belongs to one agent', async () => {
    await consent({ cap: '10' });
    const other = delegations.streamOf({ ...agent, clientId: OTHER_CLIENT.clientId });
    const change = { client_id: OTHER_CLIENT.clientId, redirect_uri: 'https://outro.example/volta?a=1' };
    expect(fieldOf(await browser.get(authorizeUrl(change))).value).toBe('');
    expect(await since(() => consent({}, change), other)).toEqual(['AgentAuthorized']);
  });

  it('is not touched by a new token', async () => {
    const tokens = await tokensOf(await consent({ cap: '10' }));
    expect(await since(() => postToken(server, refreshFields(tokens.refresh)))).toEqual([]);
  });

  it('is shown with what is spent and what is committed, apart', async () => {
    await consent({ cap: '1000' });
    const aggregates = new Aggregates(server.eventStore, server.clock, new RandomIds());
    const limit: Money = money(234_50, 'BRL');
    const open = { type: 'OpenMandate', mandateId: 'm1', limit, expiresAt: plus(server.clock.now(), 60_000) } as const;
    await aggregates.handle(delegations, agent, open, systemContext('a test'));
    const { body } = await browser.get(authorizeUrl());
    expect(body).toMatch(/Gasto:\s*<strong>R\$\u00a00,00<\/strong>/);
    expect(body).toMatch(/Comprometido:\s*<strong>R\$\u00a0234,50<\/strong>/);
    const close = { type: 'CloseMandate', mandateId: 'm1', consumed: money(0, 'BRL') } as const;
    await aggregates.handle(delegations, agent, close, systemContext('a test'));
  });

  it('is one of a few, typed, or none by its name: the choice says which', async () => {
    const choose = (choice: string, typed: string) => since(() => consent({ 'cap-choice': choice, cap: typed }));
    expect(await choose('500,00', '')).toEqual(['AgentAuthorized', 'cap 50000']);
    expect(chosenOn(await browser.get(authorizeUrl()))).toBe('500,00');
    expect(fieldOf(await browser.get(authorizeUrl())).value).toBe('');
    expect(await choose('1.000,00', '1000')).toEqual(['AgentAuthorized', 'cap 100000']);
    expect(await choose('typed', '750')).toEqual(['AgentAuthorized', 'cap 75000']);
    expect(chosenOn(await browser.get(authorizeUrl()))).toBe('typed');
    expect(fieldOf(await browser.get(authorizeUrl())).value).toBe('750,00');
    expect(await choose('', '')).toEqual(['AgentAuthorized', 'no cap']);
    expect(chosenOn(await browser.get(authorizeUrl()))).toBe('');
  });

  it.each([
    ['', '750,00'],
    ['1.000,00', '500,00'],
    ['500,00', 'mil'],
  ])('is asked for again where %j is chosen and %j is typed beside it, as what is typed', async (choice, typed) => {
    let back: Received | undefined;
    const torn = () => consent({ 'cap-choice': choice, cap: typed });
    expect(await since(async () => (back = await torn()))).toEqual([]);
    expect(back).toMatchObject({ status: 422, body: expect.stringContaining('outra opção marcada') });
    expect([chosenOn(back ?? { body: '' }), fieldOf(back ?? { body: '' })]).toEqual([
      'typed',
      { value: typed, isRefused: true },
    ]);
  });

  it('is asked for again where it is to be typed and nothing is', async () => {
    let back: Received | undefined;
    expect(await since(async () => (back = await consent({ 'cap-choice': 'typed', cap: ' ' })))).toEqual([]);
    expect(back).toMatchObject({ status: 422, body: expect.stringContaining('Não entendemos o limite') });
    expect(chosenOn(back ?? { body: '' })).toBe('typed');
  });

  it('is raised or removed only after a recent login; any session may let the agent in under it', async () => {
    await consent({ cap: '100' });
    server.clock.advance(RECENT_LOGIN + 1_000);
    for (const cap of ['100,01', '']) {
      let answer: Received | undefined;
      expect(await since(async () => (answer = await consent({ cap })))).toEqual([]);
      expect(answer).toMatchObject({ status: 403, body: expect.stringContaining('Confirme que é você') });
    }
    expect(await since(() => consent({ cap: '100' }))).toEqual(['AgentAuthorized']);
    expect(await since(() => consent({ cap: '90' }))).toEqual(['AgentAuthorized', 'cap 9000']);

    const loginForm = await consent({ cap: '500' });
    const entered = await browser.post(formTo(loginForm, '/oauth/login'), {
      username: 'bruno@example.com',
      password: PASSWORD,
    });
    const again = formTo(await browser.get(locationOf(entered).pathname), '/oauth/consent');
    const decided = () => browser.post(again, { decision: 'approve', cap: '500' });
    expect(await since(decided)).toEqual(['AgentAuthorized', 'cap 50000']);
  });
});

/** The mode that is checked on a page; undefined: it offers none. */
const modeOn = ({ body }: { readonly body: string }) =>
  /<input type="radio" name="mode" value="([^"]*)" checked/.exec(body)?.[1];

describe('the choice on the consent page to be asked for each mandate (rule 31)', () => {
  const scope = { scope: 'mandate:create' };
  beforeEach(() => consent({ mode: 'agent' }));

  it('is offered for an agent that may open mandates, as it is in force', async () => {
    expect(modeOn(await browser.get(authorizeUrl()))).toBeUndefined();
    expect(modeOn(await browser.get(authorizeUrl(scope)))).toBe('agent');
    expect(await since(() => consent({ mode: 'ask' }, scope))).toEqual(['AgentAuthorized', 'asks first']);
    expect(modeOn(await browser.get(authorizeUrl(scope)))).toBe('ask');
    expect(await since(() => consent({ mode: 'ask' }, scope))).toEqual(['AgentAuthorized']);
  });

  it('stays as it is where the form says nothing of it, or nothing known', async () => {
    await consent({ mode: 'ask' }, scope);
    expect(await since(() => consent({}, scope))).toEqual(['AgentAuthorized']);
    expect(await since(() => consent({ mode: 'nunca' }, scope))).toEqual(['AgentAuthorized']);
    expect(await since(() => consent({ decision: 'deny', mode: 'agent' }, scope))).toEqual([]);
  });

  it('is kept on a page that asks again', async () => {
    const again = await consent({ cap: 'dez', mode: 'ask' }, scope);
    expect([again.status, modeOn(again)]).toEqual([422, 'ask']);
  });

  it('is declined for an agent that is new only after a recent login, and taken up in any session', async () => {
    const change = { ...scope, client_id: 'app-publico' };
    const other = delegations.streamOf({ ...agent, clientId: 'app-publico' });
    server.clock.advance(RECENT_LOGIN + 1_000);
    let answer: Received | undefined;
    expect(await since(async () => (answer = await consent({ mode: 'agent' }, change)), other)).toEqual([]);
    expect(answer).toMatchObject({ status: 403, body: expect.stringContaining('Confirme que é você') });
    expect(await since(() => consent({ mode: 'ask' }, change), other)).toEqual(['AgentAuthorized', 'asks first']);
  });

  it('is given up only after a recent login, and taken up in any session', async () => {
    expect(await since(() => consent({ mode: 'ask' }, scope))).toEqual(['AgentAuthorized', 'asks first']);
    server.clock.advance(RECENT_LOGIN + 1_000);
    let answer: Received | undefined;
    expect(await since(async () => (answer = await consent({ mode: 'agent' }, scope)))).toEqual([]);
    expect(answer).toMatchObject({ status: 403, body: expect.stringContaining('Confirme que é você') });
    expect(await since(() => consent({ mode: 'ask' }, scope))).toEqual(['AgentAuthorized']);
  });
});
