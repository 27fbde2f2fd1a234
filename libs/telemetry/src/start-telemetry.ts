import type { Config } from '#config';
import type { OnCollector } from './export-spans.js';
import type { Telemetry } from './telemetry.js';
import type { Tracing } from './tracing.js';

type TelemetrySettings = Config['telemetry'];
export type MetricsSettings = NonNullable<TelemetrySettings['metrics']>;
export type TracesSettings = NonNullable<TelemetrySettings['traces']>;

/**
 * Starts the telemetry of a process. Answers null if the settings ask for none; then neither the SDK nor the metrics are
 * loaded. `program`: the name of the service if the settings give none.
 *
 * @throws Error of the system (`syscall` listen) if the port of the metrics is taken
 */
export const startTelemetry = async (
  settings: TelemetrySettings,
  program: string,
  onCollector: OnCollector,
): Promise<Telemetry | null> => {
  if (!settings.metrics && !settings.traces) return null;
  const { Telemetry } = await import('./telemetry.js');
  const metrics = settings.metrics && new (await import('./metrics.js')).Metrics();
  const tracing = settings.traces && (await tracingTo(settings.traces, program, onCollector));
  const telemetry = new Telemetry(tracing, metrics);
  if (settings.metrics) await telemetry.serveMetrics(settings.metrics);
  return telemetry;
};

const tracingTo = async (settings: TracesSettings, program: string, onCollector: OnCollector): Promise<Tracing> => {
  const [{ Tracing }, { SpansToCollector }] = await Promise.all([import('./tracing.js'), import('./export-spans.js')]);
  return new Tracing(settings, program, new SpansToCollector(settings, onCollector));
};
