import { describe, expect, it } from '@jest/globals';
import { newCause, RandomIds } from '#kernel';

const ids = new RandomIds();
import { observed } from './testing/observed.js';
import { instrumentedRecovery } from './instrumented-recovery.js';

describe('an instrumented settler', () => {
  it('counts what it took up, and gives each piece of work a trace of its own, linked to its round', async () => {
    const { tracing, metrics, spans, samples } = observed();
    const settler = instrumentedRecovery(tracing, metrics);
    const causes = [newCause(ids), newCause(ids), newCause(ids)] as const;
    await settler.round(async () => {
      await settler.piece('open-checkouts', causes[0], () => Promise.resolve(true));
      await settler.piece('open-checkouts', causes[1], () => Promise.resolve(false));
      await settler.piece('open-mandates', causes[2], () => Promise.reject(new Error('stuck'))).catch(() => undefined);
    });
    expect(await samples('alcada_settler_work_total')).toEqual([
      'alcada_settler_work_total{list="open-checkouts",outcome="settled"} 1',
      'alcada_settler_work_total{list="open-checkouts",outcome="nothing_to_do"} 1',
      'alcada_settler_work_total{list="open-mandates",outcome="failed"} 1',
    ]);
    const ended = await spans();
    const round = ended.at(-1);
    expect([round?.name, round?.attributes['alcada.settler.taken_up']]).toEqual(['settler pass', 3]);
    for (const [place, { correlationId, causationId }] of causes.entries()) {
      const piece = ended[place];
      expect(piece?.spanContext()).toMatchObject({ traceId: correlationId.replaceAll('-', ''), spanId: causationId });
      expect(piece?.links.map(({ context }) => context.spanId)).toEqual([round?.spanContext().spanId]);
    }
  });

  it('sends no span of a round that found nothing, and shows that it lives', async () => {
    const { tracing, metrics, spans, samples } = observed();
    const before = Date.now() / 1_000;
    expect(await samples('alcada_settler_last_round_timestamp_seconds')).toEqual([
      'alcada_settler_last_round_timestamp_seconds 0',
    ]);
    await instrumentedRecovery(tracing, metrics).round(() => Promise.resolve());
    expect(await spans()).toEqual([]);
    const [told = ''] = await samples('alcada_settler_last_round_timestamp_seconds');
    expect(Number(told.split(' ')[1])).toBeGreaterThanOrEqual(before);
  });
});
