import { openForEach } from '#testing';
import { DomainError, type ErrorCode } from '#kernel';
import { openDesk } from './testing/open-desk.js';

const at = openForEach(() => openDesk());

const refuse = (code: ErrorCode, members?: object) => () =>
  Promise.reject(new DomainError(code, undefined, members && { members }));
const succeed = () => Promise.resolve();
const DAY = 86_400_000;

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
    const { answer, resume } = await at.pause('k1');
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

  it('is forgotten with what it created or completed, and its key is as new', async () => {
    for (const key of ['k1', 'k2']) await at.post(key);
    at.desk.completes = 'earlier';
    await at.post('k3');
    const [first = ''] = at.desk.started;
    expect(await at.forget('unknown')).toBe(0);
    expect(await at.forget(first, 'earlier', 'unknown')).toBe(2);
    expect(await at.post('k2')).toMatchObject({ replayed: 'true' });
    for (const key of ['k1', 'k3']) expect(await at.post(key)).toMatchObject({ status: 201, replayed: null });
  });

  it('starts nothing while its record cannot be written, and is answered what was done where that comes too late', async () => {
    at.desk.work = at.loseDocuments;
    expect(await at.post('k1')).toMatchObject({ status: 201 });
    expect(await at.post('k2')).toMatchObject({ status: 503, error: 'service_unavailable' });
    expect(at.desk.started).toHaveLength(1);
  });
});
