import type { DelegationEvent } from '#events';
import { DomainError, fold, money, plus } from '#kernel';
import { foldedThroughSnapshot, NOW } from '#testing';
import fc from 'fast-check';
import type { DelegationCommand } from './delegation.commands.js';
import { delegationDecider, delegations } from './delegation.decider.js';
import type { Delegation, KnownDelegation } from './delegation.state.js';
import { capOf, usedOf } from './spending-cap.rule.js';
import { Observer } from './testing/observer.js';
import { steps } from './testing/steps.js';

const consent = { type: 'AuthorizeAgent', holder: 'ana', clientId: 'pilot', grantId: 'g', scopes: [] } as const;
const expiresAt = plus(NOW, 60_000);

/** The state after a command; 'refused' where the cap does not let it. */
const after = (delegation: Delegation, command: DelegationCommand): Delegation | 'refused' => {
  try {
    return delegationDecider.decide({ ...command, now: NOW }, delegation).reduce(delegationDecider.evolve, delegation);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'mandate_cap_exceeded') return 'refused';
    throw error;
  }
};

const accepted = (delegation: Delegation, command: DelegationCommand): Delegation => {
  const next = after(delegation, command);
  if (next === 'refused') throw new Error(`${command.type} was refused`);
  return next;
};

const known = (delegation: Delegation): KnownDelegation => {
  if (delegation.status === 'unknown') throw new Error('nobody consented');
  return delegation;
};

describe('a spending cap, whatever is consented to, opened, consumed and closed (rule 19)', () => {
  it('admits exactly what fits, so that no opening ever passes it', () =>
    fc.assert(
      fc.property(steps(60), (history) => {
        const observer = new Observer();
        let delegation = accepted(fold(delegationDecider, []), consent);
        history.forEach((step, n) => {
          if (step.kind === 'consent') {
            const { cap } = step;
            if (cap !== undefined) observer.setCap(cap);
            delegation = accepted(delegation, { ...consent, ...(cap !== undefined && { cap }) });
          } else if (step.kind === 'open') {
            const { limit } = step;
            const fits = observer.fits(limit);
            const next = after(delegation, { type: 'OpenMandate', mandateId: `m${n}`, limit, expiresAt });
            expect(next === 'refused').toBe(!fits);
            if (next === 'refused') return;
            delegation = next;
            observer.open(`m${n}`, limit);
          } else {
            const closing = observer.close(step.which, step.share);
            if (closing) delegation = accepted(delegation, { type: 'CloseMandate', ...closing });
          }
          expect(usedOf(delegation, 'BRL').amount).toBe(observer.used('BRL'));
          expect(usedOf(delegation, 'USD').amount).toBe(observer.used('USD'));
          expect(capOf(delegation)?.limit ?? null).toEqual(observer.cap);
        });
      }),
      { numRuns: 500 },
    ));

  it('binds what is open as well: once what it ended is closed, the rest fits beside what was spent (rule 28)', () =>
    fc.assert(
      fc.property(steps(40), fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (history, shares) => {
        let delegation = accepted(fold(delegationDecider, []), consent);
        const share = () => Number(shares.next().value);
        const close = (mandateId: string) => {
          if (delegation.status === 'unknown') return;
          const limit = delegation.openMandates[mandateId]?.limit;
          if (!limit) return;
          const consumed = { ...limit, amount: Math.floor(limit.amount * share()) };
          delegation = accepted(delegation, { type: 'CloseMandate', mandateId, consumed });
        };
        history.forEach((step, n) => {
          if (step.kind === 'open') {
            const next = after(delegation, { type: 'OpenMandate', mandateId: `m${n}`, limit: step.limit, expiresAt });
            if (next !== 'refused') delegation = next;
          } else if (step.kind === 'close') close(`m${step.which}`);
          else if (step.cap !== undefined) {
            const { openMandates: before } = known(delegation);
            delegation = accepted(delegation, { type: 'SetSpendingCap', cap: step.cap });
            while (known(delegation).ending.length > 0) close(known(delegation).ending[0] ?? '');
            const { openMandates, cap, spent } = known(delegation);
            const limits = Object.values(openMandates).map(({ limit }) => limit);
            expect(Object.keys(before).filter((id) => id in openMandates)).toEqual(Object.keys(openMandates));
            if (cap === null) expect(openMandates).toEqual(before);
            else if (limits.length > 0) {
              const total = limits.reduce((sum, { amount }) => sum + amount, spent?.BRL ?? 0);
              expect(limits.every(({ currency }) => currency === cap.currency)).toBe(true);
              if (cap.currency === 'BRL') expect(total).toBeLessThanOrEqual(cap.amount);
            }
          }
        });
      }),
      { numRuns: 500 },
    ));

  it('costs the same after thousands of mandates: the state holds sums and what is open (rule 15)', () => {
    const cap = money(10 ** 9, 'BRL');
    let delegation = accepted(fold(delegationDecider, []), { ...consent, cap });
    for (let n = 1; n <= 5_000; n += 1) {
      const mandateId = `m${n}`;
      delegation = accepted(delegation, { type: 'OpenMandate', mandateId, limit: money(1_000, 'BRL'), expiresAt });
      delegation = accepted(delegation, { type: 'CloseMandate', mandateId, consumed: money(7, 'BRL') });
    }
    expect(known(delegation).closed.length).toBeLessThanOrEqual(100);
    expect({ ...delegation, closed: [] }).toEqual({
      status: 'authorized',
      openMandates: {},
      ending: [],
      closed: [],
      refunds: [],
      asksFirst: false,
      cap,
      spent: { BRL: 35_000 },
    });
  });
});

