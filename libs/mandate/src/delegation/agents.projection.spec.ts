import { type DelegationEvent } from '#events';
import { money } from '#kernel';
import { projected } from '#testing';
import { capOf } from './spending-cap.rule.js';
import { agentsProjection } from './agents.projection.js';
import { delegations } from './delegation.decider.js';

const AUTHORIZED_AT = '2026-01-15T12:00:00.000Z';
const LATER = '2026-01-16T12:00:00.000Z';

const authorized = (authorizedAt = AUTHORIZED_AT): DelegationEvent => ({
  type: 'AgentAuthorized',
  data: { holder: 'ana', clientId: 'pilot', grantId: 'g', scopes: ['booking:write'], authorizedAt },
});
const cap: DelegationEvent = {
  type: 'SpendingCapSet',
  data: { cap: money(500_00, 'BRL'), ending: [], setAt: AUTHORIZED_AT },
};
const opened: DelegationEvent = {
  type: 'MandateOpened',
  data: { mandateId: 'm', limit: money(200_00, 'BRL'), expiresAt: LATER, openedAt: AUTHORIZED_AT },
};
const revoked: DelegationEvent = { type: 'AgentRevoked', data: { openMandates: ['m'], revokedAt: LATER } };

const listed = (...events: readonly DelegationEvent[]) => {
  const stream = delegations.streamOf({ holder: 'ana', clientId: 'pilot' });
  return projected(agentsProjection, ...events.map((event) => [stream, event] as const))['ana.pilot'];
};

describe("a traveller's agents", () => {
  it('are listed with what was granted, and what their cap admits (rule 19)', () => {
    const agent = listed(authorized(), cap, opened);
    expect(agent).toMatchObject({ clientId: 'pilot', scopes: ['booking:write'], revokedAt: null });
    expect(agent && capOf(agent.delegation)).toMatchObject({
      used: money(200_00, 'BRL'),
      available: money(300_00, 'BRL'),
    });
  });

  it('stay listed once they are revoked, and since when', () => {
    expect(listed(authorized(), opened, revoked)).toMatchObject({ revokedAt: LATER, delegation: { ending: ['m'] } });
  });

  it('are listed as of the latest consent', () => {
    expect(listed(authorized(), revoked, authorized(LATER))).toMatchObject({ authorizedAt: LATER, revokedAt: null });
  });
});
