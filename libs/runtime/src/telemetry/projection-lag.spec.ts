import { SystemClock } from '#kernel';
import { reportClock, reportLag, reportMails } from './metrics.js';
import { observed } from './testing/observed.js';

const FAR = new Map([
  ['orders', { distance: 12, seconds: 3.5 }],
  ['receipts', { distance: 0, seconds: 0 }],
]);

describe('a clock that is ahead of its machine’s', () => {
  it('is told in seconds, as it is at each scrape', async () => {
    const { metrics, samples } = observed();
    const answers = [2_500, 0];
    reportClock(metrics, () => answers.shift() ?? 0);
    expect(await samples('alcada_clock_ahead_seconds')).toEqual(['alcada_clock_ahead_seconds 2.5']);
    expect(await samples('alcada_clock_ahead_seconds')).toEqual(['alcada_clock_ahead_seconds 0']);
  });
});

describe('what waits for a mail', () => {
  it('is told by the process that sends them, while the documents tell', async () => {
    const { metrics, samples } = observed();
    const answers = [
      () => Promise.resolve({ waiting: 3, oldestSeconds: 90 }),
      () => Promise.resolve(null),
      () => Promise.reject(new Error('nobody answers')),
    ];
    reportMails(metrics, new SystemClock(), () => answers.shift()?.() ?? Promise.resolve(null));
    expect(await samples('alcada_mail_')).toEqual(['alcada_mail_queue_entries 3', 'alcada_mail_oldest_seconds 90']);
    for (let scrape = 0; scrape < 2; scrape += 1) expect(await samples('alcada_mail_')).toEqual([]);
  });
});

describe('the lag of projections', () => {
  it('is asked for once a scrape', async () => {
    const { metrics, samples } = observed();
    let asked = 0;
    reportLag(metrics, new SystemClock(), () => {
      asked += 1;
      return Promise.resolve(FAR);
    });
    expect(await samples('alcada_projection_lag')).toEqual([
      'alcada_projection_lag_positions{projection="orders"} 12',
      'alcada_projection_lag_positions{projection="receipts"} 0',
      'alcada_projection_lag_seconds{projection="orders"} 3.5',
      'alcada_projection_lag_seconds{projection="receipts"} 0',
    ]);
    expect(asked).toBe(1);
  });

  it('has no sample while the log does not tell, and all other metrics are there', async () => {
    const { metrics, samples } = observed();
    const answers: (() => Promise<typeof FAR>)[] = [
      () => Promise.resolve(FAR),
      () => Promise.reject(new Error('the log is not there')),
      () => new Promise(() => undefined),
    ];
    reportLag(metrics, new SystemClock(), () => answers.shift()?.() ?? Promise.resolve(FAR));
    for (const told of [4, 0, 0, 4]) {
      expect(await samples('alcada_projection_lag')).toHaveLength(told);
    }
    expect(await samples('process_cpu_seconds_total')).toHaveLength(1);
  });
});
