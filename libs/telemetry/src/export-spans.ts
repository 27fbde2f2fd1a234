import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TracesSettings } from './start-telemetry.js';

type Spans = Parameters<SpanExporter['export']>[0];
type Answer = Parameters<SpanExporter['export']>[1];

/** Called when the collector stops taking spans, with the reason in a word, and when it takes them again (null). */
export type OnCollector = (trouble: string | null) => void;

/** Sends spans to the collector, and reports once when that begins to fail and once when it works again. */
export class SpansToCollector implements SpanExporter {
  private readonly exporter: SpanExporter;
  private isFailing = false;

  constructor(
    { url, headers, timeout }: TracesSettings,
    private readonly onCollector: OnCollector,
  ) {
    this.exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: timeout });
  }

  export(spans: Spans, answer: Answer): void {
    this.exporter.export(spans, (result) => {
      const hasFailed = result.error !== undefined;
      if (hasFailed !== this.isFailing) this.onCollector(hasFailed ? wordOf(result.error) : null);
      this.isFailing = hasFailed;
      answer(result);
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}

/** A code of the system, or the status of the answer. Never the message, which holds what the collector sent. */
const wordOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { readonly code?: string | number };
  return code?.toString() ?? 'no_answer';
};
