import { baseUrlsAt } from '#http';
import { plus } from '#kernel';
import { askedIn, periodSince } from './asked.js';

const NOW = '2026-11-27T20:00:00.000Z';
const URLS = baseUrlsAt('https://voos.example');
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

describe('the period that the page opens with', () => {
  it.each([
    ['there never was a call', null, '24h'],
    ['the first one is of this hour', 30 * MINUTE, '1h'],
    ['it is an hour old to the millisecond', HOUR, '1h'],
    ['it is some hours old', 2 * HOUR, '6h'],
    ['there were calls all day', 23 * HOUR, '24h'],
    ['the last day has none', 3 * DAY, '7d'],
    ['the last month has none', 40 * DAY, '90d'],
    ['nobody has called for longer than any of them', 100 * DAY, '24h'],
  ])('reaches back to the calls there are: %s', (_, ago, name) => {
    expect(periodSince(ago === null ? null : plus(NOW, -ago), NOW).name).toBe(name);
  });

  it('is the one that the address names, if it names one', () => {
    const fitting = periodSince(plus(NOW, -MINUTE), NOW);
    const periodOf = (query: string) => askedIn(`/observability${query}`, URLS, fitting).period.name;
    expect(['', '?periodo=7d', '?periodo=sempre'].map(periodOf)).toEqual(['1h', '7d', '1h']);
  });
});
