import { AsyncLocalStorage } from 'node:async_hooks';
import { type Cause, isId } from '#kernel';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanKind,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { CauseIds, traceIdOf } from './cause-ids.js';
import type { TracesSettings } from './start-telemetry.js';

/** What a span begins with. */
export interface SpanStart {
  readonly name: string;
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** Places in other traces that it has to do with. */
  readonly links?: readonly SpanContext[];
  /** It is the root of a trace, in the place of this cause. */
  readonly root?: Cause;
  /** It belongs below a span of another process or time. Without either, below the one around it. */
  readonly below?: SpanContext | undefined;
}

const SPAN_ID = /^[0-9a-f]{16}$/;

/** The spans of a process. Ids and sampling are docs/adr/0054's. */
export class Tracing {
  private readonly around = new AsyncLocalStorage<Span>();
  private readonly ids = new CauseIds();
  private readonly share: TraceIdRatioBasedSampler;
  private readonly provider: TracerProvider;
  private readonly tracer;

  /** `program`: what the service is called where the settings do not name it; `exporter`: where the spans go, in batches. */
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

  /** Begins a span, which its caller ends. */
  begin({ name, root, below, links = [], ...more }: SpanStart): Span {
    const options = { ...more, links: links.map((context) => ({ context })) };
    if (root) return this.ids.during(root, () => this.tracer.startSpan(name, options, ROOT_CONTEXT));
    const parent = below ? trace.wrapSpanContext(below) : this.around.getStore();
    return this.tracer.startSpan(name, options, parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT);
  }

  /** Runs `work`, and all that it leads to, inside a span. */
  within<Answer>(span: Span, work: () => Answer): Answer {
    return this.around.run(span, work);
  }

  /** The span around what runs now. */
  get current(): Span | undefined {
    return this.around.getStore();
  }

  /** The place in a trace that these two ids name; null where they name none, or none that is recorded. */
  placeOf(cause: Cause): SpanContext | null {
    if (!isId(cause.correlationId) || !SPAN_ID.test(cause.causationId)) return null;
    const traceId = traceIdOf(cause);
    const { decision } = this.share.shouldSample(ROOT_CONTEXT, traceId);
    if (decision !== SamplingDecision.RECORD_AND_SAMPLED) return null;
    return { traceId, spanId: cause.causationId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  }

  /** Sends what has ended so far. */
  flush(): Promise<void> {
    return this.provider.forceFlush();
  }

  /** Sends what is left, and ends. */
  async stop(): Promise<void> {
    await this.provider.shutdown();
  }
}
