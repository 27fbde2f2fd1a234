import fc from 'fast-check';
import type { Constraints, MandateEvent } from '#events';
import { DomainError, fold, type Instant, money, type Money, plus } from '#kernel';
import { NOW, scenarios } from '#testing';
import type { MandateCommand } from './mandate.commands.js';
import { type ChargeRefusal, type ConstraintName, refusedCharge } from './charge.rule.js';
import { mandateDecider, mandates, REFUSALS_WRITTEN_AN_HOUR } from './mandate.decider.js';
import { SHORTEST_REST } from './traveller-decisions.rule.js';
import { remainingOf, reservedOf, statusOf } from './mandate.state.js';

const given = scenarios(mandateDecider);
const LIMIT = money(1000_00, 'BRL');
const EXPIRES = plus(NOW, 60 * 60_000);
const HOLD_BEFORE = plus(NOW, 60_000);
const brl = (amount: number): Money => money(amount, 'BRL');
const agent = { holder: 'ana', clientId: 'pilot' };
const terms = {
  mandateId: 'm1',
  ...agent,
  scope: ['order:write', 'payment:execute'] as const,
  limit: LIMIT,
  minutes: 60,
  startsAt: NOW,
  expiresAt: EXPIRES,
  grantedBy: 'agent' as const,
};

const created = (changes: object = {}): MandateEvent => ({ type: 'MandateCreated', data: { ...terms, ...changes } });
const reserved = (amount: number, orderId = 'o1', reservedAt: Instant = NOW): MandateEvent => ({
  type: 'MandateReserved',
  data: { orderId, bookingId: 'b1', amount: brl(amount), holdBefore: HOLD_BEFORE, reservedAt },
});
const consumed = (amount: number, orderId = 'o1'): MandateEvent => ({
  type: 'MandateConsumed',
  data: { orderId, amount: brl(amount), consumedAt: NOW },
});
const released = (amount: number, orderId = 'o1', releasedAt: Instant = NOW): MandateEvent => ({
  type: 'MandateReleased',
  data: { orderId, amount: brl(amount), holdBefore: HOLD_BEFORE, releasedAt },
});
const chargeRefused = (
  reason: Extract<MandateEvent, { type: 'MandateChargeRefused' }>['data']['reason'],
  amount: Money,
  orderId: string | null = 'o1',
  refusedAt: Instant = NOW,
): MandateEvent => ({
  type: 'MandateChargeRefused',
  data: { orderId, reason, amount, refusedAt, bookingId: 'b1', ...purchase },
});
const violated = (amount: number, allowed: Constraints): MandateEvent => ({
  type: 'MandateChargeRefused',
  data: {
    orderId: 'o1',
    reason: 'mandate_constraint_violated',
    constraint: Object.keys(allowed)[0] as ConstraintName,
    allowed,
    amount: brl(amount),
    refusedAt: NOW,
    bookingId: 'b1',
    ...purchase,
  },
});
const paused: MandateEvent = { type: 'MandatePaused', data: { pausedAt: NOW } };
const resumed: MandateEvent = { type: 'MandateResumed', data: { resumedAt: NOW } };
const narrowed = (amount: number, expiresAt: Instant = EXPIRES): MandateEvent => ({
  type: 'MandateNarrowed',
  data: { limit: brl(amount), expiresAt, narrowedAt: NOW },
});
const revoked: MandateEvent = { type: 'MandateRevoked', data: { revokedAt: NOW } };

/** A flight from Guarulhos to Recife, at R$ 500 a seat. */
const purchase = { flightNumber: 'AL4012', from: 'GRU', to: 'REC', unitPrice: brl(500_00) };

const reserve = (amount: number, changes: object = {}): MandateCommand => ({
  type: 'Reserve',
  orderId: 'o1',
  bookingId: 'b1',
  ...agent,
  amount: brl(amount),
  purchase,
  holdBefore: HOLD_BEFORE,
  ...changes,
});
const judge = (amount: number): MandateCommand => ({
  type: 'AuthorizeCharge',
  ...agent,
  bookingId: 'b1',
  amount: brl(amount),
  purchase,
});
const release: MandateCommand = { type: 'Release', orderId: 'o1', holdBefore: HOLD_BEFORE };

