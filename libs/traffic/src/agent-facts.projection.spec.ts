import { NOW, projected } from '#testing';
import { agentFactsProjection } from './agent-facts.projection.js';

const PARTY = { holder: 'h', clientId: 'c' };
const ONE_CENT = { amount: 1, currency: 'BRL' } as const;

describe('the read model of what agents came to', () => {
  it('counts mandates, payments and what happened to tokens, without whose they are', () => {
    const documents = projected(
      agentFactsProjection,
      ['mandate-1', { type: 'MandateRevoked', data: { revokedAt: NOW } }],
      ['mandate-1', { type: 'MandateConsumed', data: { orderId: 'o', amount: ONE_CENT, consumedAt: NOW } }],
      ['order-1', { type: 'OrderFailed', data: { failure: 'payment_declined', failedAt: NOW } }],
      ['order-2', { type: 'OrderFailed', data: { failure: 'mandate_revoked', failedAt: NOW } }],
      ['security-2026-01-15', { type: 'CodeReplayed', data: { ...PARTY, grantId: 'g', replayedAt: NOW } }],
      ['security-2026-01-15', { type: 'CodeReplayed', data: { ...PARTY, grantId: 'g', replayedAt: NOW } }],
      ['mandate-1', { type: 'MandateExpired', data: { expiredAt: NOW } }],
    );
    const facts = { mandatesRevoked: 1, chargesApproved: 1, paymentsDeclined: 1, codesReplayed: 2 };
    expect(Object.values(documents)).toEqual([
      { kind: 'minute facts', start: '2026-01-15T12:00:00.000Z', facts },
      { kind: 'hour facts', start: '2026-01-15T12:00:00.000Z', facts },
      { kind: 'day facts', start: '2026-01-15T00:00:00.000Z', facts },
    ]);
  });
});
