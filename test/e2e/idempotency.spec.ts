import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IDEMPOTENCY } from '#http';
import { LEDGER } from '#payment';
import type { Answer, Api } from '../../apps/cli/src/agent/index.js';
import type { Booking, List, Mandate, Order, Refused } from '../support/answers.js';
import { bodyOf, book, brl, buy, DECLINED_CARD, GOOD_CARD, grant, mandateNow, TRIP, TRIP_PRICE } from '../support/purchase.js';
import { letPass } from '../support/service.js';
import { openSetting, type Setting } from '../support/setting.js';

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting({ LIMIT_REFUSED_CARDS: '0' });
});
afterAll(() => setting.close());

let keys = 0;
const newKey = (): string => `chave-${(keys += 1)}`;

const post = <Body>(api: Api, path: string, body: unknown, key: string): Promise<Answer<Body>> =>
  api.call<Body>('POST', path, body, { 'idempotency-key': key });

/** What a client sees of an answer, and whether it was given before. */
const seen = ({ status, headers, body }: Answer<unknown>) => ({
  status,
  body,
  location: headers.get('location'),
  replayed: headers.get('idempotent-replayed'),
});
const again = (first: Answer<unknown>) => ({ ...seen(first), replayed: 'true' });
const refusal = ({ status, body }: Answer<Partial<Refused>>): string => `${status} ${body.error ?? ''}`;

const countOf = async (api: Api, path: string): Promise<number> => bodyOf(await api.get<List<unknown>>(path), 200).count;
const charges = (): Promise<number> => setting.service.parts.documents.count(LEDGER.name, { where: [] });
const orderOf = ({ id: bookingId }: Booking, { id: mandateId }: Mandate, payment: object = GOOD_CARD) => ({
  bookingId,
  mandateId,
  payment,
});

