import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { plus, systemContext } from '#kernel';
import { NOW } from '#testing';
import { flights } from './flight.decider.js';
import { startFlightsApi } from './testing/flights-api.js';

let api: Awaited<ReturnType<typeof startFlightsApi>>;
beforeAll(async () => {
  api = await startFlightsApi();
});
afterAll(() => api.stop());

/** How often flights were looked at for an answer, and the answer. */
const looked = async (path: string, headers: Record<string, string> = {}) => {
  const before = api.looks();
  const answer = await api.get(path, headers);
  return { looks: api.looks() - before, answer };
};
let orders = 0;
const hold = async (flightNumber: string) => {
  const orderId = `order ${(orders += 1)}`;
  const command = { type: 'HoldSeats', orderId, seats: 1, holdBefore: plus(NOW, 60_000) } as const;
  await api.aggregates.handle(flights, flightNumber, command, systemContext('test'));
  await api.caughtUp();
};

describe('answers of public reads', () => {
  it.each(['/AL4101', '/al-4101', '?q=recife', '?limit=2', '/AL4101/fares?budget=100000'])(
    'of %s are made once while nothing they show changes, and anew afterwards',
    async (path) => {
      const first = await looked(path);
      expect(first.answer.status).toBe(200);
      const again = await looked(path);
      expect(again).toEqual({ looks: 0, answer: first.answer });
      expect(await looked(path, { 'if-none-match': first.answer.etag ?? '' })).toMatchObject({
        looks: 0,
        answer: { status: 304, body: null, etag: first.answer.etag },
      });
      await hold('AL4012');
      expect((await looked(path)).looks).toBeGreaterThan(0);
    },
  );

  it('show a seat that was sold as soon as the read model does', async () => {
    const seats = async () => ((await api.get('/AL4101')).body as { seats: number }).seats;
    const before = await seats();
    await hold('AL4101');
    expect(await seats()).toBe(before - 1);
  });

  it('are not kept of errors, and not sent where the caller has a preference', async () => {
    await api.get('/XX999');
    expect((await looked('/XX999')).looks).toBe(1);
    await api.get('/AL4101');
    const strict = await looked('/AL4101', { prefer: 'handling=strict' });
    expect(strict.looks).toBeGreaterThan(0);
  });
});
