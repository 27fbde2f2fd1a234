import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tokens } from '#agent';
import { agentAt, ANA, apiAt, PILOT, tokensFor } from '../support/agent.js';
import { bodyOf, book, giveBack, GOOD_CARD, grant, laterTrip, order, TRIP_PRICE } from '../support/purchase.js';
import type { Mandate, Order } from '../support/answers.js';
import { startKilledProcess, startProcess } from '../support/real-process.js';
import { ownFolder } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it reads the files of a folder');

const CARD = { ...GOOD_CARD, cardNumber: '5555 5555 5555 4444', cvc: '9731', expiry: '11/37' };
const DECLINED = { ...CARD, cardNumber: '4000-0000-0000-0002' };
const BUYER = { name: 'Ana Secreta', document: '321.654.987-00' };
const WHO = {
  travellers: [{ givenName: 'Ana Secreta', familyName: 'Sá', document: { type: 'RG', number: '321.654.987-00' } }],
  contact: { email: 'ana@secreta.example' },
};
const METADATA = { viagem: 'Ana Secreta e família', 'Ana Secreta': 'vip' };

const folder = ownFolder();
let tokens: Tokens;
/** What became of its orders: the ids that it should have logged, and the cents that came back. */
let bought: { readonly order: string; readonly booking: string; readonly mandate: string; readonly refund: number };
/** What recovery ended. */
let recovered: typeof tooDear;
let tooDear: { readonly booking: string; readonly mandate: string };
let lines: readonly Readonly<Record<string, unknown>>[];
/** Everything the process wrote: the log, and the banner, which tells the demo's public secrets. */
let log: string;
/** The bytes of each file of the data folder, once the process has ended and once while it ran. */
const files = new Map<string, Buffer>();

const keepFiles = async (when: string): Promise<void> => {
  for (const one of await readdir(folder, { withFileTypes: true }))
    if (one.isFile()) files.set(`${one.name} ${when}`, await readFile(join(folder, one.name)));
};

