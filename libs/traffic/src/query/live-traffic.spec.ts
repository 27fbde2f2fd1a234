import { ManualClock } from '#testing';
import type { AgentTrafficReader } from './agent-traffic.reader.js';
import { LiveTraffic } from './live-traffic.controller.js';

it('asks for the live figures one query at a time, however long a wide report takes', async () => {
  const clock = new ManualClock();
  const asked: (() => void)[] = [];
  const traffic = {
    read: () => new Promise((resolve) => asked.push(() => resolve({ now: { series: [] } }))),
  } as unknown as AgentTrafficReader;
  const live = new LiveTraffic(traffic, clock);
  const stream = live.connect(null);
  clock.advance(30_000);
  expect(asked).toHaveLength(1);
  asked[0]?.();
  await new Promise(setImmediate);
  clock.advance(1_000);
  expect(asked).toHaveLength(2);
  live.onModuleDestroy();
  stream.destroy();
});
