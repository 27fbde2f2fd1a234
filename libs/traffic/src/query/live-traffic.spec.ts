import { expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import { ManualClock } from '#testing';
import { LiveTraffic } from './live-traffic.controller.js';

it('asks for the live figures one query at a time, however long a wide report takes', async () => {
  const clock = new ManualClock();
  const asked: (() => void)[] = [];
  const queries = {
    execute: () => new Promise((resolve) => asked.push(() => resolve({ now: { series: [] } }))),
  } as unknown as QueryBus;
  const live = new LiveTraffic(queries, clock);
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