describe('POST with one Idempotency-Key twice (rule 21)', () => {
  it('makes one booking, and shows it as it was first, also after a change', async () => {
    const { ana } = setting;
    const key = newKey();
    const count = await countOf(ana, '/bookings');
    const first = await post<Booking>(ana, '/bookings', TRIP, key);
    expect(seen(first)).toMatchObject({ status: 201, replayed: null });
    bodyOf(await ana.call('PATCH', `/bookings/${first.body.id}`, { passengers: 3 }), 200);
    expect(seen(await post(ana, '/bookings', TRIP, key))).toEqual(again(first));
    expect(await countOf(ana, '/bookings')).toBe(count + 1);
  });

  it('makes one booking without a body', async () => {
    const key = newKey();
    const first = await post(setting.ana, '/bookings', undefined, key);
    expect(seen(await post(setting.ana, '/bookings', undefined, key))).toEqual(again(first));
    expect(refusal(await post(setting.ana, '/bookings', {}, key))).toBe('422 idempotency_conflict');
  });

  it('makes one mandate, and shows it as it was first, also spent and revoked', async () => {
    const { ana } = setting;
    const key = newKey();
    const count = await countOf(ana, '/mandates');
    const first = await post<Mandate>(ana, '/mandates', { limit: brl(TRIP_PRICE * 2) }, key);
    await buy(ana, await book(ana), first.body);
    bodyOf(await ana.call('DELETE', `/mandates/${first.body.id}`), 200);
    expect(seen(await post(ana, '/mandates', { limit: brl(TRIP_PRICE * 2) }, key))).toEqual(again(first));
    expect(await countOf(ana, '/mandates')).toBe(count + 1);
  });

  it('places one order and charges it once', async () => {
    const { ana } = setting;
    const [booking, mandate] = [await book(ana), await grant(ana, TRIP_PRICE * 2)];
    const key = newKey();
    const before = await charges();
    const first = await post<Order>(ana, '/orders', orderOf(booking, mandate), key);
    expect(seen(first)).toMatchObject({ status: 201, location: first.body.url, replayed: null });
    expect(seen(await post(ana, '/orders', orderOf(booking, mandate), key))).toEqual(again(first));
    expect(refusal(await post(ana, '/orders', orderOf(booking, mandate), newKey()))).toBe('409 booking_already_ordered');
    expect(await charges()).toBe(before + 1);
    expect((await mandateNow(ana, mandate)).consumed).toEqual(brl(TRIP_PRICE));
  });

  it('answers the first decline again, and charges the next card under another key', async () => {
    const { ana } = setting;
    const [booking, mandate] = [await book(ana), await grant(ana, TRIP_PRICE)];
    const key = newKey();
    const before = await charges();
    const declined = () => post<Refused>(ana, '/orders', orderOf(booking, mandate, DECLINED_CARD), key);
    const first = await declined();
    const second = await declined();
    expect([refusal(first), refusal(second)]).toEqual(['402 payment_declined', '402 payment_declined']);
    expect([seen(first).replayed, seen(second).replayed]).toEqual([null, 'true']);
    expect(await charges()).toBe(before + 1);
    expect(refusal(await post(ana, '/orders', orderOf(booking, mandate), key))).toBe('422 idempotency_conflict');
    bodyOf(await post(ana, '/orders', orderOf(booking, mandate), newKey()), 201);
  });

  it('forgets what was refused: the same key serves the corrected request', async () => {
    const { ana } = setting;
    const key = newKey();
    expect(refusal(await post(ana, '/bookings', { ...TRIP, flightNumber: 'AL0000' }, key))).toBe('422 invalid_flight');
    bodyOf(await post(ana, '/bookings', TRIP, key), 201);
    const [booking, small] = [await book(ana), await grant(ana, TRIP_PRICE - 1)];
    const orderKey = newKey();
    const tooMuch = await post<Refused>(ana, '/orders', orderOf(booking, small), orderKey);
    expect(refusal(tooMuch)).toBe('422 mandate_limit_exceeded');
    bodyOf(await post(ana, '/orders', orderOf(booking, await grant(ana, TRIP_PRICE)), orderKey), 201);
  });

  it('asks the traveller once: a challenge releases the key, and the retry stands before the same challenge', async () => {
    const { ana } = setting;
    const [booking, mandate] = [await book(ana), await grant(ana, TRIP_PRICE)];
    const key = newKey();
    const challenged = { ...GOOD_CARD, cardNumber: '4000000000003220' };
    const ask = () =>
      post<Refused & { challenge: { id: string } }>(ana, '/orders', orderOf(booking, mandate, challenged), key);
    const [first, second] = [await ask(), await ask()];
    expect([refusal(first), refusal(second)]).toEqual(Array(2).fill('402 payment_challenge_required'));
    expect(second.body.challenge).toEqual(first.body.challenge);
    expect(seen(second).replayed).toBeNull();
  });
});

describe('requests with one Idempotency-Key at once (rule 21)', () => {
  it('charge once: of 20 orders one is placed, the others are in flight or shown the first answer', async () => {
    const { ana } = setting;
    const [booking, mandate] = [await book(ana), await grant(ana, TRIP_PRICE * 20)];
    const key = newKey();
    const before = await charges();
    const orders = Array.from({ length: 20 }, () => post<Order>(ana, '/orders', orderOf(booking, mandate), key));
    const answers = await Promise.all(orders);
    const first = answers.find((answer) => answer.status === 201 && seen(answer).replayed === null);
    for (const answer of answers) {
      if (answer === first) continue;
      if (answer.status === 201) expect(seen(answer)).toEqual(first && again(first));
      else {
        expect(refusal(answer)).toBe('409 idempotency_in_flight');
        expect(answer.headers.get('retry-after')).toBe('1');
      }
    }
    expect(await charges()).toBe(before + 1);
    expect((await mandateNow(ana, mandate)).consumed).toEqual(brl(TRIP_PRICE));
  });

  it('make one booking and one mandate', async () => {
    const { ana } = setting;
    for (const [path, body] of [
      ['/bookings', TRIP],
      ['/mandates', { limit: brl(100) }],
    ] as const) {
      const count = await countOf(ana, path);
      const key = newKey();
      await Promise.all(Array.from({ length: 20 }, () => post(ana, path, body, key)));
      expect(await countOf(ana, path)).toBe(count + 1);
    }
  });
});

