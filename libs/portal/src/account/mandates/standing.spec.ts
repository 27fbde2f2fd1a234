import { plus } from '#kernel';
import type { GrantedMandate, HistoryPage } from '#mandate';
import { NOW } from '#testing';
import { sentenceOf, type Standing } from './standing.js';

const history = { entries: [[{ type: 'MandateNarrowed' }]], nextCursor: null } as unknown as HistoryPage;

describe('a mandate whose validity is over', () => {
  it.each([
    ['that its traveller brought nearer', 20, true],
    ['that stayed when they lowered the ceiling', 30, false],
  ])('says of an end %s whether they did', (_what, minutes, isTheirs) => {
    const expiresAt = plus(NOW, minutes * 60_000);
    const mandate = { startsAt: NOW, minutes: 30, expiresAt, expiredAt: expiresAt, revokedAt: null, constraints: {} };
    const standing = { mandate: mandate as unknown as GrantedMandate, history, now: expiresAt } as Standing;
    expect(sentenceOf(standing).text.includes('que você antecipou')).toBe(isTheirs);
  });
});
