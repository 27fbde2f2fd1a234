import type { OnCollector } from './export-spans.js';
import type { TelemetrySettings, TracesSettings } from './settings.js';
import type { Telemetry } from './telemetry.js';
import type { Tracing } from './tracing.js';

/**
 * Begins to watch a process as its settings say; null where they say nothing: then neither the SDK nor the metrics are even
 * loaded. `program`: what the service is called where the settings do not name it.
 *
 * @throws Error of the system (`syscall` listen) where the port of the metrics cannot be had
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
