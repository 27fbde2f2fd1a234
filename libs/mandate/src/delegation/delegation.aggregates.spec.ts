import { Aggregates } from '#event-store';
import { DomainError, money, plus, RandomIds, systemContext } from '#kernel';
import { FixedClock } from '#testing';
import fc from 'fast-check';
import { MemoryEventStore } from '../../../event-store/src/testing/index.js';
import type { DelegationCommand } from './delegation.commands.js';
import { delegations } from './delegation.decider.js';
import { capOf } from './spending-cap.rule.js';
import { type Step, steps } from './testing/steps.js';

const clock = new FixedClock();
const consent = { type: 'AuthorizeAgent', holder: 'ana', clientId: 'pilot', grantId: 'g', scopes: [] } as const;
const store = new MemoryEventStore();

const newProcess = (clientId: string) => {
  const id = { holder: 'ana', clientId };
  const aggregates = new Aggregates(store, clock, new RandomIds());
  return {
    handle: (command: DelegationCommand) => aggregates.handle(delegations, id, command, systemContext('a test')),
    load: () => aggregates.load(delegations, id),
  };
};

const open = (mandateId: string, limit = money(200_00, 'BRL')): DelegationCommand => ({
  type: 'OpenMandate',
  mandateId,
  limit,
  expiresAt: plus(clock.now(), 60_000),
});

const commandOf = (step: Step, n: number): DelegationCommand => {
  switch (step.kind) {
    case 'consent':
      return { ...consent, ...(step.cap !== undefined && { cap: step.cap }) };
    case 'open':
      return open(`m${n}`, step.limit);
    case 'close':
      return { type: 'CloseMandate', mandateId: `m${step.which}`, consumed: money(1, 'BRL') };
  }
};

describe('a delegation in several processes', () => {
  it('lets in exactly the 5 of 20 mandates opened at once that the cap admits (rule 19)', async () => {
    const [one, two] = [newProcess('at once'), newProcess('at once')];
    await one.handle({ ...consent, cap: money(1000_00, 'BRL') });
    await two.load(); // both append at the revision that they know, and one of them has to try again
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? one : two).handle(open(`m${n}`))),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(15);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'mandate_cap_exceeded' });
    expect(capOf((await two.load()).state)).toMatchObject({ used: money(1000_00, 'BRL'), available: { amount: 0 } });
  });

  it('lets in what fits as soon as another process has closed a mandate, though its own cache is older (rule 13)', async () => {
    const [one, two] = [newProcess('older'), newProcess('older')];
    await one.handle({ ...consent, cap: money(200_00, 'BRL') });
    await one.handle(open('m1'));
    await two.handle({ type: 'CloseMandate', mandateId: 'm1', consumed: money(0, 'BRL') });
    expect((await one.handle(open('m2'))).events).toMatchObject([{ type: 'MandateOpened' }]);
  });

  it('has the same state from the cache as from the whole stream, after any history (rule 15)', async () => {
    let agents = 0;
    await fc.assert(
      fc.asyncProperty(steps(25), async (history) => {
        const agent = `agent${(agents += 1)}`;
        const cached = newProcess(agent);
        for (const [n, step] of [{ kind: 'consent', cap: undefined } as const, ...history].entries()) {
          await cached.handle(commandOf(step, n)).catch((error: unknown) => {
            if (!(error instanceof DomainError)) throw error;
          });
        }
        expect(await newProcess(agent).load()).toEqual(await cached.load());
      }),
      { numRuns: 40 },
    );
  });
});
