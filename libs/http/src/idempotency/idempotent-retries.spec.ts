import { openForEach } from '#testing';
import { DomainError, type ErrorCode } from '#kernel';
import { BegunBefore } from './idempotency-record.js';
import { openDesk } from './testing/open-desk.js';

const at = openForEach(() => openDesk());

const refuse = (code: ErrorCode) => () => Promise.reject(new DomainError(code));

describe('a retry of a request that was never answered (rule 21)', () => {
  it('waits for the end of the lease, and starts under the same id where nothing was created', async () => {
    await at.pause('k1');
    expect(await at.post('k1')).toMatchObject({ status: 409, error: 'idempotency_in_flight' });
    at.endLeases();
    expect(await at.post('k1')).toMatchObject({ status: 201, replayed: null });
    expect(at.desk.started).toHaveLength(2);
    expect(new Set(at.desk.started).size).toBe(1);
  });

  it('starts where nothing is found, and nowhere where that cannot be looked up', async () => {
    at.desk.work = refuse('service_unavailable');
    expect(await at.post('k1')).toMatchObject({ status: 503 });
    at.desk.work = () => Promise.resolve();
    at.desk.looked = refuse('service_unavailable');
    expect(await at.post('k1')).toMatchObject({ status: 503 });
    expect(at.desk.started).toHaveLength(1);
    at.desk.looked = refuse('order_not_found');
    expect(await at.post('k1')).toMatchObject({ status: 201 });
    expect(at.desk.started).toHaveLength(2);
    expect(new Set(at.desk.started).size).toBe(1);
  });

  it('is a new request where the one before was refused just then, whose key is free again', async () => {
    const { answer, resume } = await at.pause('k1', refuse('seats_unavailable'));
    at.beforeLooking(() => {
      resume();
      return answer;
    });
    expect(await at.post('k1')).toMatchObject({ status: 201, replayed: null });
    expect(await answer).toMatchObject({ error: 'seats_unavailable' });
    expect(new Set(at.desk.started).size).toBe(2);
  });

  it('goes the same way where an operation completes nothing and is about nothing', async () => {
    const book = () => at.post('k1', { item: 'voo' }, { path: 'bookings' });
    at.desk.work = refuse('service_unavailable');
    expect(await book()).toMatchObject({ status: 503 });
    at.desk.work = refuse('booking_locked');
    expect(await book()).toMatchObject({ error: 'booking_locked' });
    expect(await at.records()).toEqual([]); // a definite no frees the key
    at.desk.work = () => Promise.resolve();
    expect(await book()).toMatchObject({ status: 201, replayed: null });
  });

  it('is answered what was created, without starting anything', async () => {
    const { id } = await at.pause('k1');
    at.desk.ended.set(id, { id, made: 7, url: `https://voos.example/api/v1/orders/${id}` });
    at.endLeases();
    const rebuilt = await at.post('k1');
    expect(rebuilt).toMatchObject({ status: 201, replayed: 'true', body: { id, made: 7 } });
    at.desk.ended.clear();
    expect(await at.post('k1')).toEqual(rebuilt);
    expect(at.desk.started).toHaveLength(1);
  });

  it('is answered the final 402 that it ended with', async () => {
    const { id } = await at.pause('k1');
    at.desk.ended.set(id, new DomainError('payment_declined'));
    at.endLeases();
    expect(await at.post('k1')).toMatchObject({ status: 402, error: 'payment_declined', replayed: 'true' });
    expect(at.desk.started).toHaveLength(1);
  });

  it('is answered the earlier one that it completed, and starts again while that one is open', async () => {
    at.desk.completes = 'earlier';
    await at.pause('k1');
    at.endLeases();
    await at.pause('k1');
    const [id, sameId] = at.desk.started;
    expect(sameId).toBe(id);
    at.desk.completes = null; // it waits no more
    at.desk.ended.set('earlier', { id: 'earlier', made: 7, url: '' });
    at.endLeases();
    const rebuilt = await at.post('k1');
    expect(rebuilt).toMatchObject({ status: 201, replayed: 'true', body: { id: 'earlier', made: 7 } });
    expect(at.desk.started).toHaveLength(2);
  });

  it('starts under a new id, written down before, where the first one was settled uncharged', async () => {
    const { id } = await at.pause('k1');
    at.desk.ended.set(id, new DomainError('service_unavailable'));
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

  it('is answered 503 once where its id was given up between the look at it and the start, and then starts anew', async () => {
    const { id } = await at.pause('k1');
    at.endLeases();
    at.desk.work = () => {
      at.desk.ended.set(id, new DomainError('service_unavailable'));
      return Promise.reject(new DomainError('service_unavailable'));
    };
    expect(await at.post('k1')).toMatchObject({ status: 503, error: 'service_unavailable' });
    at.desk.work = () => Promise.resolve();
    expect(await at.post('k1')).toMatchObject({ status: 201, replayed: null });
    const [, again, renewed] = at.desk.started;
    expect(again).toBe(id);
    expect(renewed).not.toBe(id);
  });

  it('takes over alone: of 10 at once one starts', async () => {
    await at.pause('k1');
    at.endLeases();
    let toCome = 10;
    let letAllGoOn = (): void => undefined;
    const allHaveCome = new Promise<void>((resolve) => (letAllGoOn = resolve));
    at.desk.looked = () => {
      toCome -= 1;
      if (toCome === 0) letAllGoOn();
      return allHaveCome;
    };
    const retries = await Promise.all(Array.from({ length: 10 }, () => at.post('k1')));
    expect(at.desk.started).toHaveLength(2);
    const accepted = retries.filter(({ status }) => status === 201);
    expect(accepted.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    for (const { status, error } of retries) {
      if (status !== 201) expect(error).toBe('idempotency_in_flight');
    }
  });

  it('loses nothing to the first request when that one wakes up and is refused', async () => {
    const { answer, resume } = await at.pause('k1', refuse('invalid_flight'));
    at.endLeases();
    const taken = await at.post('k1');
    resume();
    expect(await answer).toMatchObject({ status: 422 });
    expect(await at.post('k1')).toEqual({ ...taken, replayed: 'true' });
  });

  it('keeps its id while the order it placed itself is in progress, and lets go when it is another one', async () => {
    at.desk.work = () => Promise.reject(new BegunBefore('order_in_progress'));
    expect(await at.post('k1')).toMatchObject({ status: 409, error: 'order_in_progress', retryAfter: '1' });
    const [id = ''] = at.desk.started;
    at.desk.ended.set(id, { id, made: 7, url: '' });
    expect(await at.post('k1')).toMatchObject({ status: 201, replayed: 'true', body: { id } });

    at.desk.work = refuse('order_in_progress');
    expect(await at.post('k2')).toMatchObject({ status: 409, error: 'order_in_progress' });
    expect(await at.records()).toHaveLength(1);
  });

  it('is answered what its own order came to, where that was settled just before it started again', async () => {
    const { id } = await at.pause('k1');
    at.endLeases();
    at.desk.work = () => {
      at.desk.ended.set(id, { id, made: 7, url: '' }); // by the recovery worker
      return Promise.reject(new BegunBefore('booking_already_ordered'));
    };
    expect(await at.post('k1')).toMatchObject({ status: 201, body: { id, made: 7 } });
    expect(await at.post('k1')).toMatchObject({ status: 201, replayed: 'true', body: { id, made: 7 } });
  });

  it('of a change is answered what that came to, under whatever id it began', async () => {
    at.desk.changes = 'piece';
    await at.pause('k1');
    at.endLeases();
    await at.pause('k1');
    at.endLeases();
    at.desk.ended.set('piece', { id: 'piece', made: 7, url: '' });
    expect(await at.post('k1')).toMatchObject({ status: 201, replayed: 'true', body: { id: 'piece', made: 7 } });
    expect(at.desk.started).toEqual(['piece', 'piece']);
  });
});
