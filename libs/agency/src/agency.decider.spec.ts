import { describe, it } from '@jest/globals';
import type { AgencyEvent } from '#events';
import { money } from '#kernel';
import { NOW, scenarios } from '#testing';
import { agencyDecider } from './agency.decider.js';

const given = scenarios(agencyDecider);
const agent = { holder: 'ana', clientId: 'pilot', grantId: 'g1', scopes: ['mandate:create'] as const };
const authorized: AgencyEvent = { type: 'AgentAuthorized', data: { ...agent, authorizedAt: NOW } };
const terms = { mandateId: 'm1', limit: money(500_00, 'BRL'), expiresAt: '2026-01-15T13:00:00.000Z' };
const opened: AgencyEvent = { type: 'MandateOpened', data: { ...terms, openedAt: NOW } };
const closed: AgencyEvent = {
  type: 'MandateClosed',
  data: { mandateId: 'm1', consumed: money(0, 'BRL'), closedAt: NOW },
};

describe('an agency', () => {
  it('records each consent of the traveller', () =>
    given(authorized)
      .when({ type: 'AuthorizeAgent', ...agent })
      .then(authorized));

  it('opens a mandate for an authorized agent, once', () => {
    given(authorized)
      .when({ type: 'OpenMandate', ...terms })
      .then(opened);
    given(authorized, opened)
      .when({ type: 'OpenMandate', ...terms })
      .then();
  });

  it('opens nothing for an agent nobody authorized', () =>
    given()
      .when({ type: 'OpenMandate', ...terms })
      .refuses('invalid_token'));

  it('closes an open mandate, once, and knows nothing of a closed one', () => {
    const close = { type: 'CloseMandate', mandateId: 'm1', consumed: money(0, 'BRL') } as const;
    given(authorized, opened).when(close).then(closed);
    given(authorized, opened, closed).when(close).then();
    given(authorized).when(close).then();
  });

  it('keeps its open mandates when the traveller consents again', () =>
    given(authorized, opened, authorized)
      .when({ type: 'OpenMandate', ...terms })
      .then());
});
