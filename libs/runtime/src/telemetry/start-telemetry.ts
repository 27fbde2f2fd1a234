import type { Config } from '#config';
import type { Clock } from '#kernel';
import type { Telemetry } from './telemetry.js';
import type { OnCollector, TracesSettings, Tracing } from './tracing.js';

type TelemetrySettings = Config['telemetry'];

/** Starts telemetry, or returns null and loads nothing. `program`: the default name. @throws Error: the port is taken */
export const startTelemetry = async (
  settings: TelemetrySettings,
  program: string,
  clock: Clock,
  onCollector: OnCollector,
): Promise<Telemetry | null> => {
  if (!settings.metrics && !settings.traces) return null;
  const { Telemetry } = await import('./telemetry.js');
  const metrics = settings.metrics && new (await import('./metrics.js')).Metrics();
  const tracing = settings.traces && (await tracingTo(settings.traces, program, onCollector));
  const telemetry = new Telemetry({ tracing, metrics, clock });
  try {
    if (settings.metrics) await telemetry.serveMetrics(settings.metrics);
  } catch (error) {
    await telemetry.stop();
    throw error;
  }
  return telemetry;
};

const tracingTo = async (settings: TracesSettings, program: string, onCollector: OnCollector): Promise<Tracing> => {
  const { SpansToCollector, Tracing } = await import('./tracing.js');
  return new Tracing(settings, program, new SpansToCollector(settings, onCollector));
};
