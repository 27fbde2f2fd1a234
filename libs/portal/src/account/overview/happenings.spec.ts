import type { MandateEvent, OrderEvent } from '#events';
import { type Instant, instantOf, millisecondsOf, money } from '#kernel';
import type { ReadModels } from '#read-models';
import { shortDayText } from '#site';
import { ManualClock, NOW, projected } from '#testing';
import { samplePayment } from '../../../../booking/src/testing/index.js';
import { MemoryDocuments } from '../../../../documents/src/testing/index.js';
import { type Happening, happeningsProjection } from '../../happenings.projection.js';
import { Happenings, type HappeningsPage } from './happenings.js';

const [AGENT, TRAVELLER] = [
  { holder: 'ana', clientId: 'c' },
  { holder: 'ana', clientId: null },
];
const LIMIT = money(100_00, 'BRL');

describe('what is told of the log', () => {
  const of = (event: MandateEvent, actor: object = AGENT, id = 'm1') =>
    [`mandate-${id}`, event, actor as typeof AGENT] as const;
  const told = (...events: Parameters<typeof projected>[1][]) =>
    Object.entries(projected(happeningsProjection, ...events)).map(([id, { type, at }]) => [id, type, at]);
  const terms = { limit: LIMIT, minutes: 60, startsAt: NOW, expiresAt: NOW };

  it('is once that a traveller permitted a mandate, which is then created', () => {
    const created = { ...terms, ...AGENT, mandateId: 'm1', scope: [], grantedBy: 'traveller' } as const;
    const both = [of({ type: 'MandateApproved', data: terms }), of({ type: 'MandateCreated', data: created })];
    expect(told(...both)).toEqual([['m1@permitted', 'MandateApproved', NOW]]);
    expect(told(...both.slice(1))).toEqual([['m1@permitted', 'MandateCreated', NOW]]);
  });

  it('is once that all agents were paused, however many mandates they had', () => {
    const paused = (pause: number, id: string) =>
      of({ type: 'MandatePaused', data: { pause, pausedAt: NOW } }, AGENT, id);
    expect(told(paused(1, 'm1'), paused(1, 'm2'), paused(2, 'm1')).map(([id]) => id)).toEqual([
      'ana MandatePaused 1',
      'ana MandatePaused 2',
    ]);
  });

  it('is what orders came to, at the time of the charge, and what was refused before there were any', () => {
    const paid: OrderEvent = {
      type: 'OrderPaid',
      data: { ticketCode: '9', payment: { ...samplePayment, capturedAt: '2026-01-01T00:00:00.000Z' }, paidAt: NOW },
    };
    const refused = (orderId: string | null) =>
      of({
        type: 'MandateChargeRefused',
        data: { orderId, reason: 'mandate_limit_exceeded', amount: LIMIT, refusedAt: NOW },
      });
    expect(told(['order-o1', paid, AGENT], refused('o2'))).toEqual([['o1@0', 'OrderPaid', '2026-01-01T00:00:00.000Z']]);
    expect(told(refused(null))).toEqual([['m1@0', 'MandateChargeRefused', NOW]]);
  });

  it('says who did it, what ceiling it left, and whether it was done to all agents', () => {
    const narrowed = { limit: LIMIT, expiresAt: NOW, narrowedAt: NOW };
    const documents = projected(
      happeningsProjection,
      [...of({ type: 'MandateNarrowed', data: narrowed }, TRAVELLER), AGENT],
      [...of({ type: 'MandatePaused', data: { pausedAt: NOW } }, TRAVELLER, 'm2'), AGENT],
      [...of({ type: 'MandatePaused', data: { pause: 1, pausedAt: NOW } }, TRAVELLER, 'm3'), AGENT],
      of({ type: 'MandateRevoked', data: { revokedAt: NOW } }, AGENT, 'm4'),
    );
    const shown = { ...AGENT, at: NOW, revision: 0 };
    expect(Object.values(documents)).toEqual([
      { ...shown, type: 'MandateNarrowed', subject: 'm1', isByAgent: false, limit: LIMIT },
      { ...shown, type: 'MandatePaused', subject: 'm2', isByAgent: false },
      { ...shown, type: 'MandatePaused', subject: 'm3', isByAgent: false, isOfAll: true },
      { ...shown, type: 'MandateRevoked', subject: 'm4', isByAgent: true },
    ]);
  });

  it('is nothing of what names no agent, but for refusals, which auditors list', () => {
    const expired = of({ type: 'MandateExpired', data: { expiredAt: NOW } }, TRAVELLER);
    expect(told(expired)).toEqual([]);
    const data = { orderId: null, reason: 'mandate_limit_exceeded', amount: LIMIT, refusedAt: NOW } as const;
    expect(projected(happeningsProjection, of({ type: 'MandateChargeRefused', data }, TRAVELLER))).toMatchObject({
      'm1@0': { holder: null, clientId: null, refusedAt: NOW, refused: data },
    });
  });
});