describe('an Idempotency-Key (rule 21)', () => {
  it('belongs to one holder, client and path', async () => {
    const { ana, bruno, otherOfAna } = setting;
    const key = newKey();
    const bookings = [
      await post<Booking>(ana, '/bookings', TRIP, key),
      await post<Booking>(bruno, '/bookings', { ...TRIP, passengers: 2 }, key),
      await post<Booking>(otherOfAna, '/bookings', { ...TRIP, passengers: 3 }, key),
    ];
    const mandate = await post<Mandate>(ana, '/mandates', { limit: brl(TRIP_PRICE) }, key);
    expect([...bookings, mandate].map((answer) => seen(answer))).toEqual(
      Array(4).fill(expect.objectContaining({ status: 201, replayed: null })),
    );
    expect(new Set(bookings.map(({ body }) => body.id)).size).toBe(3);
  });

  it.each([
    ['empty', ''],
    ['with a space in it', 'a b'],
    ['not ASCII', 'ação'],
    ['of 256 characters', 'x'.repeat(256)],
  ])('is refused %s, before anything is created', async (_, key) => {
    const { ana } = setting;
    const count = await countOf(ana, '/bookings');
    expect(refusal(await post(ana, '/bookings', TRIP, key))).toBe('400 invalid_idempotency_key');
    expect(await countOf(ana, '/bookings')).toBe(count);
  });

  it('is judged after the token and the scopes, before the body; its record after the body', async () => {
    const { ana, anyone, readerOfAna } = { ...setting, readerOfAna: await agentAt(setting.origin, READER) };
    expect(refusal(await post(anyone, '/bookings', TRIP, 'a b'))).toBe('401 token_missing');
    expect(refusal(await post(readerOfAna, '/bookings', TRIP, 'a b'))).toBe('403 insufficient_scope');
    expect(refusal(await post(ana, '/bookings', { passengers: 0 }, 'a b'))).toBe('400 invalid_idempotency_key');
    const key = newKey();
    await post(ana, '/bookings', TRIP, key);
    expect(refusal(await post(ana, '/bookings', { passengers: 0 }, key))).toBe('422 invalid_passengers');
  });

  it('leaves a record without card, key, token, person or address', async () => {
    const { ana } = setting;
    const key = newKey();
    const [booking, mandate] = [await book(ana), await grant(ana, TRIP_PRICE)];
    const buyer = { name: 'Ana Souza', document: '123.456.789-09' };
    const placed = bodyOf(await post<Order>(ana, '/orders', { ...orderOf(booking, mandate), buyer }, key), 201);
    const file = new Database(join(setting.folder, 'documents.db'), { readonly: true });
    const rows = file.prepare(`SELECT * FROM "${IDEMPOTENCY.name}"`).all();
    file.close();
    const record = rows.map((row) => JSON.stringify(row)).find((row) => row.includes(placed.id));
    expect(record).toContain('{base_url}/orders/');
    for (const secret of [key, '4242 4242', '4242424242424242', '12/30', '123', 'Ana', 'http', 'Bearer', 'eyJ']) {
      expect(record).not.toContain(secret);
    }
  });

  it('is forgotten after 24 hours', async () => {
    const key = newKey();
    const first = bodyOf(await post<Booking>(setting.ana, '/bookings', TRIP, key), 201);
    letPass(setting.service, 86_400_000);
    const later = await agentAt(setting.origin); // the token of yesterday has expired
    const next = bodyOf(await post<Booking>(later, '/bookings', {}, key), 201);
    expect(next.id).not.toBe(first.id);
  });
});
