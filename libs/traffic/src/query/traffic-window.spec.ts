import fc from 'fast-check';
import { DomainError, instantOf } from '#kernel';
import { BUCKETS, LENGTH } from '../figures/buckets.rule.js';
import { longestSpans, bucketStarts, trafficWindow, type WindowRequest, previousWindow } from './traffic-window.js';

const NOW = '2026-03-15T12:34:56.789Z';
const refusalOf = (request: WindowRequest): unknown => {
  try {
    return trafficWindow(request, NOW);
  } catch (error) {
    return error instanceof DomainError ? error.code : error;
  }
};

describe('the window of traffic', () => {
  it('is the last 24 hours, in hours, by default', () => {
    expect(trafficWindow({}, NOW)).toEqual({
      from: '2026-03-14T12:00:00.000Z',
      to: '2026-03-15T13:00:00.000Z',
      bucket: 'hour',
    });
  });

  it.each([
    ['2026-03-15T07:00:00.000Z', 'minute'],
    ['2026-03-01T00:00:00.000Z', 'hour'],
    ['2026-01-01T00:00:00.000Z', 'day'],
  ])('that begins at %s has buckets of a %s by default', (from, bucket) => {
    expect(trafficWindow({ from }, NOW).bucket).toBe(bucket);
  });

  it('ends with the bucket that has begun', () => {
    const { to } = trafficWindow({ to: '2027-01-01T00:00:00.000Z', bucket: 'minute' }, NOW);
    expect(to).toBe('2026-03-15T12:35:00.000Z');
  });

  it.each([
    ['that ends before it begins', { from: '2026-03-15T00:00:00.000Z', to: '2026-03-14T00:00:00.000Z' }],
    ['of nothing', { from: '2026-03-15T00:00:00.000Z', to: '2026-03-15T00:00:00.000Z' }],
    ['of the future', { from: '2026-03-16T00:00:00.000Z' }],
    ['of minutes too old', { from: '2026-03-13T12:33:00.000Z', to: '2026-03-13T13:00:00.000Z', bucket: 'minute' }],
    ['of hours too old', { from: '2025-12-01T00:00:00.000Z', to: '2025-12-02T00:00:00.000Z', bucket: 'hour' }],
    ['of too many days', { from: '2000-01-01T00:00:00.000Z', bucket: 'day' }],
  ] as const)('is refused if it is one %s', (_, request) => {
    expect(refusalOf(request)).toBe('invalid_window');
  });

  it('may cover all that is kept: 48 hours of minutes, 90 days of hours', () => {
    expect(refusalOf({ from: '2026-03-13T12:34:56.789Z', bucket: 'minute' })).toMatchObject({ bucket: 'minute' });
    expect(refusalOf({ from: '2025-12-15T12:34:56.789Z', bucket: 'hour' })).toMatchObject({ bucket: 'hour' });
  });

  it.each([
    ['minute', '2026-03-15T06:34:56.789Z', '2026-03-15T06:33:00.000Z'],
    ['hour', '2026-03-08T12:34:56.789Z', '2026-03-08T11:00:00.000Z'],
    ['day', '2025-03-15T00:00:00.000Z', '2025-03-13T00:00:00.000Z'],
  ] as const)('that is filtered may cover so much by the %s, and no more', (bucket, from, earlier) => {
    expect(trafficWindow({ from, bucket }, NOW, true)).toMatchObject({ bucket });
    expect(() => trafficWindow({ from: earlier, bucket }, NOW, true)).toThrow(
      expect.objectContaining({ code: 'invalid_window' }),
    );
  });

  it('that is filtered and names no buckets has such as may cover it', () => {
    expect(trafficWindow({ from: '2026-03-09T00:00:00.000Z' }, NOW, true).bucket).toBe('hour');
    expect(trafficWindow({ from: '2026-03-01T00:00:00.000Z' }, NOW, true).bucket).toBe('day');
  });

  it('is compared with the same part of the window before it, as long as that is kept', () => {
    const day = trafficWindow({}, NOW);
    expect(previousWindow(day, NOW)).toEqual({
      from: '2026-03-13T11:00:00.000Z',
      to: '2026-03-14T11:34:00.000Z',
      bucket: 'minute',
    });
    const week = trafficWindow({ from: '2026-03-08T12:00:00.000Z', bucket: 'hour' }, NOW);
    expect(previousWindow(week, NOW)).toMatchObject({ to: '2026-03-08T11:00:00.000Z', bucket: 'hour' });
    const over = trafficWindow({ from: '2026-03-10T00:00:00.000Z', to: '2026-03-11T00:00:00.000Z' }, NOW);
    expect(previousWindow(over, NOW)).toMatchObject({ from: '2026-03-09T00:00:00.000Z', to: over.from });
    expect(previousWindow(trafficWindow({ from: '2026-01-20T00:00:00.000Z', bucket: 'hour' }, NOW), NOW)).toBeNull();
  });

  it('is filled by its spans without a gap or an overlap, the longest buckets first', () => {
    const ms = fc.integer({ min: 0, max: 60 * 86_400_000 });
    fc.assert(
      fc.property(ms, ms, fc.constantFrom(...BUCKETS), (one, other, bucket) => {
        const length = LENGTH[bucket];
        const [from, to] = [Math.min(one, other), Math.max(one, other) + length].map((at) =>
          instantOf(at - (at % length)),
        );
        const spans = [...longestSpans({ from: from ?? '', to: to ?? '', bucket })].sort((a, b) =>
          a.from < b.from ? -1 : 1,
        );
        expect([spans[0]?.from, spans.at(-1)?.to]).toEqual([from, to]);
        for (const [place, span] of spans.entries()) {
          if (place > 0) expect(span.from).toBe(spans[place - 1]?.to);
          expect(Date.parse(span.from) % LENGTH[span.bucket]).toBe(0);
        }
        // A month of minutes must not be read as minutes.
        const buckets = spans.reduce((sum, span) => sum + bucketStarts(span, to ?? '').length, 0);
        expect(buckets).toBeLessThanOrEqual(62 + 2 * 24 + 2 * 60);
      }),
    );
  });
});
