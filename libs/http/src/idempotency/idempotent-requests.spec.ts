import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ErrorCode, Refusal } from '#kernel';
import { openDesk } from './testing/desk.js';

let at: Awaited<ReturnType<typeof openDesk>>;
beforeEach(async () => {
  at = await openDesk();
});
afterEach(async () => {
  for (const { resume, answer } of paused.splice(0)) {
    resume();
    await answer;
  }
  await at.close();
});

/** The work is refused with `code`. */
const refuse = (code: ErrorCode, members?: object) => () =>
  Promise.reject(new Refusal(code, undefined, members && { members }));
const succeed = () => Promise.resolve();
const DAY = 86_400_000;
const paused: { readonly answer: Promise<unknown>; readonly resume: () => void }[] = [];

/** A request that stands still in its work until it is told to go on, at the latest by the end of the case. */
const pause = async (key: string, then: () => Promise<void> = succeed) => {
  let resume: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (resume = resolve));
  const stopped = new Promise<void>((resolve) => {
    at.desk.work = async () => {
      resolve();
      await gate;
      await then();
    };
  });
  const answer = at.post(key);
  paused.push({ answer, resume });
  await stopped;
  at.desk.work = succeed;
  return { answer, resume };
};

describe('a request with an Idempotency-Key (rule 21)', () => {
  it('is answered the same again, marked as replayed, whatever became of the resource', async () => {
    const first = await at.post('k1');
    at.desk.ended.clear();
    const second = await at.post('k1');
    expect(first).toMatchObject({ status: 201, replayed: null });
    expect(second).toEqual({ ...first, replayed: 'true' });
    expect(at.desk.started).toHaveLength(1);
  });

  it('creates each time without a key', async () => {
    await at.post(undefined);
    await at.post(undefined);
    expect(at.desk.started).toHaveLength(2);
    expect(await at.records()).toEqual([]);
  });

  it('is the same whatever the order of its members, and a conflict with another body', async () => {
    await at.post('k1', '{"item":"voo","note":[1,2]}');
    expect(await at.post('k1', '{ "note": [1.0, 2], "item": "voo" }')).toMatchObject({ status: 201, replayed: 'true' });
    expect(await at.post('k1', '{"item":"voo","note":[2,1]}')).toMatchObject({
      status: 422,
      error: 'idempotency_conflict',
    });
    await at.post('k2', null, { path: 'bookings' });
    expect(await at.post('k2', {}, { path: 'bookings' })).toMatchObject({ status: 422, error: 'idempotency_conflict' });
    expect(at.desk.started).toHaveLength(2);
  });

  it('stands for itself under another client, holder or path', async () => {
    await at.post('k1');
    for (const other of [{ token: 'ana/outro' }, { token: 'bruno/piloto' }, { path: 'bookings' }] as const) {
      expect(await at.post('k1', { item: 'outro' }, other)).toMatchObject({ status: 201, replayed: null });
    }
    expect(new Set(at.desk.started).size).toBe(4);
  });

  it('creates once when 20 are sent at once; the others are in flight', async () => {
    const { answer, resume } = await pause('k1');
    const others = await Promise.all(Array.from({ length: 19 }, () => at.post('k1')));
    resume();
    expect(await answer).toMatchObject({ status: 201 });
    for (const other of others) {
      expect(other).toMatchObject({ status: 409, error: 'idempotency_in_flight', retryAfter: '1' });
    }
    expect(at.desk.started).toHaveLength(1);
  });

  it('frees its key when it is refused: the next one starts anew, with any body', async () => {
    const codes = [
      'invalid_flight',
      'mandate_revoked',
      'rate_limited',
      'booking_not_found',
      'payment_challenge_required',
    ];
    for (const code of codes as ErrorCode[]) {
      at.desk.work = refuse(code);
      expect(await at.post('k1')).toMatchObject({ error: code });
      expect(await at.records()).toEqual([]);
    }
    at.desk.work = succeed;
    expect(await at.post('k1', { item: 'outro' })).toMatchObject({ status: 201, replayed: null });
    expect(new Set(at.desk.started).size).toBe(codes.length + 1);
  });

  it('is answered a final 402 again', async () => {
    at.desk.work = refuse('payment_declined', { order: { status: 'failed' } });
    const first = await at.post('k1');
    at.desk.work = succeed;
    const { body, ...second } = await at.post('k1');
    expect(second).toMatchObject({ status: 402, error: 'payment_declined', replayed: 'true' });
    expect(body).toMatchObject({ order: { status: 'failed' } });
    expect(first.replayed).toBeNull();
    expect(at.desk.started).toHaveLength(1);
  });

  it('keeps its id after a 5xx, and a retry starts under it at once', async () => {
    at.desk.work = refuse('service_unavailable');
    expect(await at.post('k1')).toMatchObject({ status: 503 });
    at.desk.work = () => Promise.reject(new Error('something broke'));
    expect(await at.post('k1')).toMatchObject({ status: 500 });
    at.desk.work = succeed;
    expect(await at.post('k1', { item: 'outro' })).toMatchObject({ error: 'idempotency_conflict' });
    expect(await at.post('k1')).toMatchObject({ status: 201, replayed: null });
    expect(at.desk.started).toHaveLength(3);
    expect(new Set(at.desk.started).size).toBe(1);
  });

  it('forgets after 24 hours, and a new record takes the place of the old one', async () => {
    await at.post('k1');
    at.clock.advance(DAY - 1);
    expect(await at.post('k1')).toMatchObject({ replayed: 'true' });
    at.clock.advance(1);
    expect(await at.post('k1', { item: 'outro' })).toMatchObject({ status: 201, replayed: null });
    expect(new Set(at.desk.started).size).toBe(2);
  });
});