describe('a mandate', () => {
  it('is created once', () => {
    given()
      .when({ type: 'CreateMandate', ...terms })
      .then(created());
    given(created())
      .when({ type: 'CreateMandate', ...terms })
      .then();
  });

  it('is not created after it was abandoned (rule 19)', () =>
    given({ type: 'MandateAbandoned', data: { mandateId: 'm1', abandonedAt: NOW } })
      .when({ type: 'CreateMandate', ...terms })
      .refuses('service_unavailable'));

  it('reserves up to the last cent of its ceiling', () =>
    given(created()).when(reserve(1000_00)).then(reserved(1000_00)));

  it('refuses a charge one cent above its ceiling', () =>
    given(created())
      .when(reserve(1000_01))
      .then(chargeRefused('mandate_limit_exceeded', brl(1000_01))));

  it('refuses a charge above what remains beside an open reservation', () =>
    given(created(), reserved(999_00, 'o0'))
      .when(reserve(2_00))
      .then(chargeRefused('mandate_limit_exceeded', brl(2_00))));

  it('refuses a charge above what remains after consumption', () =>
    given(created(), reserved(999_00, 'o0'), consumed(999_00, 'o0'))
      .when(reserve(2_00))
      .then(chargeRefused('mandate_limit_exceeded', brl(2_00))));

  it('gives back what a released order had reserved', () =>
    given(created(), reserved(1000_00, 'o0'), released(1000_00, 'o0')).when(reserve(1000_00)).then(reserved(1000_00)));

  it('refuses a charge once it is revoked', () =>
    given(created(), revoked)
      .when(reserve(1_00))
      .then(chargeRefused('mandate_revoked', brl(1_00))));

  it('refuses a charge from the instant of its expiry on', () => {
    const late = { holdBefore: plus(EXPIRES, 60_000) };
    given(created())
      .when(reserve(1_00, late), EXPIRES)
      .then(chargeRefused('mandate_expired', brl(1_00), 'o1', EXPIRES));
    const before = plus(EXPIRES, -1);
    given(created()).when(judge(1_00), before).then();
  });

  it('names revocation before expiry, and both before the ceiling (rule 17)', () =>
    given(created(), revoked)
      .when(judge(2000_00), EXPIRES)
      .then(chargeRefused('mandate_revoked', brl(2000_00), null, EXPIRES)));

  it('refuses a charge it does not cover in scope', () =>
    given(created({ scope: ['order:write'] }))
      .when(reserve(1_00))
      .then(chargeRefused('mandate_scope_insufficient', brl(1_00))));

  it('lets mandates of AP2 order what it pays, where its scope is to pay alone', () => {
    const pays = created({ scope: ['payment:execute'] });
    const by = (event: MandateEvent) => ({ ...event, data: { ...event.data, ap2: true } }) as MandateEvent;
    const byAp2 = (amount: number) => reserve(amount, { ap2: true });
    given(pays)
      .when(byAp2(1_00))
      .then(by(reserved(1_00)));
    given(pays)
      .when(byAp2(9000_00))
      .then(by(chargeRefused('mandate_limit_exceeded', brl(9000_00))));
    const uncovered = chargeRefused('mandate_scope_insufficient', brl(1_00));
    given(pays).when(reserve(1_00)).then(uncovered);
    given(created({ scope: ['order:write'] }))
      .when(byAp2(1_00))
      .then(by(uncovered));
  });

  it('refuses a charge in another currency', () => {
    const amount = money(1_00, 'USD');
    given(created()).when(reserve(0, { amount })).then(chargeRefused('currency_mismatch', amount));
  });

  it.each([
    ['from', { from: ['VCP', 'CGH'] }],
    ['to', { to: ['SSA'] }],
    ['maxPricePerSeat', { maxPricePerSeat: brl(499_99) }],
    ['orderTotal', { orderTotal: { max: brl(4999_99) } }],
    ['orderTotal', { orderTotal: { min: brl(5000_01), max: brl(9000_00) } }],
  ] as const)('refuses a purchase that its constraint %s forbids, before it looks at the ceiling', (_, constraints) => {
    given(created({ constraints })).when(reserve(5000_00)).then(violated(5000_00, constraints));
    given(created({ constraints, scope: ['order:write'] }))
      .when(reserve(1_00))
      .then(chargeRefused('mandate_scope_insufficient', brl(1_00)));
  });

  it('allows a purchase at the edge of its constraints', () => {
    const constraints = {
      from: ['GRU'],
      to: ['SSA', 'REC'],
      maxPricePerSeat: brl(500_00),
      maxOrders: 2,
      orderTotal: { min: brl(500_00), max: brl(500_00) },
    };
    given(created({ constraints }), reserved(1_00, 'o0'), consumed(1_00, 'o0'))
      .when(reserve(500_00))
      .then(reserved(500_00));
  });

  it('counts the orders that it pays or has money reserved for, and none that was released', () => {
    const one = created({ constraints: { maxOrders: 2 } });
    const paid = [one, reserved(1_00, 'o0'), consumed(1_00, 'o0')];
    given(paid, reserved(1_00, 'o2'))
      .when(reserve(1_00))
      .then(violated(1_00, { maxOrders: 2 }));
    given(paid, reserved(1_00, 'o2'), released(1_00, 'o2')).when(reserve(1_00)).then(reserved(1_00));
  });

  it('names the constraint to an agent, with its value, also once no more refusals are written', () => {
    const refusals = Array.from({ length: REFUSALS_WRITTEN_AN_HOUR }, () => violated(1_00, { maxOrders: 2 }));
    given(created({ constraints: { to: ['SSA'] } }), refusals)
      .when(judge(1_00))
      .refuses('mandate_constraint_violated', { constraint: 'to', value: ['SSA'] });
  });

  it('is unknown to another holder and writes nothing for them (rule 18)', () => {
    given(created())
      .when(reserve(1_00, { holder: 'bruno' }))
      .refuses('invalid_mandate');
    given().when(reserve(1_00)).refuses('invalid_mandate');
  });

  it('is spent only by the client it is bound to, and writes nothing for another (rule 18)', () =>
    given(created())
      .when(reserve(1_00, { clientId: 'other' }))
      .refuses('mandate_client_mismatch'));

  it('judges a charge without reserving it (rule 1)', () => {
    given(created()).when(judge(1_00)).then();
    given(created())
      .when(judge(1000_01))
      .then(chargeRefused('mandate_limit_exceeded', brl(1000_01), null));
  });

  it('writes at most 20 refusals an hour and raises the others (rule 18)', () => {
    const refusals = Array.from({ length: REFUSALS_WRITTEN_AN_HOUR }, () =>
      chargeRefused('mandate_limit_exceeded', brl(2000_00), null),
    );
    given(created(), refusals)
      .when(judge(2000_00))
      .refuses('mandate_limit_exceeded', { required: brl(2000_00), remaining: LIMIT });
    const nextHour = plus(NOW, 59 * 60_000 + 60_000 - 1);
    given(created({ expiresAt: plus(NOW, 1e8) }), refusals)
      .when(judge(2000_00), plus(nextHour, 1))
      .then(chargeRefused('mandate_limit_exceeded', brl(2000_00), null, plus(nextHour, 1)));
  });

  it('counts the refusals of each hour from nothing (rule 18)', () => {
    const refusedAt = (at: Instant, count: number) =>
      Array.from({ length: count }, () => chargeRefused('mandate_limit_exceeded', brl(2000_00), null, at));
    const [last, nextHour] = [REFUSALS_WRITTEN_AN_HOUR - 1, plus(NOW, 3_600_000)];
    const long = created({ expiresAt: plus(NOW, 1e8) });
    given(long, ...refusedAt(NOW, last))
      .when(judge(2000_00))
      .then(...refusedAt(NOW, 1));
    given(long, ...refusedAt(NOW, last + 1), ...refusedAt(nextHour, last))
      .when(judge(2000_00), nextHour)
      .then(...refusedAt(nextHour, 1));
  });

  it('tells of itself only what concerns the refusal', () => {
    const state = fold(mandateDecider, [created({ constraints: { maxOrders: 1 } })]);
    if (state.kind !== 'granted') throw new Error('it is granted');
    const detailsOf = (refusal: Omit<ChargeRefusal, 'amount'>) =>
      refusedCharge({ ...refusal, amount: brl(1) }, state).details;
    expect(detailsOf({ reason: 'mandate_revoked' })).toBeUndefined();
    expect(detailsOf({ reason: 'mandate_limit_exceeded' })).toEqual({ required: brl(1), remaining: LIMIT });
    const constraint = { constraint: 'maxOrders' } as const;
    expect(detailsOf({ reason: 'mandate_constraint_violated', ...constraint })).toEqual({ ...constraint, value: 1 });
  });

  it('is what its own stream says, from its creation on: nothing of it comes to nothing', () => {
    expect(mandates.streamOf('m1')).toBe('mandate-m1');
    const abandoned: MandateEvent = { type: 'MandateAbandoned', data: { mandateId: 'm1', abandonedAt: NOW } };
    for (const nothing of [[], [abandoned]]) {
      const state = fold(mandateDecider, nothing);
      expect(fold(mandateDecider, [...nothing, reserved(1), paused, revoked])).toEqual(state);
      for (const command of [{ type: 'Consume', orderId: 'o1' }, release, { type: 'Expire' }] as const)
        given(nothing).when(command, EXPIRES).then();
    }
  });

  it('reserves once for an order', () => given(created(), reserved(10_00)).when(reserve(10_00)).then());

  it('reserves until holdBefore, and nothing later (rule 6)', () => {
    given(created())
      .when(reserve(1_00), HOLD_BEFORE)
      .then(reserved(1_00, 'o1', HOLD_BEFORE));
    given(created()).when(reserve(1_00), plus(HOLD_BEFORE, 1)).refuses('service_unavailable');
  });

  it('keeps a fence for as long as its order might still reserve (rule 6)', () => {
    const last = chargeRefused('mandate_limit_exceeded', brl(2000_00), null, HOLD_BEFORE);
    given(created(), released(0), last).when(reserve(1_00), HOLD_BEFORE).refuses('service_unavailable');
    given(created(), last)
      .when(release, HOLD_BEFORE)
      .then(released(0, 'o1', HOLD_BEFORE));
  });

  it('records the release of what was never reserved, and then refuses that order (rule 6)', () => {
    given(created()).when(release).then(released(0));
    given(created(), released(0)).when(reserve(1_00)).refuses('service_unavailable');
  });

  it('refuses an order that was released, though it had reserved before (rule 6)', () =>
    given(created(), reserved(1_00), released(1_00)).when(reserve(1_00)).refuses('service_unavailable'));

  it('releases what is reserved however late, so that no money stays set aside', () => {
    const late = plus(HOLD_BEFORE, 1);
    given(created(), reserved(1_00), released(0, 'o2', late))
      .when(release, late)
      .then(released(1_00, 'o1', late));
  });

  it('releases once', () => given(created(), reserved(1_00), released(1_00)).when(release).then());

  it('needs no fence once its own time is past holdBefore, but does while only our clock is (rule 6)', () => {
    const late = plus(HOLD_BEFORE, 1);
    given(created(), released(0, 'o2', late))
      .when(release, late)
      .then();
    given(created())
      .when(release, late)
      .then(released(0, 'o1', late));
  });

  it('forgets a fence past its holdBefore, when a later event comes', () => {
    const later = plus(HOLD_BEFORE, 1);
    const fencesAfter = (...events: MandateEvent[]) => {
      const state = fold(mandateDecider, [created(), ...events]);
      return state.kind === 'granted' && state.fences;
    };
    expect(fencesAfter(released(0))).toEqual([{ orderId: 'o1', holdBefore: HOLD_BEFORE }]);
    expect(fencesAfter(released(0), chargeRefused('mandate_limit_exceeded', brl(1), null, later))).toEqual([]);
  });

  it('consumes an open reservation whatever its status (rule 9)', () => {
    const consume: MandateCommand = { type: 'Consume', orderId: 'o1' };
    given(created(), reserved(10_00), revoked).when(consume).then(consumed(10_00));
    given(created(), reserved(10_00), consumed(10_00)).when(consume).then();
    given(created()).when(consume).then();
  });

  it('is revoked by its holder, once', () => {
    given(created()).when({ type: 'Revoke', holder: 'ana' }).then(revoked);
    given(created(), revoked).when({ type: 'Revoke', holder: 'ana' }).then();
    given(created()).when({ type: 'Revoke', holder: 'ana' }, EXPIRES).then();
  });

  it('is not revoked by another holder, nor when unknown', () => {
    given(created()).when({ type: 'Revoke', holder: 'bruno' }).refuses('mandate_forbidden');
    given().when({ type: 'Revoke', holder: 'ana' }).refuses('mandate_not_found');
  });

  it('expires once, and not before its time (rule 16)', () => {
    const expired: MandateEvent = { type: 'MandateExpired', data: { expiredAt: EXPIRES } };
    given(created()).when({ type: 'Expire' }, EXPIRES).then(expired);
    given(created(), expired).when({ type: 'Expire' }, EXPIRES).then();
    given(created(), revoked).when({ type: 'Expire' }, EXPIRES).then();
    given(created()).when({ type: 'Expire' }, plus(EXPIRES, -1)).then();
  });

  it('stays expired, whatever a clock says afterwards (rule 16)', () => {
    const expired: MandateEvent = { type: 'MandateExpired', data: { expiredAt: EXPIRES } };
    given(created(), expired)
      .when(judge(1_00), NOW)
      .then(chargeRefused('mandate_expired', brl(1_00), null));
  });

  it('is paused and resumed by its holder, and refuses charges in between', () => {
    given(created()).when({ type: 'Pause', holder: 'ana' }).then(paused);
    given(created(), paused).when({ type: 'Pause', holder: 'ana' }).then();
    given(created(), paused)
      .when(reserve(1_00))
      .then(chargeRefused('mandate_paused', brl(1_00)));
    given(created(), paused).when({ type: 'Resume', holder: 'ana' }).then(resumed);
    given(created()).when({ type: 'Resume', holder: 'ana' }).then();
    given(created(), paused, resumed).when(reserve(1_00)).then(reserved(1_00));
  });

  it('is neither paused nor resumed once it is over, and by nobody else', () => {
    given(created(), revoked).when({ type: 'Pause', holder: 'ana' }).then();
    given(created(), paused).when({ type: 'Resume', holder: 'ana' }, EXPIRES).then();
    given(created()).when({ type: 'Pause', holder: 'bruno' }).refuses('mandate_forbidden');
    given().when({ type: 'Resume', holder: 'ana' }).refuses('mandate_not_found');
  });

  it('books what was captured before a pause, and says that it is paused before it says that it is exhausted', () => {
    const consume: MandateCommand = { type: 'Consume', orderId: 'o1' };
    given(created(), reserved(10_00), paused).when(consume).then(consumed(10_00));
    const all = fold(mandateDecider, [created(), reserved(1000_00), consumed(1000_00), paused]);
    expect(all.kind === 'granted' && statusOf(all, NOW)).toBe('paused');
    expect(all.kind === 'granted' && statusOf(all, EXPIRES)).toBe('expired');
  });

  it('is narrowed down to what is spent and set aside, and is bound by it at once', () => {
    const narrow = (amount: number): MandateCommand => ({ type: 'Narrow', holder: 'ana', limit: brl(amount) });
    const spent = [created(), reserved(100_00, 'o0'), consumed(100_00, 'o0'), reserved(50_00, 'o2')];
    given(spent).when(narrow(150_00)).then(narrowed(150_00));
    given(spent, narrowed(150_00))
      .when(reserve(1))
      .then(chargeRefused('mandate_limit_exceeded', brl(1)));
    given(spent).when(narrow(149_99)).refuses('invalid_limit');
    given(created()).when(narrow(1000_01)).refuses('invalid_limit');
    given(created()).when(narrow(0)).refuses('invalid_limit'); // no mandate is granted over nothing either
    given(created()).when(narrow(1)).then(narrowed(1));
    given(created()).when(narrow(1000_00)).then();
    given(created())
      .when({ type: 'Narrow', holder: 'ana', limit: money(1_00, 'USD') })
      .refuses('invalid_limit');
  });

  it('ends earlier, though not so soon that a charge under way could outlast it, and never later', () => {
    const soonest = plus(NOW, SHORTEST_REST);
    const until = (expiresAt: Instant): MandateCommand => ({ type: 'Narrow', holder: 'ana', expiresAt });
    given(created()).when(until(soonest)).then(narrowed(1000_00, soonest));
    given(created())
      .when(until(plus(soonest, -1)))
      .refuses('invalid_validity');
    given(created())
      .when(until(plus(EXPIRES, 1)))
      .refuses('invalid_validity');
    given(created(), narrowed(1000_00, soonest))
      .when(reserve(1_00), soonest)
      .then(chargeRefused('mandate_expired', brl(1_00), 'o1', soonest));
  });

  it('is narrowed by nobody else, and no more once it is over', () => {
    given(created())
      .when({ type: 'Narrow', holder: 'bruno', limit: brl(1) })
      .refuses('mandate_forbidden');
    given(created(), revoked)
      .when({ type: 'Narrow', holder: 'ana', limit: brl(1) })
      .refuses('mandate_revoked');
  });

  it('is abandoned only where it was never created (rule 19)', () => {
    const abandon: MandateCommand = { type: 'Abandon', mandateId: 'm1' };
    const abandoned: MandateEvent = { type: 'MandateAbandoned', data: { mandateId: 'm1', abandonedAt: NOW } };
    given().when(abandon).then(abandoned);
    given(abandoned).when(abandon).then();
    given(created()).when(abandon).then();
  });

  it('is exhausted when all was consumed, not while the rest is only reserved (rule 17)', () => {
    const status = (...events: MandateEvent[]) => {
      const state = fold(mandateDecider, [created(), ...events]);
      return state.kind === 'granted' && statusOf(state, NOW);
    };
    expect(status(reserved(1000_00))).toBe('valid');
    expect(status(reserved(1000_00), consumed(1000_00))).toBe('exhausted');
  });
});

