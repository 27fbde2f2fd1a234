import { describe, expect, it } from '@jest/globals';
import { fold, money, plus, Refusal } from '#kernel';
import { NOW } from '#testing';
import fc from 'fast-check';
import { type AgencyCommand, agencyDecider } from './agency.decider.js';
import { type Agency, capOf, usedOf } from './agency.state.js';
import { Observer } from './testing/observer.js';
import { steps } from './testing/steps.js';

const consent = { type: 'AuthorizeAgent', holder: 'ana', clientId: 'pilot', grantId: 'g', scopes: [] } as const;
const expiresAt = plus(NOW, 60_000);

/** The state after a command; 'refused' where the cap does not let it. */
const after = (agency: Agency, command: AgencyCommand): Agency | 'refused' => {
  try {
    return agencyDecider.decide({ ...command, now: NOW }, agency).reduce(agencyDecider.evolve, agency);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'mandate_cap_exceeded') return 'refused';
    throw error;
  }
};

const accepted = (agency: Agency, command: AgencyCommand): Agency => {
  const next = after(agency, command);
  if (next === 'refused') throw new Error(`${command.type} was refused`);
  return next;
};

describe('a spending cap, whatever is consented to, opened, consumed and closed (rule 19)', () => {
  it('admits exactly what fits, so that no opening ever passes it', () =>
    fc.assert(
      fc.property(steps(60), (history) => {
        const observer = new Observer();
        let agency = accepted(fold(agencyDecider, []), consent);
        history.forEach((step, n) => {
          if (step.kind === 'consent') {
            const { cap } = step;
            if (cap !== undefined) observer.setCap(cap);
            agency = accepted(agency, { ...consent, ...(cap !== undefined && { cap }) });
          } else if (step.kind === 'open') {
            const { limit } = step;
            const fits = observer.fits(limit);
            const next = after(agency, { type: 'OpenMandate', mandateId: `m${n}`, limit, expiresAt });
            expect(next === 'refused').toBe(!fits);
            if (next === 'refused') return;
            agency = next;
            observer.open(`m${n}`, limit);
          } else {
            const closing = observer.close(step.which, step.share);
            if (closing) agency = accepted(agency, { type: 'CloseMandate', ...closing });
          }
          expect(usedOf(agency, 'BRL').amount).toBe(observer.used('BRL'));
          expect(usedOf(agency, 'USD').amount).toBe(observer.used('USD'));
          expect(capOf(agency)?.limit ?? null).toEqual(observer.cap);
        });
      }),
      { numRuns: 500 },
    ));

  it('costs the same after thousands of mandates: the state holds sums and what is open (rule 15)', () => {
    const cap = money(10 ** 9, 'BRL');
    let agency = accepted(fold(agencyDecider, []), { ...consent, cap });
    for (let n = 1; n <= 5_000; n += 1) {
      const mandateId = `m${n}`;
      agency = accepted(agency, { type: 'OpenMandate', mandateId, limit: money(1_000, 'BRL'), expiresAt });
      agency = accepted(agency, { type: 'CloseMandate', mandateId, consumed: money(7, 'BRL') });
    }
    expect(agency).toEqual({ status: 'authorized', openMandates: {}, ending: [], cap, spent: { BRL: 35_000 } });
  });
});
