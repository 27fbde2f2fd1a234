import type { AuditedEvent, Json } from '../audited-event.js';
import type { Version } from '../version.js';
import { replayMandate } from './mandate.js';

const AT = '2026-01-15T12:00:00.000Z';
const brl = (amount: number) => ({ amount, currency: 'BRL' });
const actor = { holder: 'ana', clientId: 'a' };
const event = (revision: number, type: string, data: Json): AuditedEvent => ({
  stream: 'mandate-m',
  revision,
  type,
  data,
  metadata: { eventId: '', occurredAt: AT, actor, schemaVersion: 1, hash: '' },
});

const terms = {
  ...{ mandateId: 'm', holder: 'ana', clientId: 'a', scope: ['order:write', 'payment:execute'], limit: brl(500) },
  ...{ minutes: 60, startsAt: AT, expiresAt: '2026-01-15T13:00:00.000Z', grantedBy: 'agent' },
};
const flight = { bookingId: 'b', flightNumber: 'AL1', from: 'GRU', to: 'GIG', unitPrice: brl(100) };
const byTo = { reason: 'mandate_constraint_violated', constraint: 'to', allowed: { to: ['REC'] } };

/** What is broken where a mandate to Recife alone refuses so. */
const brokenBy = (refusal: Json, version: Version = 2): readonly string[] => {
  const created = event(0, 'MandateCreated', { ...terms, constraints: { to: ['REC'], maxPricePerSeat: brl(200) } });
  const refused = event(1, 'MandateChargeRefused', { orderId: null, amount: brl(100), refusedAt: AT, ...refusal });
  return replayMandate('mandate-m', [created, refused], version).breaches.map(
    ({ rule, message }) => `${rule}: ${message}`,
  );
};

describe('a refusal that says which flight it was of, to a verifier', () => {
  it.each<[string, Json]>([
    ['by the constraint that forbids it', { ...flight, ...byTo }],
    ['of before, by a constraint of the mandate', { reason: byTo.reason, constraint: 'to' }],
    ['for another reason', { ...flight, to: 'REC', amount: brl(501), reason: 'mandate_limit_exceeded' }],
  ])('is sound: %s', (_, refusal) => {
    expect(brokenBy(refusal)).toEqual([]);
  });

  it.each<[string, Json]>([
    ['refused as mandate_constraint_violated, and nothing was in its way', { ...flight, to: 'REC', ...byTo }],
    ['refused by another constraint than maxPricePerSeat', { ...flight, ...byTo, to: 'REC', unitPrice: brl(201) }],
    ['its constraint allows something else than it says', { ...flight, ...byTo, allowed: { to: ['SSA'] } }],
    [
      'its constraint allows something else than it says',
      { ...flight, ...byTo, allowed: { to: ['REC'], maxOrders: 1 } },
    ],
    ['its constraint allows something else than it says', { reason: byTo.reason, constraint: 'to', allowed: {} }],
  ])('is broken: %s', (message, refusal) => {
    expect(brokenBy(refusal)).toEqual([`refusal: ${message}`]);
    if ('flightNumber' in refusal) expect(brokenBy(refusal, 1)).toEqual([]);
  });
});
