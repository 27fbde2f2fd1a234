import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable, Watch } from './reads.eventstoredb.js';

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
