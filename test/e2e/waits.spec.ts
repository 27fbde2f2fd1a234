import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RunningApi } from '../../apps/api/src/start.js';
import type { Answer, Api } from '#agent';
import { startObserved } from '../chaos/observed.js';
import { NOT_OF_A_REQUEST } from '../chaos/steps.js';
import { agentAt } from '../support/agent.js';
import type { Order } from '../support/answers.js';
import { CHALLENGED_CARD } from '../support/challenge.js';
import { gate } from '../support/gate.js';
import type { Intercept } from '../support/intercept.js';
import { newKey } from '../support/keyed.js';
import { book, bodyOf, DECLINED_CARD, GOOD_CARD, grant, wholeList } from '../support/purchase.js';
import { ownFolder } from '../support/service.js';

const straight: Intercept = (_, work) => work();
const BUYER = { name: 'Ana Souza', document: '123.456.789-09' };

const folder = ownFolder(() => service.stop());
let service: RunningApi;
let ana: Api;
let between = straight;
beforeAll(async () => {
  service = await startObserved(folder, (call, work) => between(call, work), { LIMIT_REFUSED_CARDS: '0' });
  ana = await agentAt(service.origin);
});

const ordered = async (
  payment: object,
  headers: Record<string, string> = {},
): Promise<() => Promise<Answer<Order>>> => {
  const [{ id: bookingId }, { id: mandateId }] = [await book(ana), await grant(ana, 10_000_00)];
  const body = { bookingId, mandateId, buyer: BUYER, payment };
  return () => ana.call<Order>('POST', '/orders', body, headers);
};

/** What a request writes, by the waits for the disk: a write belongs to the first one that can have carried it. */
const waitsOf = async (request: () => Promise<Answer<Order>>, status: number) => {
  const waits: string[][] = [];
  let flushed = 0;
  between = async (call, work) => {
    if (!/^(append|insert|replace|delete) /.test(call) || NOT_OF_A_REQUEST.test(call)) return work();
    const wait = flushed;
    (waits[wait] ??= []).push(call);
    // Whatever goes side by side begins in one turn.
    await nextTurn();
    return work().finally(() => (flushed = Math.max(flushed, wait + 1)));
  };
  bodyOf(await request().finally(() => (between = straight)), status);
  return waits.map((writes) => writes.sort());
};

const TRY = ['append MandateReserved', 'append OrderPlaced', 'append SeatsHeld', 'insert buyers'];
const PAID = [
  ['append BookingCheckoutStarted'],
  TRY,
  ['insert payment-ledger'],
  ['append MandateConsumed', 'append OrderPaid'],
  ['append BookingTicketed'],
];

describe('an order waits for the disk (rule 2)', () => {
  it('five times, the first one of a process too, which leases ticket codes', async () => {
    const [first, second] = [await ordered(GOOD_CARD), await ordered(GOOD_CARD)];
    // The first order of a departure begins its stream.
    const begun = TRY.map((call) => (call === 'append SeatsHeld' ? 'append FlightScheduled+SeatsHeld' : call));
    const leasing = [...begun, 'append TicketBlockLeased'].sort();
    expect(await waitsOf(first, 201)).toEqual(PAID.map((wait) => (wait === TRY ? leasing : wait)));
    expect(await waitsOf(second, 201)).toEqual(PAID);
  });

  it('seven times with an Idempotency-Key', async () => {
    const keyed = await ordered(GOOD_CARD, { 'idempotency-key': newKey() });
    expect(await waitsOf(keyed, 201)).toEqual([['insert idempotency'], ...PAID, ['replace idempotency']]);
  });

  it('five times where its card is refused', async () => {
    expect(await waitsOf(await ordered(DECLINED_CARD), 402)).toEqual([
      ['append BookingCheckoutStarted'],
      TRY,
      ['insert payment-ledger'],
      ['append MandateReleased', 'append OrderFailed', 'append SeatsReleased'],
      ['append BookingCheckoutAbandoned'],
    ]);
  });

  it('six times where its holder is asked, whose place is taken before they are', async () => {
    expect(await waitsOf(await ordered(CHALLENGED_CARD), 402)).toEqual([
      ['append BookingCheckoutStarted'],
      TRY,
      ['insert card-fingerprints'],
      ['insert payment-ledger'],
      ['insert challenge-slots'],
      ['append PaymentChallenged'],
    ]);
  });

  it('and is answered after the last of them', async () => {
    const request = await ordered(GOOD_CARD);
    const { intercept, reached, open } = gate('after', 'append BookingTicketed');
    between = intercept;
    let isAnswered = false;
    const answer = request().finally(() => (isAnswered = true));
    await reached;
    bodyOf(await ana.get('/flights?limit=1'), 200);
    expect(isAnswered).toBe(false);
    open();
    bodyOf(await answer, 201);
    between = straight;
  });
});

describe('a list waits for what was written before it was asked for (rule 25)', () => {
  it.each(['bookings', 'mandates', 'orders'])('the list of %s', async (name) => {
    const asked = mock.method(service.dependencies.readModels, 'upToDate').mock;
    bodyOf(await ana.get(`/${name}`), 200);
    const lists = asked.calls.map((call) => call.arguments[0].name);
    asked.restore();
    expect(lists).toEqual([name]);
  });

  it('and shows it, however often that is', async () => {
    for (let times = 1; times <= 20; times += 1) {
      const { id } = await book(ana);
      expect((await wholeList(ana, '/bookings'))[0]).toMatchObject({ id });
    }
  });
});