describe('a snapshot of a delegation', () => {
  const mandateId = fc.constantFrom('m1', 'm2', 'm3', '17');
  const amount = fc.constantFrom(money(100, 'BRL'), money(70, 'USD'));
  const event: fc.Arbitrary<DelegationEvent> = fc.oneof(
    fc.constant({ type: 'AgentAuthorized' as const, data: { ...consent, authorizedAt: NOW } }),
    fc.record({ cap: fc.option(amount), ending: fc.array(mandateId, { maxLength: 2 }) }).map((data) => ({
      type: 'SpendingCapSet' as const,
      data: { ...data, setAt: NOW },
    })),
    fc.record({ mandateId, limit: amount }).map((data) => ({
      type: 'MandateOpened' as const,
      data: { ...data, expiresAt, openedAt: NOW },
    })),
    fc.record({ mandateId, consumed: amount }).map((data) => ({
      type: 'MandateClosed' as const,
      data: { ...data, closedAt: NOW },
    })),
    fc
      .record({ type: fc.constantFrom('AgentPaused' as const, 'AgentResumed' as const), pause: fc.nat(3) })
      .map(({ type, pause }): DelegationEvent =>
        type === 'AgentPaused'
          ? { type, data: { pause: pause + 1, pausedAt: NOW } }
          : { type, data: { pause: pause + 1, resumedAt: NOW } },
      ),
    fc.array(mandateId, { maxLength: 2 }).map((openMandates) => ({
      type: 'AgentRevoked' as const,
      data: { openMandates, revokedAt: NOW },
    })),
  );

  it('goes on to the state that all events have, wherever it was taken (rule 15)', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), fc.nat(40), (history, at) => {
        const state = fold(delegationDecider, history);
        const continued = foldedThroughSnapshot(delegations, history, at);
        expect(continued).toStrictEqual(state);
        expect(JSON.stringify(continued)).toBe(JSON.stringify(state)); // in the order in which they were opened
      }),
    );
  });

  it('has a version that grows with every change of what is in it', () => {
    const limit = money(100, 'BRL');
    const state = fold(delegationDecider, [
      { type: 'AgentAuthorized', data: { ...consent, redirectHost: 'um.example', authorizedAt: NOW } },
      { type: 'MandateOpened', data: { mandateId: 'm1', limit, expiresAt, openedAt: NOW } },
      { type: 'MandateOpened', data: { mandateId: 'm2', limit, expiresAt, openedAt: NOW } },
      { type: 'SpendingCapSet', data: { cap: limit, ending: ['m2'], setAt: NOW } },
      { type: 'MandateClosed', data: { mandateId: 'm1', consumed: money(7, 'BRL'), closedAt: NOW } },
      { type: 'ApprovalModeSet', data: { asksFirst: true, setAt: NOW } },
      { type: 'AgentPaused', data: { pause: 1, pausedAt: NOW } },
      { type: 'AgentRevoked', data: { openMandates: ['m2'], revokedAt: NOW } },
    ]);
    expect([delegations.snapshotVersion, state]).toEqual([
      7,
      {
        status: 'revoked',
        pauseOfAll: { pause: 1, isOn: true },
        redirectHosts: ['um.example'],
        openMandates: { m2: { limit, expiresAt } },
        ending: ['m2'],
        closed: [{ mandateId: 'm1', until: expiresAt }],
        asksFirst: true,
        cap: limit,
        refunds: [],
        spent: { BRL: 7 },
      },
    ]);
  });
});
