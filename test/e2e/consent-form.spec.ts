import { authorizationUrl, Browser, discover, pkce, type ServerMetadata } from '#agent';
import type { Constraints } from '#events';
import { type Currency, type Money } from '#kernel';
import { capOf, delegations, mandates, mustAsk } from '#mandate';
import { moneyText } from '#site';
import fc from 'fast-check';
import { ANA, PILOT, PURCHASE } from '../support/agent.js';
import { ServiceUnderTest } from '../support/service-under-test.js';
import { swept } from '../support/sweep.js';

const CALLBACK = 'http://127.0.0.1:8765/callback';
const tested = new ServiceUnderTest({ LIMIT_OPEN_MANDATES: '0' });
type Page = Awaited<ReturnType<Browser['open']>>;
type Fields = Readonly<Record<string, string>>;

const ask = (
  amount: number,
  currency: Currency = 'BRL',
  more: { readonly constraints?: Constraints } = {},
): { readonly constraints?: Constraints } => ({
  ...{ type: 'payment_mandate', limit: { amount, currency }, durationMinutes: 60 },
  ...more,
});
/** What an agent may ask for that may open mandates: nothing by name, one, or several of two currencies. */
const REQUESTS = [
  [],
  [ask(700_00)],
  [ask(250_00, 'BRL', { constraints: { to: ['REC', 'SSA', 'GRU', 'CGH'], maxOrders: 3 } })],
  [ask(300_00), ask(20_00, 'USD', { constraints: { from: ['GRU'], to: ['REC'] } }), ask(45_50)],
] as const;

let server: ServerMetadata;
let browser: Browser;
/** One that is registered, and one that nobody knows. */
let clients: readonly string[];
let holder: string;

const open = (clientId: string, details: readonly object[]): Promise<Page> => {
  const request = { scopes: PURCHASE, state: 'estado', challenge: pkce().challenge };
  const named = details.length > 0 && { details };
  const client = { clientId, secret: null, redirectUri: CALLBACK };
  return browser.open(authorizationUrl(server, client, { ...request, ...named }));
};

const send = (fields: Fields): Promise<Page> =>
  browser.open('/oauth/consent', { method: 'POST', body: new URLSearchParams(fields) });

beforeAll(async () => {
  server = await discover(tested.origin);
  browser = new Browser(tested.origin);
  const metadata = { client_name: 'Ninguém', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(metadata);
  const registered = await fetch(`${tested.origin}/oauth/register`, { method: 'POST', headers, body });
  clients = [PILOT.clientId, ((await registered.json()) as { readonly client_id: string }).client_id];
  const login = await open(PILOT.clientId, []);
  await browser.submit(await browser.submit(login, { username: ANA.email, password: ANA.password }), {
    decision: 'approve',
  });
  for await (const { type, data } of tested.service.dependencies.events.readAll(null))
    if (type === 'AgentAuthorized') holder = String(data['holder']);
});

const attribute = (tag: string, name: string): string | undefined => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];

/** The consent form as a browser without scripts has it: what it sends as it stands, and what can be entered in it. */
const formOn = ({ html }: Page) => {
  const [form = ''] = /<form[^>]*action="\/oauth\/consent"[\s\S]*?<\/form>/.exec(html) ?? [];
  const sent: Record<string, string> = {};
  /** By name; null: anything can be typed. */
  const controls = new Map<string, readonly string[] | null>();
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const [name = '', value = ''] = [attribute(tag, 'name'), attribute(tag, 'value')];
    if (/\sdisabled\b/.test(tag)) continue;
    const isRadio = attribute(tag, 'type') === 'radio';
    if (!isRadio || /\schecked\b/.test(tag)) sent[name] = value;
    if (!/\shidden\b|type="hidden"/.test(tag))
      controls.set(name, isRadio ? [...(controls.get(name) ?? []), value] : null);
  }
  /** What is read of an option of a list, by the list's name and the option's value. */
  const texts = new Map<string, string>();
  for (const [, name = '', inside = ''] of form.matchAll(/<select[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)) {
    sent[name] = /value="([^"]*)" selected/.exec(inside)?.[1] ?? '';
    const options = [...inside.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)</g)];
    controls.set(
      name,
      options.map(([, value = '']) => value),
    );
    for (const [, value = '', text = ''] of options) texts.set(`${name} ${value}`, text);
  }
  const steps = [...form.matchAll(/name="step"\s+value="([^"]*)"/g)].map(([, value = '']) => value);
  const [, label = ''] = /value="approve">([\s\S]*?)<\/button>/.exec(form) ?? [];
  return { sent, controls: [...controls], texts, steps, button: label.replace(/<[^>]*>/g, '').trim() };
};

