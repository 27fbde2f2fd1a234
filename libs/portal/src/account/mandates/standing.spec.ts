import { plus } from '#kernel';
import type { GrantedMandate, HistoryPage } from '#mandate';
import { NOW } from '#testing';
import type { Session } from '#identity';
import { actionsOf, sentenceOf, type Standing } from './standing.js';

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

describe('the buttons of a mandate', () => {
  const [byItself, withAll] = [{ pausedAt: NOW }, { pauseOfAll: { pause: 1, isOn: true } }];
  it.each<[string, object, readonly string[]]>([
    ['is in force', {}, ['Pausar', 'Reduzir…', 'Encerrar…']],
    ['is paused', byItself, ['Retomar', 'Reduzir…', 'Encerrar…']],
    ['is paused with all agents', withAll, ['Retomar tudo…', 'Reduzir…', 'Encerrar…']],
    ['is paused in both ways', { ...byItself, ...withAll }, ['Retomar tudo…', 'Retomar', 'Reduzir…', 'Encerrar…']],
    ['has spent all', { consumed: 100 }, ['Encerrar…']],
    ['admits no further order', { constraints: { maxOrders: 1 }, paidOrders: 1 }, ['Encerrar…']],
    ['was revoked', { revokedAt: NOW }, []],
  ])('that %s are those that make sense', (_, change, buttons) => {
    const mandate = {
      ...{ mandateId: 'm', limit: { amount: 100, currency: 'BRL' }, consumed: 0, paidOrders: 0, reservations: [] },
      ...{ constraints: {}, pausedAt: null, revokedAt: null, expiredAt: null, expiresAt: plus(NOW, 60_000) },
      ...change,
    } as unknown as GrantedMandate;
    const shown = actionsOf({ mandate, now: NOW } as Standing, { id: 's' } as Session);
    const texts = (shown ? shown.text : '').match(/(?<=<(?:a|button)[^>]*>)[^<]+(?=<)/g);
    expect(texts ?? []).toEqual(buttons);
  });
});
