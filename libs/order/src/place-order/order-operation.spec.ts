import { OrderInTheWay } from '#booking';
import { Locators } from '#checkout';
import { AttachedMetadata, baseUrlsAt, BegunBefore } from '#http';
import { DomainError, plus, systemContext } from '#kernel';
import { ManualClock, NOW } from '#testing';
import { sampleCheckout } from '../../../booking/src/testing/index.js';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import type { PlacedOrder } from '../order.decider.js';
import { orderOperation } from './order-operation.js';
import { ChallengeRequired, OrderOutcomeUnknown } from './place-order.js';

const body = { bookingId: 'b1', payment: { cardNumber: '4242', expiry: '12/30', cvc: '123' } };
const request = {
  caller: { holder: 'ana', clientId: 'pilot', scopes: [], grantId: 'g' },
  context: systemContext('a test'),
  urls: baseUrlsAt('http://localhost:3000'),
};
const failed: PlacedOrder = {
  kind: 'failed',
  checkout: sampleCheckout(),
  placedAt: NOW,
  challenge: null,
  failure: 'payment_declined',
  failedAt: NOW,
};

const attached = new AttachedMetadata(new MemoryDocuments(new ManualClock()), true);
beforeAll(async () => {
  await attached.prepare();
  await attached.keep('o1', request.caller, { viagem: 'congresso' });
});

/** The operation where placing ends in `error`, and reading the order that it names comes to `order`. */
const ending = (error: Error, order: Promise<PlacedOrder> = Promise.resolve(failed)) => {
  const commands = { execute: () => Promise.reject(error) };
  const locators = new Locators(new Uint8Array(32));
  const beside = async () => ({ locators, metadata: await attached.notedOn('o1', request.caller) });
  const orders = { get: () => order, ended: () => order, toComplete: () => Promise.resolve(null), beside, locators };
  const mandates = { get: () => Promise.reject(new DomainError('mandate_not_found')) };
  return orderOperation({ commands, orders, mandates }, body, request);
};
const linkTo = (id: string, status: string) => ({
  order: { id, status, url: `http://localhost:3000/api/v1/orders/${id}` },
});
const placed = { checkout: failed.checkout, placedAt: NOW, challenge: null } as const;
const notFound = () => Promise.reject(new DomainError('order_not_found'));

describe('an order that is not placed', () => {
  it('is named where nobody knows how it ends, so that it can be looked up, and was not refused (rule 7)', async () => {
    expect(new OrderOutcomeUnknown('o1', null)).not.toBeInstanceOf(DomainError);
    await expect(ending(new OrderOutcomeUnknown('o1', null)).begin('o1')).rejects.toMatchObject({
      code: 'service_unavailable',
      members: linkTo('o1', 'pending'),
    });
  });

  it.each(['order_in_progress', 'booking_already_ordered'] as const)(
    'because of another one is answered %s, with the status of that one',
    async (code) => {
      const error = new OrderInTheWay(code, 'o2');
      await expect(ending(error).begin('o1')).rejects.toMatchObject({
        code,
        details: undefined,
        members: linkTo('o2', 'failed'),
      });
      await expect(ending(error, notFound()).begin('o1')).rejects.toMatchObject({
        code,
        members: linkTo('o2', 'pending'),
      });
    },
  );

  it('is told from one that an earlier try under its own id has begun (rule 21)', async () => {
    const operation = ending(new OrderInTheWay('order_in_progress', 'o2'));
    const error: unknown = await operation.begin('o1').catch((reason: unknown) => reason);
    expect(error).not.toBeInstanceOf(BegunBefore);
    await expect(operation.begin('o2')).rejects.toBeInstanceOf(BegunBefore);
  });

  it('because its holder has to confirm it is named with where they do that, and until when', async () => {
    const challenge = { brand: 'visa', last4: '3220', expiresAt: plus(NOW, 600_000), decided: null };
    const { checkout } = failed;
    const waiting = new ChallengeRequired({ kind: 'pending', checkout, placedAt: NOW, challenge });
    await expect(ending(waiting).begin('o1')).rejects.toMatchObject({
      code: 'payment_challenge_required',
      members: {
        challenge: { id: 'o1', url: 'http://localhost:3000/desafios/o1', expiresAt: challenge.expiresAt },
        ...linkTo('o1', 'pending'),
      },
    });
  });

  it('is answered every other refusal as it is', async () => {
    const error = new DomainError('mandate_required');
    await expect(ending(error).begin('o1')).rejects.toBe(error);
  });
});

describe('an order that is looked up for a retry (rule 21)', () => {
  const found = (order: PlacedOrder) =>
    ending(new DomainError('mandate_required'), Promise.resolve(order)).outcomeOf('o1');

  it('is what it ended with, and nothing while it is open', async () => {
    const { total: amount } = placed.checkout;
    const [processor, method] = ['test', 'card'] as const;
    const payment = { id: 'p1', processor, method, brand: 'visa', last4: '4242', amount, capturedAt: NOW };
    const paid = await found({ ...placed, kind: 'paid', ticketCode: '9770000000014', payment, paidAt: NOW });
    expect(paid).toMatchObject({ id: 'o1', status: 'paid', metadata: { viagem: 'congresso' } });
    const refusal = await found(failed);
    expect(refusal).toBeInstanceOf(DomainError);
    expect(refusal).toMatchObject({ code: 'payment_declined' });
    expect(await found({ ...placed, kind: 'pending' })).toBeNull();
  });
});