/** What the log has of the delegation to an agent: its state, how long it is, and what was opened in it since. */
const logged = async (clientId: string, since = 0) => {
  const { aggregates, events } = tested.service.dependencies;
  const opened: Money[] = [];
  const constraints: Constraints[] = [];
  let length = 0;
  for await (const stored of events.readStream(delegations.streamOf({ holder, clientId }))) {
    const event = delegations.decode(stored);
    length += 1;
    if (event.type !== 'MandateOpened' || length <= since) continue;
    opened.push(event.data.limit);
    const { state: mandate } = await aggregates.load(mandates, event.data.mandateId);
    if (mandate.kind === 'granted') constraints.push(mandate.constraints);
  }
  const { state } = await aggregates.load(delegations, { holder, clientId });
  return { state, opened, constraints, length };
};

/** What was granted since, in the button's words: the log is asked, and nothing of the page. */
const grantedSince = async (
  clientId: string,
  { state: then, length: before }: Awaited<ReturnType<typeof logged>>,
  isNamed: boolean,
): Promise<string> => {
  const { state, opened } = await logged(clientId, before);
  const cap = capOf(state)?.limit ?? null;
  const capThen = capOf(then)?.limit ?? null;
  const isLooser = capThen !== null && (cap === null || cap.amount > capThen.amount);
  const isLet = !mustAsk(state) && (mustAsk(then) || isLooser || !isNamed);
  if (isLet && cap === null) return 'Autorizar sem limite';
  if (isLet || !isNamed) return cap ? `Autorizar ${moneyText(cap)}` : 'Autorizar';
  const sums = new Map<Currency, number>();
  for (const { amount, currency } of opened) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  const texts = [...sums].map(([currency, amount]) => moneyText({ amount, currency }));
  return `Autorizar ${new Intl.ListFormat('pt-BR').format(texts)}`;
};

/** What each mandate may be spent on, as the form reads that was sent: a city by the airports in its option's text. */
const constraintsSaid = (
  details: readonly object[],
  { sent, texts }: Pick<ReturnType<typeof formOn>, 'sent' | 'texts'>,
) =>
  details.map((detail, place) => {
    const { constraints: asked = {} } = detail as { readonly constraints?: Constraints };
    const said: { from?: readonly string[]; to?: readonly string[]; maxOrders?: number } = { ...asked };
    for (const end of ['from', 'to'] as const) {
      const name = `${end}-${place + 1}`;
      const airports = sent[name] && /\((.*)\)/.exec(texts.get(`${name} ${sent[name]}`) ?? '')?.[1]?.split(', ');
      if (!airports) continue;
      const wider = asked[end] ? airports.filter((code) => !asked[end]?.includes(code)) : [];
      expect(wider).toEqual([]);
      said[end] = airports;
    }
    if (sent[`orders-${place + 1}`] === '1') said.maxOrders = 1;
    return said;
  });

/** What else a form may say, so that no amount is refused for what came before. */
const ALONE = { mode: 'ask', 'cap-choice': '', cap: '' };
const typed = fc.constantFrom(
  '',
  '0',
  '1',
  '12,5',
  '45.50',
  '300',
  '500,00',
  '700,00',
  '1.000',
  '99999',
  'mil',
  '1,5.0',
);
const turn = fc.record({
  edits: fc.array(fc.record({ control: fc.nat(), value: fc.nat(), typed }), { maxLength: 4 }),
  press: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat() }),
});
const AS_IT_STANDS = { edits: [], press: null };
const life = fc.record({
  agent: fc.constantFrom(0, 1),
  before: fc.record({ mode: fc.constantFrom('ask', 'agent'), cap: fc.constantFrom('', '400', '50.000') }),
  details: fc.constantFrom(...REQUESTS),
  turns: fc.array(turn, { minLength: 1, maxLength: 5 }),
});

/** Lets an agent in, whatever it was let do before. */
const letIn = async (clientId: string, how: { readonly mode: string; readonly cap: string }): Promise<void> => {
  const { sent } = formOn(await open(clientId, []));
  const asked = { csrf: sent['csrf'] ?? '', request: sent['request'] ?? '', ...how, confirm: 'ending' };
  expect((await send({ ...asked, decision: 'approve' })).status).toBe(0);
};

