import { SystemClock } from '#kernel';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace';
import type { Instruments } from '../instrumentation.js';
import { Metrics } from '../metrics.js';
import { Tracing } from '../tracing.js';

/** Traces and metrics that a test reads. `share`: of the traces, which are recorded. */
export const observed = (share = 1) => {
  const exporter = new InMemorySpanExporter();
  const metrics = new Metrics();
  const tracing = new Tracing({ share, service: null, resource: {} }, 'a test', exporter);
  const instruments: Instruments = { metrics, tracing, clock: new SystemClock() };
  return {
    instruments,
    metrics,
    tracing,
    spans: async (): Promise<readonly ReadableSpan[]> => {
      await tracing.flush();
      return exporter.getFinishedSpans();
    },
    /** The sample lines of a metric, those of buckets left out. */
    samples: async (name: string): Promise<readonly string[]> =>
      (await metrics.registry.metrics())
        .split('\n')
        .filter((line) => line.startsWith(name) && !line.includes('_bucket') && !line.includes('_sum')),
  };
};
