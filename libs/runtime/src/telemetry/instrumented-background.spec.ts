import { type Cause, newCause, RandomIds } from '#kernel';
import type { FoldedBatch } from '#read-models';
import { observed } from './testing/observed.js';
import { instrumentedBatches, instrumentedRecovery } from './instrumented-background.js';
import { Telemetry } from './telemetry.js';

const folded = (...causes: readonly Cause[]): FoldedBatch => ({
  projection: 'orders',
  events: causes.length,
  causes,
  outcome: 'folded',
  seconds: 0.25,
});

const millisecondsIn = ([seconds, nanoseconds]: readonly [number, number]): number => seconds * 1e3 + nanoseconds / 1e6;

describe('an instrumented projection', () => {
  it('belongs into the trace whose events it folds, and links to the request that wrote them', async () => {
    const { instruments, spans, samples } = observed();
    const cause = newCause(new RandomIds());
    instrumentedBatches(instruments)({ ...folded(cause), events: 2 });
    const [batch] = await spans();
    const traceId = cause.correlationId.replaceAll('-', '');
    expect(batch?.spanContext().traceId).toBe(traceId);
    expect(batch?.parentSpanContext?.spanId).toBe(cause.causationId);
    expect(batch?.links.map(({ context }) => context)).toMatchObject([{ traceId, spanId: cause.causationId }]);
    expect(batch?.attributes['alcada.projection.events']).toBe(2);
    expect(batch && millisecondsIn(batch.duration)).toBeGreaterThanOrEqual(249);
    expect(await samples('alcada_projection_events_total')).toEqual([
      'alcada_projection_events_total{projection="orders"} 2',
    ]);
  });

  it('has a trace of its own where it folds the events of several, with a link to each', async () => {
    const { instruments, spans } = observed();
    const causes = [newCause(new RandomIds()), newCause(new RandomIds())];
    instrumentedBatches(instruments)(folded(...causes));
    const [batch] = await spans();
    const ids = causes.map(({ correlationId }) => correlationId.replaceAll('-', ''));
    expect(ids).not.toContain(batch?.spanContext().traceId);
    expect(batch?.parentSpanContext).toBeUndefined();
    expect(batch?.links.map(({ context }) => context.traceId)).toEqual(ids);
  });

  it('links to no trace where an event has none: events of old, imports, the choice of a caller', async () => {
    const { instruments, spans } = observed();
    const { correlationId, causationId } = newCause(new RandomIds());
    const causes = [
      { correlationId, causationId: correlationId },
      { correlationId: 'catalog-import', causationId: 'catalog-import' },
      { correlationId: causationId, causationId },
    ];
    instrumentedBatches(instruments)(folded(...causes));
    expect((await spans())[0]?.links).toEqual([]);
  });

  it('knows by an id alone whether the trace was recorded, in whatever process', async () => {
    const { instruments, tracing, spans } = observed(0.5);
    const causes = Array.from({ length: 100 }, () => newCause(new RandomIds()));
    const recorded = causes.filter((cause) => tracing.start({ name: 'request', root: cause }).isRecording());
    expect(recorded.length).toBeGreaterThan(20);
    expect(recorded.length).toBeLessThan(80);
    for (const cause of causes) instrumentedBatches(instruments)(folded(cause));
    const linked = (await spans()).flatMap(({ links }) => links.map(({ context }) => context.spanId));
    expect(linked.sort()).toEqual(recorded.map(({ causationId }) => causationId).sort());
  });

  it('says when another projector was ahead, and when it failed', async () => {
    const { instruments, samples, spans } = observed();
    const batches = instrumentedBatches(instruments);
    batches({ ...folded(newCause(new RandomIds())), outcome: 'overtaken' });
    batches({ ...folded(), outcome: 'failed' });
    expect(await samples('alcada_projection_batch_duration_seconds')).toEqual([
      'alcada_projection_batch_duration_seconds_count{projection="orders",outcome="overtaken"} 1',
      'alcada_projection_batch_duration_seconds_count{projection="orders",outcome="failed"} 1',
    ]);
    expect((await spans()).map(({ attributes }) => attributes['error.type'])).toEqual([undefined, 'failed']);
  });
});

describe('witnesses of the log', () => {
  it('are counted by their names, and by whether they cosign', async () => {
    const { instruments, samples } = observed();
    const { witnesses } = new Telemetry(instruments);
    for (const outcome of ['cosigned', 'cosigned', 'refused'] as const) witnesses('W', outcome);
    expect(await samples('alcada_tlog_witness_offers_total')).toEqual([
      'alcada_tlog_witness_offers_total{witness="W",outcome="cosigned"} 2',
      'alcada_tlog_witness_offers_total{witness="W",outcome="refused"} 1',
    ]);
  });
});

describe('mails to travellers', () => {
  it('are counted by what became of them, and not by whom they were for', async () => {
    const { instruments, samples } = observed();
    const { mails } = new Telemetry(instruments);
    for (const outcome of ['sent', 'failed', 'sent'] as const) mails(outcome);
    expect(await samples('alcada_mails_total')).toEqual([
      'alcada_mails_total{outcome="sent"} 2',
      'alcada_mails_total{outcome="failed"} 1',
    ]);
  });
});

describe('an instrumented recovery worker', () => {
  it('counts what it took up, and gives each piece of work a trace of its own, linked to its round', async () => {
    const { instruments, spans, samples } = observed();
    const recovery = instrumentedRecovery(instruments);
    const causes = [newCause(new RandomIds()), newCause(new RandomIds()), newCause(new RandomIds())] as const;
    await recovery.round(async () => {
      await recovery.piece('open-checkouts', causes[0], () => Promise.resolve(true));
      await recovery.piece('open-checkouts', causes[1], () => Promise.resolve(false));
      await recovery.piece('open-mandates', causes[2], () => Promise.reject(new Error('stuck'))).catch(() => undefined);
    });
    expect(await samples('alcada_recovery_work_total')).toEqual([
      'alcada_recovery_work_total{list="open-checkouts",outcome="finished"} 1',
      'alcada_recovery_work_total{list="open-checkouts",outcome="nothing_to_do"} 1',
      'alcada_recovery_work_total{list="open-mandates",outcome="failed"} 1',
    ]);
    const ended = await spans();
    const round = ended.at(-1);
    expect([round?.name, round?.attributes['alcada.recovery.taken_up']]).toEqual(['recovery pass', 3]);
    for (const [place, { correlationId, causationId }] of causes.entries()) {
      const piece = ended[place];
      expect(piece?.spanContext()).toMatchObject({ traceId: correlationId.replaceAll('-', ''), spanId: causationId });
      expect(piece?.links.map(({ context }) => context.spanId)).toEqual([round?.spanContext().spanId]);
    }
  });

  it('sends no span of a round that found nothing, and shows that it lives', async () => {
    const { instruments, spans, samples } = observed();
    const before = Date.now() / 1_000;
    expect(await samples('alcada_recovery_last_round_timestamp_seconds')).toEqual([
      'alcada_recovery_last_round_timestamp_seconds 0',
    ]);
    await instrumentedRecovery(instruments).round(() => Promise.resolve());
    expect(await spans()).toEqual([]);
    const [told = ''] = await samples('alcada_recovery_last_round_timestamp_seconds');
    expect(Number(told.split(' ')[1])).toBeGreaterThanOrEqual(before);
  });
});