describe('over any sequence of commands', () => {
  const order = fc.constantFrom('o1', 'o2', 'o3', 'o4');
  const command: fc.Arbitrary<MandateCommand> = fc.oneof(
    fc
      .record({ orderId: order, amount: fc.integer({ min: 1, max: 700_00 }) })
      .map(({ orderId, amount }) => reserve(amount, { orderId })),
    order.map((orderId): MandateCommand => ({ type: 'Consume', orderId })),
    order.map((orderId): MandateCommand => ({ type: 'Release', orderId, holdBefore: HOLD_BEFORE })),
    fc.constant<MandateCommand>({ type: 'Revoke', holder: 'ana' }),
    fc.constantFrom<MandateCommand>({ type: 'Pause', holder: 'ana' }, { type: 'Resume', holder: 'ana' }),
    fc
      .integer({ min: 1, max: 1000_00 })
      .map((amount): MandateCommand => ({ type: 'Narrow', holder: 'ana', limit: brl(amount) })),
    fc.integer({ min: 1, max: 1100_00 }).map(judge),
  );

  it('limit = consumed + reserved + remaining, never above the limit, and any prefix replays to the same state', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(command, fc.integer({ min: 0, max: 40_000 })), { maxLength: 40 }), (commands) => {
        let now = NOW;
        let state = fold(mandateDecider, [created()]);
        const events: MandateEvent[] = [created()];
        for (const [next, wait] of commands) {
          now = plus(now, wait);
          try {
            for (const event of mandateDecider.decide({ ...next, now }, state)) {
              state = mandateDecider.evolve(state, event);
              events.push(event);
            }
          } catch (error) {
            if (!(error instanceof DomainError)) throw error;
          }
          if (state.kind !== 'granted') throw new Error('a granted mandate stays granted');
          const [reservedNow, remaining] = [reservedOf(state).amount, remainingOf(state).amount];
          expect(state.consumed + reservedNow + remaining).toBe(state.limit.amount);
          expect(Math.min(state.consumed, reservedNow, remaining)).toBeGreaterThanOrEqual(0);
        }
        expect(fold(mandateDecider, events)).toEqual(state);
      }),
    );
  });
});