describe('the button of the consent page', () => {
  it('says what is granted, whatever is entered in whatever order, and pressed without a script', async () => {
    let granted = 0;
    const lives = fc.asyncProperty(life, async ({ agent, before, details, turns }) => {
      const clientId = clients[agent] ?? '';
      await letIn(clientId, before);
      let page = await open(clientId, details);
      // The page that asks once more carries what was chosen, and has no list to read it in.
      const read = new Map<string, string>();
      for (const { edits, press } of [...turns, AS_IT_STANDS, AS_IT_STANDS]) {
        const { sent, controls, texts, steps, button } = formOn(page);
        for (const [option, text] of texts) read.set(option, text);
        for (const { control, value, typed: text } of edits) {
          const [name, values] = controls[control % Math.max(1, controls.length)] ?? [];
          if (name !== undefined) sent[name] = values ? (values[value % values.length] ?? '') : text;
        }
        const step = press === null ? undefined : steps[press % Math.max(1, steps.length)];
        const then = await logged(clientId);
        page = await send({ ...sent, ...(step === undefined ? { decision: 'approve' } : { step }) });
        if (page.status === 0) {
          expect(step).toBeUndefined();
          expect({ sent, button }).toEqual({ sent, button: await grantedSince(clientId, then, details.length > 0) });
          const { constraints } = await logged(clientId, then.length);
          expect({ sent, constraints }).toEqual({ sent, constraints: constraintsSaid(details, { sent, texts: read }) });
          granted += 1;
          return;
        }
        expect([200, 422]).toContain(page.status);
        expect((await logged(clientId)).length).toBe(then.length);
      }
    });
    await fc.assert(lives, { numRuns: swept({ short: 20, middle: 150, full: 1_000 }) });
    expect(granted).toBeGreaterThan(0);
  });

  it('is compared with what is sent, where that says what it said', async () => {
    // One that decides by itself already would be granted no more by that.
    await letIn(PILOT.clientId, { mode: 'ask', cap: '' });
    const { sent } = formOn(await open(PILOT.clientId, [ask(700_00)]));
    expect(sent).toMatchObject({ shown: expect.any(String), 'limit-1': '700,00' });
    const approve = (fields: Fields) => send({ ...sent, ...ALONE, decision: 'approve', ...fields });
    const changes: readonly Fields[] = [
      { 'limit-1': '700,01' },
      { 'limit-1': '699,99' },
      { mode: 'agent' },
      { shown: '' },
    ];
    for (const fields of changes) {
      const { status, html } = await approve({ shown: '70000 BRL', ...fields });
      expect([status, html]).toEqual([200, expect.stringContaining('Nada foi autorizado ainda')]);
    }
    expect(formOn(await approve({ 'limit-1': '350' })).button).toBe('Autorizar R$\u00a0350,00');
    const { shown, ...older } = sent;
    expect([shown, (await send({ ...older, ...ALONE, 'limit-1': '350', decision: 'approve' })).status]).toEqual([
      shown,
      0,
    ]);
  });

  it.each([
    ['700,00', '+', '750,00'],
    ['700,00', '-', '650,00'],
    ['1.000,00', '+', '1.500,00'],
    ['1.000,00', '-', '950,00'],
    ['712,34', '+', '750,00'],
    ['1,00', '-', '1,00'],
    ['0,01', '-', '0,01'],
    ['10.000.000.000,00', '+', '10.000.000.000,00'],
    ['', '+', '500,00'],
  ])('comes back with another amount where %j has its %s pressed, and grants nothing', async (entry, way, next) => {
    const { sent } = formOn(await open(PILOT.clientId, [ask(700_00)]));
    const { length } = await logged(PILOT.clientId);
    const page = await send({ ...sent, ...ALONE, 'limit-1': entry, step: `limit-1 ${way}` });
    const { sent: now, button } = formOn(page);
    expect([page.status, now['limit-1'], button]).toEqual([200, next, `Autorizar R$\u00a0${next}`]);
    expect((await logged(PILOT.clientId)).length).toBe(length);
  });

  it('says a single purchase where the traveller narrows to that, which is then what is granted', async () => {
    const { sent } = formOn(await open(PILOT.clientId, [ask(700_00, 'BRL', { constraints: { maxOrders: 3 } })]));
    const { html } = await send({ ...sent, ...ALONE, 'orders-1': '1', step: 'look' });
    expect(html).toContain('em <strong>uma compra</strong>');
    const back = await send({ ...sent, ...ALONE, shown: '70000 BRL', 'orders-1': '1', decision: 'approve' });
    expect(back.url.searchParams.has('code')).toBe(true);
    let last: unknown;
    for await (const { type, data } of tested.service.dependencies.events.readAll(null))
      if (type === 'MandateCreated') last = data;
    expect(last).toMatchObject({ constraints: { maxOrders: 1 } });
  });

  it('grants one city where the traveller chooses it, and none that the form does not offer', async () => {
    const asked = [ask(700_00, 'BRL', { constraints: { to: ['REC', 'SSA'] } })];
    const { sent } = formOn(await open(PILOT.clientId, asked));
    const { length } = await logged(PILOT.clientId);
    const approve = (fields: Fields) => send({ ...sent, ...ALONE, shown: '70000 BRL', decision: 'approve', ...fields });
    for (const elsewhere of ['Lisboa', 'REC', '__proto__']) {
      const { status, html } = await approve({ 'to-1': elsewhere });
      expect([status, html]).toEqual([
        422,
        expect.stringContaining('Esta cidade não está entre as que você pode escolher'),
      ]);
    }
    const look = await send({ ...sent, ...ALONE, 'from-1': 'São Paulo', 'to-1': 'Recife', step: 'look' });
    expect(look.html.replace(/<[^>]*>/g, '')).toContain('voos de São Paulo para Recife');
    expect((await approve({ 'to-1': 'Recife' })).url.searchParams.has('code')).toBe(true);
    expect((await logged(PILOT.clientId, length)).constraints).toEqual([{ to: ['REC'] }]);
  });
});
