import type { MinuteOfTraffic, TrafficEvent } from '#events';
import type { RecordedEvent } from '#read-models';
import { agentTrafficProjection as projection, type TrafficDocument } from './agent-traffic.projection.js';

const minuteOf = (start: string, count = 1, hashes: readonly string[] = ['a']): MinuteOfTraffic => ({
  start,
  calls: [
    {
      family: 'curl',
      operation: 'get_flight',
      outcomes: [
        { channel: 'rest', status: 200, error: null, count },
        { channel: 'mcp', status: 404, error: 'flight_not_found', count: 1 },
      ],
      latencies: [10, count, 12, 1],
    },
  ],
  agents: [{ family: 'curl', hashes }],
});
const observed = (...minutes: readonly MinuteOfTraffic[]): TrafficEvent => ({
  type: 'AgentTrafficObserved',
  data: { minutes },
});

const after = (events: readonly TrafficEvent[], at = '2026-01-15T12:00:30.000Z') => {
  const documents = new Map<string, TrafficDocument>();
  for (const event of events) {
    const actor = { holder: null, clientId: null };
    const recorded: RecordedEvent<TrafficEvent> = {
      ...event,
      stream: 'traffic-x',
      id: 'x',
      revision: 0,
      position: '1',
      occurredAt: at,
      actor,
    };
    for (const id of projection.documentsOf(recorded)) {
      const document = projection.evolve(documents.get(id) ?? null, recorded, id);
      if (document) documents.set(id, document);
    }
  }
  return new Map([...documents.values()].map((document) => [`${document.kind} ${document.start}`, document]));
};

describe('the read model of agent traffic', () => {
  it('adds the minutes of all processes up, by minute, hour and day', () => {
    const documents = after([
      observed(minuteOf('2026-01-15T12:00:00.000Z', 2)),
      observed(minuteOf('2026-01-15T12:00:00.000Z', 3, ['b', 'a']), minuteOf('2026-01-15T12:59:00.000Z')),
      observed(minuteOf('2026-01-15T13:00:00.000Z')),
    ]);
    const requests = [...documents].flatMap(([key, document]) =>
      'requests' in document ? [[key, document.requests, document.errors]] : [],
    );
    expect(requests).toEqual([
      ['minute point 2026-01-15T12:00:00.000Z', 7, 2],
      ['hour point 2026-01-15T12:00:00.000Z', 9, 3],
      ['day point 2026-01-15T00:00:00.000Z', 11, 4],
      ['minute point 2026-01-15T12:59:00.000Z', 2, 1],
      ['minute point 2026-01-15T13:00:00.000Z', 2, 1],
      ['hour point 2026-01-15T13:00:00.000Z', 2, 1],
    ]);
    expect(documents.get('hour figures 2026-01-15T12:00:00.000Z')).toMatchObject({
      calls: {
        'curl get_flight': {
          outcomes: { 'rest 200 -': 6, 'mcp 404 flight_not_found': 3 },
          latencies: [10, 6, 12, 3],
        },
      },
      agents: { curl: ['a', 'b'] },
    });
  });

  it('tells apart what calls came to that did not succeed', () => {
    const statuses = [200, 201, 402, 404, 422, 429, 429, 499, 500, 503];
    const outcomes = statuses.map((status) => ({ channel: 'rest', status, error: null, count: 2 }));
    const minute = minuteOf('2026-01-15T12:00:00.000Z');
    const documents = after([
      observed({ ...minute, calls: [{ family: 'curl', operation: 'get_flight', outcomes, latencies: [10, 20] }] }),
      observed(minute),
    ]);
    expect(documents.get('day point 2026-01-15T00:00:00.000Z')).toEqual({
      kind: 'day point',
      start: '2026-01-15T00:00:00.000Z',
      requests: 22,
      ...{ errors: 17, refused: 7, limited: 4, failed: 4, abandoned: 2 },
      latencies: [10, 21, 12, 1],
    });
  });

  it('follows each agent through the funnel, and says how many calls tell nothing of that', () => {
    const minute = minuteOf('2026-01-15T12:00:00.000Z');
    const seen = (hashes: readonly string[], steps: readonly number[]) =>
      observed({ ...minute, agents: [{ family: 'curl', hashes, steps }] });
    const documents = after([
      seen(['b', 'a'], [1, 0]),
      observed(minute),
      seen(['a', 'b', 'c'], [4, 16, 1]),
      seen(['b'], [1]),
    ]);
    expect(documents.get('day figures 2026-01-15T00:00:00.000Z')).toMatchObject({
      agents: { curl: ['a', 'b', 'c'] },
      steps: { curl: [4, 17, 1] },
      notFollowed: 2,
    });
  });

  it('keeps no more agents of a family than it tells apart, whatever their order', () => {
    const hashes = Array.from({ length: 1_500 }, (_, place) => String(place).padStart(4, '0'));
    const figures = (order: readonly string[]) =>
      after([
        observed(minuteOf('2026-01-15T12:00:00.000Z', 1, order.slice(0, 700))),
        observed(minuteOf('2026-01-15T12:00:00.000Z', 1, order.slice(700))),
      ]).get('day figures 2026-01-15T00:00:00.000Z');
    expect(figures(hashes)).toMatchObject({ agents: { curl: hashes.slice(0, 1_000) } });
    expect(figures([...hashes].reverse())).toEqual(figures(hashes));
  });

  it('lets a new minute take the place of one too old, and takes nothing that comes later than that', () => {
    const [old, later] = ['2026-01-15T12:00:00.000Z', '2026-01-17T13:00:00.000Z'];
    const documents = after([observed(minuteOf(old)), observed(minuteOf(later)), observed(minuteOf(old))]);
    expect([...documents.keys()].filter((key) => key.startsWith('minute'))).toEqual([
      `minute figures ${later}`,
      `minute point ${later}`,
    ]);
    expect(documents.get('day point 2026-01-15T00:00:00.000Z')).toMatchObject({ requests: 4 });
  });
});
