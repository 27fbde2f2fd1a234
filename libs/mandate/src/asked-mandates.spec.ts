import type { MandateEvent } from '#events';
import { fold, type Instant, money, plus, TooLate } from '#kernel';
import { NOW, scenarios } from '#testing';
import type { MandateCommand } from './mandate.commands.js';
import { mandateDecider } from './mandate.decider.js';

const given = scenarios(mandateDecider);
const LAPSES = plus(NOW, 15 * 60_000);
const [ASKED, LESS] = [money(1000_00, 'BRL'), money(300_00, 'BRL')];
const agent = { mandateId: 'm1', holder: 'ana', clientId: 'pilot', scope: ['payment:execute' as const] };
const approval = { limit: LESS, minutes: 10, startsAt: NOW, expiresAt: plus(NOW, 600_000) };

const requested: Extract<MandateEvent, { type: 'MandateRequested' }> = {
  type: 'MandateRequested',
  data: { ...agent, limit: ASKED, minutes: 60, requestedAt: NOW, lapsesAt: LAPSES },
};
const approved: MandateEvent = { type: 'MandateApproved', data: approval };
const created: MandateEvent = { type: 'MandateCreated', data: { ...agent, ...approval, grantedBy: 'traveller' } };
const revoked: MandateEvent = { type: 'MandateRevoked', data: { revokedAt: NOW } };

const approve: MandateCommand = { type: 'Approve', holder: 'ana', limit: LESS, minutes: 10 };
const create = (grantedBy: 'agent' | 'traveller'): MandateCommand => ({
  type: 'CreateMandate',
  ...agent,
  ...approval,
  grantedBy,
});
const creating = (grantedBy: 'agent' | 'traveller', events: readonly MandateEvent[], now: Instant = NOW) => {
  const state = fold(mandateDecider, events);
  return () => mandateDecider.decide({ ...create(grantedBy), now }, state);
};

describe('a mandate that is asked for (rule 31)', () => {
  it('is asked for once, and not where it was given up', () => {
    const ask: MandateCommand = { type: 'RequestMandate', ...requested.data };
    given().when(ask).then(requested);
    given(requested).when(ask).then();
    given(requested, approved, created).when(ask).then();
    given({ type: 'MandateAbandoned', data: { mandateId: 'm1', abandonedAt: NOW } })
      .when(ask)
      .refuses('service_unavailable');
  });

  it('is approved once', () => {
    given(requested).when(approve).then(approved);
    given(requested, approved).when(approve).then();
  });

  it('is created as it was approved, once', () => {
    given(requested, approved).when(create('traveller')).then(created);
    given(requested, approved, created).when(create('traveller')).then();
  });

  it.each<[string, readonly MandateEvent[], Instant]>([
    ['before it is approved', [requested], NOW],
    ['once it was refused', [requested, approved, revoked], NOW],
    ['once it has lapsed', [requested, approved], LAPSES],
  ])('is not created %s', (_, events, now) => {
    expect(creating('traveller', events, now)).toThrow(TooLate);
  });

  it('is not created by its agent, whatever the agent was allowed meanwhile', () => {
    for (const events of [[requested], [requested, approved]]) expect(creating('agent', events)).toThrow(TooLate);
  });

  it('is not approved once it was refused, has lapsed or was granted', () => {
    given(requested, revoked).when(approve).then();
    given(requested, approved, created).when(approve).then();
    given(requested).when(approve, LAPSES).then();
  });

  it('pays nothing and is neither paused nor narrowed while it waits', () => {
    const charge = { holder: 'ana', clientId: 'pilot', bookingId: 'b1', amount: money(1, 'BRL') };
    const purchase = { flightNumber: 'AL4012', from: 'GRU', to: 'REC', unitPrice: charge.amount };
    for (const waiting of [[requested], [requested, approved]])
      given(waiting)
        .when({ type: 'AuthorizeCharge', ...charge, purchase })
        .then({
          type: 'MandateChargeRefused',
          data: {
            orderId: null,
            reason: 'mandate_pending',
            amount: charge.amount,
            refusedAt: NOW,
            bookingId: 'b1',
            ...purchase,
          },
        });
    given(requested).when({ type: 'Pause', holder: 'ana' }).then();
    given(requested).when({ type: 'Narrow', holder: 'ana', limit: LESS }).refuses('mandate_pending');
  });
});
