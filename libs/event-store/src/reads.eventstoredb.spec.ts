import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Connection } from './connection.eventstoredb.js';
import { StoreUnavailable } from './event-store.errors.js';
import type { Leadership } from './leadership.eventstoredb.js';
import { Reads, unavailable, Watch } from './reads.eventstoredb.js';
import { all } from './testing/sample-events.js';

/** How long (ms) a server may say nothing here. */
const LIMIT = 40;

describe('a server that cannot be reached', () => {
  it('is named by the error alone, without how its name was looked up', () => {
    const why = '14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED 127.0.0.1:2113';
    const { message } = unavailable(new Error(`${why}. Resolution note: Resolved from IP address`));
    expect(message).toBe(`the event store cannot be read: ${why}`);
  });
});

describe('the silence of a server', () => {
  let silences: number;
  let watch: Watch;
  beforeEach(() => {
    silences = 0;
    watch = new Watch(LIMIT, () => (silences += 1));
  });
  afterEach(() => watch.stop());

  it('is noticed, once for each time that it lasts as long', async () => {
    watch.asked();
    while (silences < 2) await sleep(LIMIT / 4);
    watch.answered();
    const noticed = silences;
    await sleep(2 * LIMIT);
    expect(silences).toBe(noticed);
  });

  it('is none where the answer came, and this process had no turn to read it', async () => {
    await sleep(LIMIT / 4); // the watch looks
    watch.asked();
    setImmediate(() => watch.answered());
    for (const since = performance.now(); performance.now() - since < 3 * LIMIT;);
    await sleep(0);
    expect(silences).toBe(0);
  });
});

describe('a server that passes over what is others’', () => {
  /** Reads from a server that is silent about a filtered read until `read` ends, and says this about any other. */
  const readsFrom = (answer: () => Readable, leads: 'yes' | 'unknown' = 'yes') => {
    const read = new PassThrough({ objectMode: true });
    const server = {
      getChannel: () => ({ getTarget: () => 'dns:a:1' }),
      read: (request: ReadReq) =>
        Object.assign(request.getOptions()?.hasFilter() ? read : answer(), { cancel: () => undefined }),
    };
    const client = {
      callArguments: () => [],
      GRPCStreamCreator: (_: unknown, __: string, call: (one: typeof server) => Readable) => () =>
        Promise.resolve(call(server)),
    };
    const connection = { line: { client, isOver: () => false }, renew: () => undefined };
    const leadership = { leads: () => Promise.resolve(leads) } as unknown as Leadership;
    return { read, reads: new Reads(connection as unknown as Connection, LIMIT, leadership) };
  };

  /** The silent read ends once something else was asked twice. */
  const endingReads = (leads?: 'yes' | 'unknown') => {
    let asked = 0;
    const { read, reads } = readsFrom(() => {
      asked += 1;
      if (asked === 2) read.end();
      return Readable.from([]);
    }, leads);
    return { reads, asked: () => asked };
  };

  it('is waited for as long as it answers others', async () => {
    const { reads, asked } = endingReads();
    expect(await all(reads.all(null, '^ours'))).toEqual([]);
    expect(asked()).toBeGreaterThanOrEqual(2);
  });

  it('is waited for while nobody says who leads, which is asked at its end', async () => {
    const { reads, asked } = endingReads('unknown');
    await expect(all(reads.all(null, '^ours'))).rejects.toThrow('no other node confirms');
    expect(asked()).toBeGreaterThanOrEqual(2);
  });

  it('is given up where it answers nobody', async () => {
    const { reads } = readsFrom(() => new PassThrough({ objectMode: true }));
    await expect(all(reads.all(null, '^ours'))).rejects.toBeInstanceOf(StoreUnavailable);
  });
});