describe('a retry of a request that was never answered (rule 21)', () => {
  it('waits for the end of the lease, and starts under the same id where nothing was created', async () => {
    await pause('k1');
    expect(await at.post('k1')).toMatchObject({ status: 409, error: 'idempotency_in_flight' });
    at.endLeases();
    expect(await at.post('k1')).toMatchObject({ status: 201, replayed: null });
    expect(at.desk.started).toHaveLength(2);
    expect(new Set(at.desk.started).size).toBe(1);
  });

  it('is answered what was created, without starting anything', async () => {
    await pause('k1');
    const [id = ''] = at.desk.started;
    at.desk.ended.set(id, { id, made: 7, url: `https://voos.example/api/v1/orders/${id}` });
    at.endLeases();
    const rebuilt = await at.post('k1');
    expect(rebuilt).toMatchObject({ status: 201, replayed: 'true', body: { id, made: 7 } });
    at.desk.ended.clear();
    expect(await at.post('k1')).toEqual(rebuilt);
    expect(at.desk.started).toHaveLength(1);
  });

  it('is answered the final 402 that it ended with', async () => {
    await pause('k1');
    const [id = ''] = at.desk.started;
    at.desk.ended.set(id, new Refusal('payment_declined'));
    at.endLeases();
    expect(await at.post('k1')).toMatchObject({ status: 402, error: 'payment_declined', replayed: 'true' });
    expect(at.desk.started).toHaveLength(1);
  });

  it('starts under a new id, written down before, where the first one was settled uncharged', async () => {
    await pause('k1');
    const [id = ''] = at.desk.started;
    at.desk.ended.set(id, new Refusal('service_unavailable'));
    at.endLeases();
    let written: readonly string[] = [];
    at.desk.work = async () => {
      written = (await at.records()).map(({ resourceId }) => resourceId);
    };
    expect(await at.post('k1')).toMatchObject({ status: 201, replayed: null });
    const [, renewed] = at.desk.started;
    expect(renewed).not.toBe(id);
    expect(written).toEqual([renewed]);
  });

  it('takes over alone: of 10 at once one starts', async () => {
    await pause('k1');
    at.endLeases();
    const retries = await Promise.all(Array.from({ length: 10 }, () => at.post('k1')));
    expect(at.desk.started).toHaveLength(2);
    const accepted = retries.filter(({ status }) => status === 201);
    expect(accepted.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    for (const { status, error } of retries) {
      if (status !== 201) expect(error).toBe('idempotency_in_flight');
    }
  });

  it('loses nothing to the first request when that one wakes up and is refused', async () => {
    const { answer, resume } = await pause('k1', refuse('invalid_flight'));
    at.endLeases();
    const taken = await at.post('k1');
    resume();
    expect(await answer).toMatchObject({ status: 422 });
    expect(await at.post('k1')).toEqual({ ...taken, replayed: 'true' });
  });

  it('keeps its id while the order it placed itself is in progress, and lets go when it is another one', async () => {
    const inProgress = (id: string) => refuse('order_in_progress', { order: { id } })();
    at.desk.work = inProgress;
    expect(await at.post('k1')).toMatchObject({ status: 409, error: 'order_in_progress', retryAfter: '1' });
    const [id = ''] = at.desk.started;
    at.desk.ended.set(id, { id, made: 7, url: '' });
    expect(await at.post('k1')).toMatchObject({ status: 201, replayed: 'true', body: { id } });

    at.desk.work = () => inProgress('another one');
    expect(await at.post('k2')).toMatchObject({ status: 409, error: 'order_in_progress' });
    expect(await at.records()).toHaveLength(1);
  });
});

describe('what is kept of a request (rule 21)', () => {
  const CARD = '4242424242424242';

  it('has no card, key, caller or address in it; the addresses are those of each request', async () => {
    const body = { item: 'voo', card: CARD };
    const first = await at.post('chave-1', body);
    const kept = JSON.stringify(await at.records());
    for (const secret of [CARD, 'chave-1', 'ana', 'piloto', 'http', '127.0.0.1']) expect(kept).not.toContain(secret);
    expect(kept).toContain(`{base_url}/orders/${first.body.id ?? ''}`);
    const { body: elsewhere } = await at.post('chave-1', body, { name: 'localhost' });
    expect(elsewhere.url).toBe(first.body.url?.replace('127.0.0.1', 'localhost'));
  });

  it('shows neither that two bodies are the same nor, without the secret, what they are', async () => {
    await at.post('k1');
    await at.post('k2');
    const [one, other] = await at.records();
    expect(one?.fingerprint).not.toBe(other?.fingerprint);
    const elsewhere = await openDesk();
    await elsewhere.post('k1');
    const known = (await elsewhere.records()).map(({ id, fingerprint }) => [id, fingerprint]).flat();
    await elsewhere.close();
    for (const { id, fingerprint } of await at.records()) {
      expect(known).not.toContain(id);
      expect(known).not.toContain(fingerprint);
    }
  });
});

describe('the form of an Idempotency-Key (rule 21)', () => {
  it.each([
    ['an empty key', ''],
    ['a space', 'a b'],
    ['a tab', 'tab\tulador'],
    ['what is not ASCII', 'ação'],
    ['256 characters', 'x'.repeat(256)],
  ])('refuses %s', async (_, key) => {
    expect(await at.post(key)).toMatchObject({ status: 400, error: 'invalid_idempotency_key' });
    expect(at.desk.started).toEqual([]);
  });

  it.each([
    ['one character', 'x'],
    ['255 characters', 'x'.repeat(255)],
    ['every kind of sign', '"quoted";{}~!'],
  ])('takes %s', async (_, key) => {
    expect(await at.post(key)).toMatchObject({ status: 201 });
  });

  it('is judged after the token and before the body, the record after the body', async () => {
    expect(await at.post('a b', {}, { token: '' })).toMatchObject({ status: 401 });
    expect(await at.post('a b', {})).toMatchObject({ error: 'invalid_idempotency_key' });
    await at.post('k1');
    expect(await at.post('k1', {})).toMatchObject({ error: 'invalid_body' });
    expect(await at.post('k1')).toMatchObject({ status: 201, replayed: 'true' });
  });
});
