import { setTimeout as sleep } from 'node:timers/promises';
import type { Lag } from '#read-models';
import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

/** How long (ms) a scrape waits for a log that does not answer. */
const PATIENCE = 1_000;

type Lags = ReadonlyMap<string, Lag>;
const UNTOLD: Lags = new Map();

/**
 * How far the read models are behind the log, asked for at each scrape. Where it cannot be told there is no sample: an
 * old one would say that all is well.
 */
export const reportLag = ({ registry }: Metrics, lag: () => Promise<Lags>): void => {
  let asking: Promise<Lags> | null = null;
  // Both gauges are filled by one look at the log.
  const now = (): Promise<Lags> =>
    (asking ??= Promise.race([lag(), sleep(PATIENCE, UNTOLD, { ref: false })])
      .catch(() => UNTOLD)
      .finally(() => (asking = null)));
  const tell = (name: string, help: string, figureOf: (lag: Lag) => number) => {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ['projection'] as const,
      registers: [registry],
      collect: async () => {
        const lags = await now();
        gauge.reset();
        for (const [projection, behind] of lags) gauge.set({ projection }, figureOf(behind));
      },
    });
  };
  tell(
    'alcada_projection_lag_positions',
    'Positions of the event log between a projection and the end of the log, in the log’s own unit.',
    ({ distance }) => distance,
  );
  tell(
    'alcada_projection_lag_seconds',
    'Age of the oldest event that a projection does not hold; 0: there is none.',
    ({ seconds }) => seconds,
  );
};
