import { readFileSync } from 'node:fs';
import { STOP_BUDGET, STOP_LIMIT } from '#kernel';
import { ManualClock } from '#testing';
import { createLogger } from './logger.js';
import { Opened, opening } from './opened.js';

const logger = createLogger('silent');
const never = () => new Promise<void>(() => undefined);

describe('what a process has opened', () => {
  it('is closed in the reverse order, each once the one before it is', async () => {
    const done: string[] = [];
    const opened = new Opened(new ManualClock(), logger);
    for (const step of ['telemetry', 'stores', 'work', 'traffic', 'requests'] as const) {
      opened.add(step, async () => {
        done.push(`${step} begins`);
        await Promise.resolve();
        done.push(`${step} ends`);
      });
    }
    await opened.close();
    expect(done).toEqual(
      ['requests', 'traffic', 'work', 'stores', 'telemetry'].flatMap((one) => [`${one} begins`, `${one} ends`]),
    );
    await opened.close();
    expect(done).toHaveLength(10);
  });

  it('ends its requests before the work that began after them', async () => {
    const done: string[] = [];
    const opened = new Opened(new ManualClock(), logger);
    for (const step of ['stores', 'requests', 'work'] as const) opened.add(step, () => void done.push(step));
    await opened.close();
    expect(done).toEqual(['requests', 'work', 'stores']);
  });

  it('is closed also where something else cannot be, which is told afterwards', async () => {
    const done: string[] = [];
    const opened = new Opened(new ManualClock(), logger);
    opened.add('telemetry', () => void done.push('telemetry'));
    opened.add('stores', () => Promise.reject(new Error('a full disk')));
    opened.add('work', () => {
      throw new Error('a fault');
    });
    opened.add('requests', () => void done.push('requests'));
    await expect(opened.close()).rejects.toThrow('a fault');
    expect(done).toEqual(['requests', 'telemetry']);
  });

  it('is closed in time, whatever hangs: a step ends at its deadline, and the next ones begin', async () => {
    const clock = new ManualClock();
    const done: number[] = [];
    const opened = new Opened(clock, logger);
    opened.add('stores', () => void done.push(clock.monotonic()));
    opened.add('work', never);
    opened.add('traffic', () => void done.push(clock.monotonic()));
    opened.add('requests', never);
    const closed = opened.close();
    for (let passed = 0; passed < STOP_LIMIT; passed += 100) {
      clock.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await closed;
    const { requests, traffic, work } = STOP_BUDGET;
    expect(done).toEqual([requests, requests + traffic + work]);
  });

  it('is closed where the next thing cannot be opened, and the reason is what is told', async () => {
    const done: string[] = [];
    const started = opening(logger, (opened) => {
      opened.add('stores', () => void done.push('stores'));
      opened.add('work', () => Promise.reject(new Error('another fault')));
      return Promise.reject(new Error('the reason'));
    });
    await expect(started).rejects.toThrow('the reason');
    expect(done).toEqual(['stores']);
  });
});

describe('the time a process has to stop', () => {
  it('is enough for all its steps, with some to spare, before it ends itself and before it is killed', () => {
    const sum = Object.values(STOP_BUDGET).reduce((one, other) => one + other, 0);
    expect(sum).toBeLessThanOrEqual(STOP_LIMIT - 500);
    expect(STOP_LIMIT).toBeLessThan(10_000);
  });

  it('is divided as docs/operations.md says', () => {
    const rows = [...readFileSync('docs/operations.md', 'utf8').matchAll(/^- `(\w+)`, ([\d.]+) s: /gm)];
    const told = rows.map(([, step, seconds]) => [step, Number(seconds) * 1_000] as const);
    expect(told).toEqual(Object.entries(STOP_BUDGET));
  });
});