/** A process that saw a purchase, a declined card, a refusal and requests that are wrong in every way. */
beforeAll(async () => {
  const doomed = await startKilledProcess(folder, 'before append OrderPaid');
  const early = await agentAt(doomed.origin);
  const left = { booking: await book(early, laterTrip()), mandate: await grant(early, TRIP_PRICE) };
  await expect(order(early, left.booking, left.mandate)).rejects.toThrow();
  await doomed.ended;
  recovered = { booking: left.booking.id, mandate: left.mandate.id };
  const service = await startProcess(folder, { LOG_LEVEL: 'trace' });
  tokens = await tokensFor(service.origin);
  const api = apiAt(service.origin, tokens.access_token);
  const mandate = await grant(api, TRIP_PRICE, { metadata: METADATA });
  const booking = await book(api, { ...laterTrip(), ...WHO, metadata: METADATA });
  bodyOf(await api.call('PATCH', `/bookings/${booking.id}`, { metadata: { outra: 'Ana Secreta' } }), 200);
  bodyOf(await api.post('/bookings', { metadata: { 'Ana Secreta': 'x'.repeat(501) } }), 422);
  bodyOf(await api.post('/bookings', { travellers: [WHO.travellers[0], { givenName: 'Ana Secreta\u202e' }] }), 422);
  await order(api, booking, mandate, DECLINED);
  const request = { bookingId: booking.id, mandateId: mandate.id, buyer: BUYER, payment: CARD, metadata: METADATA };
  const key = { 'idempotency-key': 'compra-1' };
  const paid = await api.call<Order>('POST', '/orders', request, { ...key, 'x-request-id': 'pedido-8' });
  bodyOf(await api.call('POST', '/orders', request, key), 201); // the kept answer
  const { id } = bodyOf(paid, 201);
  bought = { order: id, booking: booking.id, mandate: mandate.id, refund: await giveBack(api, { id } as Order) };
  const another = await book(api, { ...laterTrip(), ...WHO });
  tooDear = { booking: another.id, mandate: (await grant(api, 100)).id };
  bodyOf(await order(api, another, { id: tooDear.mandate } as Mandate), 422);
  bodyOf(await order(api, another, { id: 'Ana Secreta' } as Mandate), 422);
  const { cardNumber, cvc } = CARD;
  await api.get(`/bookings?cardNumber=${encodeURIComponent(cardNumber)}&cvc=${cvc}`);
  await api.get(`/bookings/${encodeURIComponent(cardNumber)}`);
  await api.get(`/${tokens.access_token}`);
  await api.post('/orders', `{"cardNumber":"${cardNumber}","cvc":"${cvc}",`);
  await api.call('GET', '/bookings/1', undefined, { 'x-request-id': 'pedido-7' });
  await apiAt(service.origin, `${tokens.access_token}x`).get('/bookings');
  await fetch(`${service.origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'nenhum', client_secret: PILOT.secret }),
  });
  await keepFiles('while it runs');
  await service.end('SIGTERM');
  await keepFiles('after its end');
  log = service.stdout();
  lines = log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
});

describe('the log', () => {
  it('has one JSON line a request: its id, that of the events it wrote, operation, status, milliseconds and client', () => {
    const requests = lines.filter(({ msg }) => msg === 'request');
    expect(requests.find(({ reqId }) => reqId === 'pedido-7')).toEqual({
      level: 30,
      time: expect.stringMatching(/Z$/),
      reqId: 'pedido-7',
      correlation: expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      operation: 'GET /api/v1/bookings/:id',
      status: 404,
      ms: expect.any(Number),
      client: 'alcada-pilot',
      msg: 'request',
    });
    const count = (operation: string, status: number) =>
      requests.filter((line) => line['operation'] === operation && line['status'] === status).length;
    expect(count('POST /api/v1/orders', 201)).toBe(2);
    expect(count('POST /api/v1/orders', 402)).toBe(1);
    expect(count('POST /api/v1/orders', 400)).toBe(1);
    expect(count('GET /api/v1/bookings', 401)).toBe(1);
    expect(count('POST /oauth/login', 303)).toBe(1);
    expect(count('unmatched', 404)).toBe(1);
    expect(new Set(requests.map(({ reqId }) => reqId)).size).toBe(requests.length);
  });

  it('has one line an order paid, refused or cancelled, of its request or of recovery, with ids and amount alone; none for a kept answer', () => {
    const [some, unknown] = [expect.stringMatching(/./), undefined];
    const line = { level: 30, time: some, correlation: some, client: 'alcada-pilot', currency: 'BRL' };
    const { refund, ...ids } = bought;
    const price = { ...line, amount: TRIP_PRICE, reqId: some };
    expect(lines.filter(({ msg }) => String(msg).startsWith('order '))).toEqual([
      { ...price, ...recovered, order: some, reqId: unknown, msg: 'order paid' },
      {
        ...price,
        ...ids,
        order: expect.not.stringMatching(ids.order),
        reason: 'payment_declined',
        msg: 'order refused',
      },
      { ...price, ...ids, reqId: 'pedido-8', msg: 'order paid' },
      { ...price, ...ids, amount: refund, msg: 'order cancelled' },
      { ...price, ...tooDear, reason: 'mandate_limit_exceeded', msg: 'order refused' },
      { ...price, ...tooDear, mandate: unknown, reason: 'invalid_mandate', msg: 'order refused' },
    ]);
    for (const { reqId, correlation, msg } of lines)
      if (String(msg).startsWith('order ') && reqId !== undefined)
        expect(lines.filter((one) => one['msg'] === 'request' && one['reqId'] === reqId)).toMatchObject([
          { correlation },
        ]);
  });

  it('ends with what says that it ends', () =>
    expect(lines.slice(-2)).toMatchObject([{ msg: 'stopping' }, { msg: 'stopped' }]));

  it('has no client where nobody was verified', () =>
    expect(lines.find(({ status }) => status === 401)).not.toHaveProperty('client'));
});

describe('nothing that is secret', () => {
  const secrets = () => ({
    'the card number': /5555[ -]?5555[ -]?5555[ -]?4444|4000-?0000-?0000-?0002/,
    'the cvc': /["=]9731\b|"cvc"/,
    'the expiry': /11\/37/,
    'the access token': new RegExp(tokens.access_token.slice(-40)),
    'the refresh token': new RegExp(tokens.refresh_token.slice(-40)),
    'the password': new RegExp(ANA.password),
    'the client secret': new RegExp(PILOT.secret),
  });

  it('is in the log, nor the e-mail, nor who bought', () => {
    for (const [name, secret] of Object.entries(secrets()))
      expect([name, secret.exec(log)?.[0]]).toEqual([name, undefined]);
    expect(log).not.toMatch(/ana@(?:secreta\.)?example|Ana Secreta|321\.654/);
  });

  it('is in any file of the data folder', () => {
    expect(files.size).toBeGreaterThanOrEqual(6);
    for (const [file, bytes] of files) {
      const text = bytes.toString('latin1');
      for (const [name, secret] of Object.entries(secrets()))
        expect([file, name, secret.exec(text)?.[0]]).toEqual([file, name, undefined]);
    }
  });

  it('about people is in the event log or the read models (rule 27)', () => {
    for (const [file, bytes] of files) {
      if (!/^(events|read-models)/.test(file)) continue;
      expect([file, /ana@(?:secreta\.)?example|Ana Secreta|321\.654/.exec(bytes.toString('latin1'))]).toEqual([
        file,
        null,
      ]);
    }
  });

  it('is missed by this search: what was kept of the card is found', () => {
    const found = [...files].filter(([, bytes]) => bytes.includes('"last4":"4444"')).map(([file]) => file);
    expect(found).toEqual(expect.arrayContaining(['documents.db after its end', 'events.db after its end']));
  });
});
