import type { DelegationEvent, MandateEvent } from '#events';
import { money, plus } from '#kernel';
import { NOW, projected } from '#testing';
import { mandatesProjection } from './read-mandates/mandates.projection.js';
import { openMandatesProjection } from './open-mandates.projection.js';

const LIMIT = money(100_00, 'BRL');
const EXPIRES = plus(NOW, 3_600_000);
const HOLD_BEFORE = plus(NOW, 60_000);
const of = (event: MandateEvent) => ['mandate-m1', event] as const;
const ofDelegation = (event: DelegationEvent) => ['delegation-ana.my.agent', event] as const;

const created = of({
  type: 'MandateCreated',
  data: {
    mandateId: 'm1',
    holder: 'ana',
    clientId: 'my.agent',
    scope: ['order:write', 'payment:execute'],
    limit: LIMIT,
    minutes: 60,
    startsAt: NOW,
    expiresAt: EXPIRES,
    grantedBy: 'agent',
  },
});
const reserved = (amount: number) =>
  of({
    type: 'MandateReserved',
    data: { orderId: 'o1', bookingId: 'b1', amount: money(amount, 'BRL'), holdBefore: HOLD_BEFORE, reservedAt: NOW },
  });
const consumed = (amount: number) =>
  of({ type: 'MandateConsumed', data: { orderId: 'o1', amount: money(amount, 'BRL'), consumedAt: NOW } });
const revoked = of({ type: 'MandateRevoked', data: { revokedAt: NOW } });
const expired = of({ type: 'MandateExpired', data: { expiredAt: EXPIRES } });
const abandoned = of({ type: 'MandateAbandoned', data: { mandateId: 'm1', abandonedAt: NOW } });
const opened = ofDelegation({
  type: 'MandateOpened',
  data: { mandateId: 'm1', limit: LIMIT, expiresAt: EXPIRES, openedAt: NOW },
});
const closed = ofDelegation({
  type: 'MandateClosed',
  data: { mandateId: 'm1', consumed: money(0, 'BRL'), closedAt: NOW },
});

describe('the list of mandates', () => {
  const listed = (...events: Parameters<typeof projected>[1][]) => projected(mandatesProjection, ...events);

  it('has a mandate as it stands', () =>
    expect(listed(created, reserved(30_00))).toMatchObject({
      m1: {
        holder: 'ana',
        startsAt: NOW,
        expiresAt: EXPIRES,
        consumed: 0,
        reservations: [{ orderId: 'o1', amount: 30_00 }],
      },
    }));

  it.each([
    ['open while something is left', [created, reserved(30_00), consumed(30_00)], 'open'],
    ['open while the rest is only reserved', [created, reserved(100_00)], 'open'],
    ['exhausted once all was consumed', [created, reserved(100_00), consumed(100_00)], 'exhausted'],
    ['expired', [created, expired], 'expired'],
    ['revoked, whatever it was', [created, reserved(100_00), consumed(100_00), expired, revoked], 'revoked'],
  ])('tells that it is %s', (_, events, phase) => expect(listed(...events)).toMatchObject({ m1: { phase } }));

  it('does not have one that was never created', () => expect(listed(abandoned)).toEqual({}));
});

describe('the open mandates', () => {
  const open = (...events: Parameters<typeof projected>[1][]) => projected(openMandatesProjection, ...events);
  const agent = { holder: 'ana', clientId: 'my.agent' };

  it('are looked after when they were opened and not created for a minute', () =>
    expect(open(opened)).toEqual({ m1: { ...agent, dueAt: plus(NOW, 60_000) } }));

  it('are looked after at their end', () => {
    expect(open(opened, created)).toEqual({ m1: { ...agent, dueAt: EXPIRES } });
    expect(open(opened, created, revoked)).toEqual({ m1: { ...agent, dueAt: NOW } });
  });

  it('are looked after at once when a cap or their agent’s end ends them, also where they are created after that (rule 28)', () => {
    const later = plus(NOW, 1_000);
    const ended: readonly DelegationEvent[] = [
      { type: 'SpendingCapSet', data: { cap: LIMIT, ending: ['m1'], setAt: later } },
      { type: 'AgentRevoked', data: { openMandates: ['m1'], revokedAt: later } },
    ];
    for (const event of ended) {
      expect(open(opened, created, ofDelegation(event))).toEqual({ m1: { ...agent, dueAt: later, isEnding: true } });
      expect(open(opened, ofDelegation(event), created)).toEqual({ m1: { ...agent, dueAt: later, isEnding: true } });
    }
    const kept = ofDelegation({ type: 'SpendingCapSet', data: { cap: LIMIT, ending: [], setAt: later } });
    expect(open(opened, created, kept)).toEqual(open(opened, created));
  });

  it('are looked after at their new end when they are narrowed, unless they are to end at once (rule 29)', () => {
    const sooner = plus(NOW, 1_800_000);
    const narrowed = of({ type: 'MandateNarrowed', data: { limit: LIMIT, expiresAt: sooner, narrowedAt: NOW } });
    expect(open(opened, created, narrowed)).toEqual({ m1: { ...agent, dueAt: sooner } });
    const end = ofDelegation({ type: 'AgentRevoked', data: { openMandates: ['m1'], revokedAt: NOW } });
    expect(open(opened, created, end, narrowed)).toEqual({ m1: { ...agent, dueAt: NOW, isEnding: true } });
  });

  it('do not move with what is spent', () =>
    expect(open(opened, created, reserved(30_00), consumed(30_00))).toEqual(open(opened, created)));

  it('are no more once the delegation has closed them', () =>
    expect(open(opened, created, revoked, closed)).toEqual({}));
});