describe('what happened for a traveller', () => {
  const store = new MemoryDocuments(new ManualClock());
  const readModels = { upToDate: ({ name }: { name: string }) => Promise.resolve(name) } as unknown as ReadModels;
  const happenings = new Happenings(store, readModels);
  let written = 0;
  const happened = async (holder: string, times: readonly Instant[]) => {
    const writes = times.map((at): Parameters<typeof store.putGuarded>[1][number] => {
      const body: Happening = {
        ...{ holder, clientId: 'c', at, type: 'MandatePaused', subject: 'm1', revision: (written += 1) },
        isByAgent: false,
      };
      return { id: `m1@${written}`, body, position: '1', isNew: true };
    });
    await store.putGuarded('happenings', writes);
  };
  beforeAll(async () => {
    for (const { name, indexes } of [happeningsProjection]) await store.prepare({ name, indexes });
    for (const name of ['mandates', 'orders']) await store.prepare({ name, indexes: [] });
    await store.putGuarded('mandates', [{ id: 'm1', body: { mandateId: 'm1' }, position: '1', isNew: true }]);
  });
  const allOf = async (holder: string): Promise<readonly HappeningsPage[]> => {
    const pages: HappeningsPage[] = [];
    for (let cursor: string | null | undefined; cursor !== null; cursor = pages.at(-1)?.nextCursor ?? null)
      pages.push(await happenings.of(holder, cursor));
    return pages;
  };
  const every = (hours: number, count: number) =>
    Array.from({ length: count }, (_, n) => instantOf(millisecondsOf(NOW) - n * hours * 3_600_000));

  it('is shown whole, newest first, some thirty a page, and by whole days where they are not too full', async () => {
    const times = every(3, 100);
    await happened('ana', times);
    await happened('bruno', every(1, 40));
    const pages = await allOf('ana');
    expect(pages.flatMap(({ items }) => items.map(({ at }) => at))).toEqual(times);
    const days = pages.map(({ items }) => [...new Set(items.map(({ at }) => shortDayText(at)))]);
    expect(new Set(days.flat()).size).toBe(days.flat().length);
    expect(pages.every(({ items, isWithinDay }) => items.length <= 30 && !isWithinDay)).toBe(true);
    expect(pages.slice(0, -1).every(({ items }) => items.length >= 15)).toBe(true);
  });

  it('goes on within a day that is too full for one page', async () => {
    await happened('caio', Array<Instant>(70).fill(NOW));
    const pages = await allOf('caio');
    expect(pages.map(({ items, isWithinDay }) => [items.length, isWithinDay])).toEqual([
      [30, true],
      [30, true],
      [10, false],
    ]);
    expect(new Set(pages.flatMap(({ items }) => items.map(({ revision }) => revision))).size).toBe(70);
    // A page of whole days has half of what one shows, or more.
    for (const [holder, today, lengths] of [
      ['davi', 16, [16, 30, 10]],
      ['eva', 14, [30, 24]],
    ] as const) {
      await happened(holder, [...every(0.5, today), ...Array<Instant>(40).fill('2026-01-13T12:00:00.000Z')]);
      expect((await allOf(holder)).map(({ items }) => items.length)).toEqual(lengths);
    }
  });

  it('is shown to nobody else, and from no cursor of another', async () => {
    const [first] = await allOf('ana');
    await expect(happenings.of('bruno', first?.nextCursor ?? '')).rejects.toThrow('invalid_cursor');
    await expect(happenings.of('ana', 'nada')).rejects.toThrow('invalid_cursor');
    expect((await happenings.of('dora')).items).toEqual([]);
  });
});
