import {
  type Attributes,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanKind,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Config } from '#config';
import { type Cause, isId } from '#kernel';

export type TracesSettings = NonNullable<Config['telemetry']['traces']>;

// One for the process: it keeps the active span across callbacks and promises.
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

export interface SpanStart {
  readonly name: string;
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** When it began, by the timer of the process (ms); left out: now. */
  readonly startTime?: number;
  readonly links?: readonly SpanContext[];
  /** The span is the root of a trace and has the ids of this cause. */
  readonly root?: Cause;
  /** The parent, a span of another process or time. Without `root` and `parent` it is the active span. */
  readonly parent?: SpanContext | undefined;
}

const SPAN_ID = /^[0-9a-f]{16}$/;

/** The spans of a process. docs/adr/0054 says how they get their ids and which are recorded. */
export class Tracing {
  private readonly ids = new CauseIds();
  private readonly share: TraceIdRatioBasedSampler;
  private readonly provider: TracerProvider;
  private readonly tracer;

  /** `program`: the name of the service if the settings give none; `exporter`: receives the spans in batches. */
  constructor(
    settings: Pick<TracesSettings, 'share' | 'service' | 'resource'>,
    program: string,
    exporter: SpanExporter,
  ) {
    this.share = new TraceIdRatioBasedSampler(settings.share);
    const named = { ...settings.resource, ...(settings.service !== null && { 'service.name': settings.service }) };
    this.provider = new TracerProvider({
      resource: defaultResource().merge(resourceFromAttributes({ 'service.name': program, ...named })),
      sampler: new ParentBasedSampler({ root: this.share }),
      idGenerator: this.ids,
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    this.tracer = this.provider.getTracer('alcada');
  }

  start({ name, root, parent, links = [], ...more }: SpanStart): Span {
    const options = { ...more, links: links.map((link) => ({ context: link })) };
    if (root) return this.ids.during(root, () => this.tracer.startSpan(name, options, ROOT_CONTEXT));
    return this.tracer.startSpan(name, options, parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : context.active());
  }

  within<Answer>(span: Span, work: () => Answer): Answer {
    return context.with(trace.setSpan(context.active(), span), work);
  }

  get current(): Span | undefined {
    return trace.getActiveSpan();
  }

  /** The span that a cause names; null if it names none, or one that is not recorded. */
  spanOf(cause: Cause): SpanContext | null {
    if (!isId(cause.correlationId) || !SPAN_ID.test(cause.causationId)) return null;
    const traceId = traceIdOf(cause);
    const { decision } = this.share.shouldSample(ROOT_CONTEXT, traceId);
    if (decision !== SamplingDecision.RECORD_AND_SAMPLED) return null;
    return { traceId, spanId: cause.causationId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  }

  flush(): Promise<void> {
    return this.provider.forceFlush();
  }

  async stop(): Promise<void> {
    await this.provider.shutdown();
  }
}

/** Gives a root span the ids of its cause, and every other span random ones. */
class CauseIds implements IdGenerator {
  private readonly random = new RandomIdGenerator();
  private cause: Cause | null = null;

  /** `start` starts the root span of `cause`, synchronously. */
  during<Started>(cause: Cause, start: () => Started): Started {
    this.cause = cause;
    try {
      return start();
    } finally {
      this.cause = null;
    }
  }

  generateTraceId(): string {
    return this.cause ? traceIdOf(this.cause) : this.random.generateTraceId();
  }

  generateSpanId(): string {
    return this.cause?.causationId ?? this.random.generateSpanId();
  }
}

const traceIdOf = ({ correlationId }: Cause): string => correlationId.replaceAll('-', '');

type Spans = Parameters<SpanExporter['export']>[0];
type Answer = Parameters<SpanExporter['export']>[1];

/** Called when the collector stops taking spans, with the reason as a code, and when it takes them again (null). */
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
      if (hasFailed !== this.isFailing) this.onCollector(hasFailed ? reasonOf(result.error) : null);
      this.isFailing = hasFailed;
      answer(result);
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}

/** A code of the system, or the status of the answer. Never the message, which holds what the collector sent. */
const reasonOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { readonly code?: string | number };
  return code?.toString() ?? 'no_answer';
};
