import type { AuditedEvent, Json } from '../audited-event.js';
import { testCrypto } from '../testing/index.js';
import type { Version } from '../version.js';
import { LogRules } from './log.js';

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 15, 12, 0, seconds)).toISOString();
const brl = { amount: 1, currency: 'BRL' };

type Told = readonly [type: string, seconds: number, data?: Json, clientId?: string | null, holder?: string | null];

const FARE = { fareCode: 'F', fareName: 'F', baggage: 'none', description: '' };
const LINE = {
  ...{ flightNumber: 'AL1', from: 'GRU', to: 'REC', departureDate: null, departureTime: '1', arrivalTime: '1' },
  ...{ ...FARE, arrivalDayOffset: 0, passengers: 1, unitPrice: brl, subtotal: brl },
};
const CARD = { id: 'p', processor: 'test', method: 'card', brand: 'visa', last4: '3220' };
const checkout = { holder: 'ana', clientId: 'a', mandateId: 'm', mandateSelection: 'explicit', line: LINE, total: brl };

const placed: Told = [
  'OrderPlaced',
  0,
  { ...checkout, orderId: 'o', bookingId: 'b', holdBefore: at(60), placedAt: at(0) },
];
const asked = (more: Json = { decisionRecorded: true }): Told => {
  const question = { bookingId: 'b', brand: 'visa', last4: '3220', expiresAt: at(600), challengedAt: at(1) };
  return ['PaymentChallenged', 1, { ...question, ...more }];
};
const approved = (seconds = 2, clientId: string | null = null, holder = 'ana'): Told => {
  return ['PaymentApproved', seconds, { bookingId: 'b', approvedAt: at(seconds) }, clientId, holder];
};
const declined = (seconds = 2): Told => ['PaymentDeclined', seconds, { bookingId: 'b', declinedAt: at(seconds) }, null];
const payment = { ...CARD, amount: brl, capturedAt: at(3) };
const paid: Told = ['OrderPaid', 3, { ticketCode: '9770000000014', payment, paidAt: at(3) }];
const failed = (failure: string): Told => ['OrderFailed', 700, { failure, failedAt: at(700) }, null, null];

/** What is broken in the stream of an order, of which nothing else is read. */
const brokenIn = (told: readonly Told[], version: Version = 2): readonly string[] => {
  const rules = new LogRules(testCrypto.sha256, version, (stream) => stream === 'order-o');
  return told.flatMap(([type, seconds, data = {}, clientId = 'a', holder = 'ana'], revision) => {
    const actor = { holder, clientId };
    const metadata = { eventId: '', occurredAt: at(seconds), actor, schemaVersion: 1, hash: '' };
    const event: AuditedEvent = { stream: 'order-o', revision, type, data, metadata };
    return rules.next(event).map(({ rule, message }) => `${rule}: ${message}`);
  });
};

describe('the word of a traveller, to a verifier', () => {
  it.each<[string, readonly Told[]]>([
    ['given and paid', [placed, asked(), approved(), paid]],
    ['given and not completed', [placed, asked(), approved(), failed('payment_not_completed')]],
    ['given, and the mandate ended', [placed, asked(), approved(), failed('mandate_revoked')]],
    ['refused', [placed, asked(), declined(), failed('payment_challenge_failed')]],
    ['never given', [placed, asked(), failed('payment_challenge_failed')]],
    ['not asked for', [placed, paid]],
    ['of a challenge from before it was an event', [placed, asked({}), paid]],
    ['of the last challenge, which is such', [placed, asked(), asked({}), paid]],
  ])('is sound: %s', (_, told) => {
    expect(brokenIn(told)).toEqual([]);
  });

  it.each<[string, readonly Told[]]>([
    ['paid, and its traveller had not approved', [placed, asked(), paid]],
    ['paid, and its traveller had declined', [placed, asked(), declined(), paid]],
    ['paid, and its traveller had declined', [placed, asked({}), declined(), paid]],
    ['PaymentChallenged before the order was placed', [asked()]],
    ['PaymentApproved, and nobody was asked then', [placed, approved()]],
    ['PaymentApproved, and nobody was asked then', [placed, asked(), approved(600)]],
    ['PaymentDeclined after PaymentApproved', [placed, asked(), approved(), declined()]],
    ['PaymentApproved after PaymentApproved', [placed, asked(), approved(), asked(), approved(), paid]],
    ['PaymentDeclined after PaymentApproved', [placed, asked(), approved(), declined(), paid]],
    ['PaymentApproved by another than its traveller', [placed, asked(), approved(2, 'a'), paid]],
    ['PaymentApproved by another than its traveller', [placed, asked(), approved(2, null, 'bia'), paid]],
    ['failed as not confirmed, and was approved', [placed, asked(), approved(), failed('payment_challenge_failed')]],
    ['failed as mandate_revoked, and was declined', [placed, asked(), declined(), failed('mandate_revoked')]],
    ['failed as approved, and nobody had approved', [placed, asked(), failed('payment_not_completed')]],
  ])('is broken: %s', (message, told) => {
    expect(brokenIn(told)).toEqual([`order: ${message}`]);
  });

  it('is nothing that the first version knows or asks for', () => {
    expect(brokenIn([placed, asked(), paid], 1)).toEqual([]);
    expect(brokenIn([placed, asked(), approved(), paid], 1)).toEqual([
      'form: there is no event PaymentApproved in order-o',
    ]);
  });
});
