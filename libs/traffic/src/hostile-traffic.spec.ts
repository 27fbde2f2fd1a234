import { Aggregates } from '#event-store';
import { trafficLog } from '#events';
import { DomainError, plus, RandomIds, systemContext } from '#kernel';
import { agentTrafficProjection } from './agent-traffic.projection.js';
import { AgentHashes } from './capture/agent-hashes.js';
import { TrafficCounters } from './capture/traffic-counters.js';
import { openAnalysis } from './testing/analysis.js';
import { callsOf } from './testing/calls.js';
import { hostileCalls } from './testing/hostile.js';

const [FROM, NOW] = ['2026-03-15T05:00:00.000Z', '2026-03-15T12:00:30.000Z'];
const MINUTES = 7 * 60;
/** The dearest question that is answered: each of its points is read from all figures of its minute. */
const [DEAREST, FILTER] = [{ from: plus(NOW, -6 * 3_600_000), bucket: 'minute' } as const, { agent: 'other' }];
const HONEST = callsOf(5, 2_000, FROM, 60_000);

type Analysis = Awaited<ReturnType<typeof openAnalysis>>;
let analysis: Analysis;
let model: Awaited<ReturnType<Analysis['build']>>;
let calls = 0;

/** Seven hours of one address that calls 27 times a second under every name there is, an event a minute. */
beforeAll(async () => {
  analysis = await openAnalysis(NOW);
  const aggregates = new Aggregates(analysis.log, analysis.clock, new RandomIds(), { patience: 60_000 });
  const hashes = new AgentHashes(Buffer.alloc(32, 7));
  const written: Promise<unknown>[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const at = plus(FROM, minute * 60_000);
    const counters = new TrafficCounters();
    const made = [...(minute === 0 ? HONEST : []), ...hostileCalls(minute, at, 60_000)];
    for (const call of made) counters.count(call);
    calls += made.length;
    const minutes = counters.take((...who) => hashes.of(...who)) ?? [];
    const facts = [{ type: 'AgentTrafficObserved', data: { minutes } }] as const;
    written.push(aggregates.handle(trafficLog, { at, start: 'hostile' }, { facts }, systemContext('test')));
  }
  await Promise.all(written);
  model = await analysis.build();
}, 120_000);
afterAll(async () => {
  await model.close();
  await analysis.close();
});

describe('the figures of an address that calls under every name there is', () => {
  it('are all counted, under `other` where a bucket has no room for one more pair', async () => {
    const { totals, byAgentFamily, funnel } = await model.read({ from: FROM, bucket: 'hour' });
    expect(totals.requests).toBe(calls);
    expect(byAgentFamily.reduce((sum, one) => sum + one.calls, 0)).toBe(calls);
    expect(funnel.search).toBeGreaterThan(0);
    // Who came first is told as ever.
    const first = { from: FROM, to: plus(FROM, 60_000), bucket: 'minute' } as const;
    const { byAgentFamily: told } = await model.read(first);
    const gptbot = HONEST.filter(({ family }) => family === 'gptbot').length;
    expect(told.find(({ family }) => family === 'gptbot')?.calls).toBeGreaterThanOrEqual(gptbot);
  });

  it.each([
    ['minute', 40_000],
    ['hour', 250_000],
    ['day', 800_000],
  ])('take a document of a %s of less than %i bytes', async (bucket, most) => {
    const found = await model.store.find(model.models.collectionOf(agentTrafficProjection), {
      where: [
        { field: 'kind', equals: `${bucket} figures` },
        { field: 'start', atLeast: '2026', below: '2027' },
      ],
      sort: { field: 'start', direction: 'ascending' },
      limit: 1_000,
    });
    expect(found.length).toBeGreaterThan(0);
    expect(Math.max(...found.map(({ body }) => JSON.stringify(body).length))).toBeLessThan(most);
  });

  it('are read in little of a core, in many turns of the event loop', async () => {
    await model.read(DEAREST, FILTER); // compiled from here on
    let turns = 0;
    let isOver = false;
    const others = (): void => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    const before = process.cpuUsage();
    setImmediate(others);
    const { totals } = await model.read(DEAREST, FILTER);
    isOver = true;
    const { user, system } = process.cpuUsage(before);
    expect(totals.requests).toBeGreaterThanOrEqual(6 * 60 * 27 * 60);
    expect(turns).toBeGreaterThan(20);
    expect((user + system) / 1_000).toBeLessThan(2_000); // 0.3 s; without the bounds 2 s, and 14 s for 47 hours
  });

  it('are read for one who asks at a time, and a few wait; the rest are told to come back', async () => {
    const ask = (caller: string | null) =>
      model.read(DEAREST, FILTER, caller).then(
        () => 'answered',
        (error: unknown) => (error instanceof DomainError ? [error.code, error.retryAfter] : error),
      );
    const ofOne = await Promise.all(Array.from({ length: 10 }, () => ask('192.0.2.1')));
    expect(ofOne.filter((one) => one === 'answered')).toHaveLength(4);
    expect(ofOne.at(-1)).toEqual(['service_unavailable', 2]);
    const ofMany = await Promise.all(Array.from({ length: 20 }, (_, place) => ask(`192.0.2.${place}`)));
    expect(ofMany.filter((one) => one === 'answered')).toHaveLength(17);
  });
});
