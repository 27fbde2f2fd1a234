import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { KeptAnswers } from '#http';
import { systemContext } from '#kernel';
import { openForAll } from '#testing';
import fc from 'fast-check';
import { flights } from './flight.decider.js';
import { startFlightsApi } from './testing/flights-api.js';
import { holdSeats, sampleFare, sampleFlight } from './testing/index.js';

const api = openForAll(() => startFlightsApi());

const looked = async (path: string, headers: Record<string, string> = {}) => {
  const before = api.documentsRead();
  const answer = await api.get(path, headers);
  return { read: api.documentsRead() - before, answer };
};

const CONTEXT = systemContext('test');
let orders = 0;
const hold = async (flightNumber: string): Promise<void> => {
  await holdSeats(api.aggregates, flightNumber, `order ${(orders += 1)}`, 1);
};
const reprice = async (flightNumber: string): Promise<void> => {
  const fares = [sampleFare({ code: 'CLASSICA', price: 100_00 + (orders += 1), baggage: 'checked' })];
  await api.aggregates.handle(flights, flightNumber, { type: 'RepriceFares', fares }, CONTEXT);
};
const schedule = async (): Promise<void> => {
  const flightNumber = `QQ${(orders += 1)}`;
  const flight = sampleFlight({ flightNumber, slug: flightNumber.toLowerCase(), toCity: 'Recife' });
  await api.aggregates.handle(flights, flightNumber, { type: 'ScheduleFlight', flight }, CONTEXT);
};

describe('public reads', () => {
  it.each(['/AL4101', '/al-4101', '?q=recife', '?limit=2', '/AL4101/fares?budget=100000'])(
    'of %s read nothing while nothing changes, and afterwards no more than what has changed',
    async (path) => {
      await schedule();
      await api.caughtUp();
      const first = await looked(path);
      expect(first.answer.status).toBe(200);
      const again = await looked(path);
      expect(again).toEqual({ read: 0, answer: first.answer });
      expect(await looked(path, { 'if-none-match': first.answer.etag ?? '' })).toMatchObject({
        read: 0,
        answer: { status: 304, body: null, etag: first.answer.etag },
      });
      await hold('AL8003'); // none of them shows it
      await api.caughtUp();
      const { read, answer } = await looked(path);
      expect(answer).toEqual(first.answer);
      expect(read).toBeLessThanOrEqual(2); // the flight, and the one that was the last to change
    },
  );

  it('show a seat that was sold as soon as the read model does', async () => {
    const seats = async () => ((await api.get('/AL4101')).body as { seats: number }).seats;
    const before = await seats();
    await hold('AL4101');
    await api.caughtUp();
    expect(await seats()).toBe(before - 1);
  });
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: readonly string[];
  readonly body: string;
}

/** What is answered, to the byte; of the headers only the time is left out. */
const ask = async (origin: string, method: string, path: string, headers: Record<string, string>): Promise<Answer> => {
  const sent = request(`${origin}/api/v1/flights${path}`, { method, headers: { ...headers, 'x-request-id': 'r' } });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const { rawHeaders } = answer;
  const lines = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [`${name.toLowerCase()}: ${rawHeaders[at + 1]}`] : [],
  );
  const body = Buffer.concat(chunks).toString();
  return { status: answer.statusCode, headers: lines.filter((line) => !line.startsWith('date:')).sort(), body };
};

const PATHS = [
  '/AL4012',
  '/al%204012',
  '/AL4101',
  '/XX999',
  '/%00',
  '',
  '?limit=3',
  '?q=recife',
  '?q=Recife&limit=2',
  '?q=gru%20rec',
  '?from=gru&to=rec',
  '?from=s%C3%A3o%20paulo&sort=price&limit=5',
  '?q=recife%20sao%20paulo',
  '?q=xyz',
  '?limit=0',
  '?colour=1',
  '?q=recife&pasangers=2',
  '?cursor=abc',
  '/AL4012/fares?budget=100000',
  '/AL4012/fares?budget=100000&passengers=3',
  '/AL4012/fares?budget=1&bugdet=2',
  '/AL4012/fares',
  '/XX999/fares?budget=1',
] as const;

const read = fc.record({
  path: fc.constantFrom(...PATHS),
  method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST'),
  condition: fc.constantFrom('none', 'none', 'known', 'weak', 'another', '*'),
  headers: fc.constantFrom<Record<string, string>>(
    {},
    {},
    { prefer: 'handling=strict' },
    { prefer: 'handling=lenient' },
    { accept: 'text/html' },
    { 'accept-encoding': 'gzip', 'accept-language': 'en' },
    { origin: 'https://other.example', 'access-control-request-method': 'GET' },
    { authorization: 'Bearer nonsense' },
    { host: 'other.example', 'x-forwarded-host': 'third.example' },
  ),
});
type Read = typeof read extends fc.Arbitrary<infer One> ? One : never;
const change = fc.constantFrom<() => Promise<void>>(
  () => hold('AL4012'),
  () => hold('AL4101'),
  () => reprice('AL4012'),
  schedule,
);

describe('an answer that is kept', () => {
  it('is the one that would be made, to the byte, whatever is asked and changes in between', async () => {
    const [keeping, fresh] = [await api.another(new KeptAnswers()), await api.another()];
    const tags = new Map<string, string>();
    const both = async ({ path, method, condition, headers }: Read) => {
      const tag = { none: '', known: tags.get(path) ?? '', weak: `W/${tags.get(path)}`, another: '"x"', '*': '*' }[
        condition
      ];
      const sent = { ...headers, ...(tag !== '' && { 'if-none-match': tag }) };
      const kept = await ask(keeping, method, path, sent);
      expect(kept).toEqual(await ask(fresh, method, path, sent));
      const etag = kept.headers.find((line) => line.startsWith('etag: '))?.slice(6);
      if (etag !== undefined) tags.set(path, etag);
    };
    const step = fc.oneof({ weight: 6, arbitrary: read }, { weight: 1, arbitrary: change });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        for (const one of steps) {
          if (typeof one !== 'function') await both(one);
          else {
            await one();
            await api.caughtUp();
          }
        }
      }),
      { numRuns: 12 },
    );
  });
});
