import { openForEach } from '#testing';
import { REFUSED_CARDS } from '#checkout';
import { DomainError } from '#kernel';
import { orders } from '#order';
import { ticketCode } from '../../libs/checkout/src/testing/index.js';
import { counting, failing, gate } from '../support/gate.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { AGENT, type CARDS, Market, PRICE } from '../support/market.js';
import { CHALLENGE_LIFE, SETTINGS } from '../support/shared-stores.js';

const LIMIT = 10;
const settings = { refusedCards: LIMIT };

const market = openForEach(() => Market.open(200));
let process: LogicalProcess;
let mandate: string;
beforeEach(async () => {
  process = market.process({ settings });
  mandate = await market.grant(process, 200 * PRICE);
});

const answerTo = async (by = process, card: keyof typeof CARDS = 'declined', orderId = market.stores.ids.next()) => {
  const booking = await market.book(process);
  return answerFor(booking, by, card, orderId);
};
const answerFor = async (booking: string, by = process, card: keyof typeof CARDS = 'declined', orderId?: string) => {
  try {
    return (await market.order(by, { booking, mandate, card, ...(orderId && { orderId }) })).status;
  } catch (error) {
    return error instanceof DomainError ? error.code : String(error);
  }
};
const times = <Answer>(count: number, work: (place: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, place) => work(place)));
const countOf = (answers: readonly string[], answer: string) => answers.filter((one) => one === answer).length;
const counted = async (): Promise<number> => {
  const id = `${AGENT.holder}.${AGENT.clientId}`;
  const known = await market.stores.documents.get<{ refused: object }>(REFUSED_CARDS.name, id);
  return Object.keys(known?.body.refused ?? {}).length;
};

describe('60 cards that are refused, at once', () => {
  it('are ten charges; the other orders wait, hold nothing and write nothing', async () => {
    const counts = new Map<string, number>();
    const counted = market.process({ settings, intercept: counting(counts) });
    const bookings = await times(60, () => market.book(process));
    const before = (await market.books()).events.length;
    const answers = await Promise.all(bookings.map((booking) => answerFor(booking, counted)));
    expect(countOf(answers, 'payment_declined')).toBe(LIMIT);
    expect(countOf(answers, 'rate_limited')).toBe(60 - LIMIT);
    expect(counts.get('charge')).toBe(LIMIT);
    const { events } = await market.books();
    const types = events.slice(before).map(({ type }) => type);
    expect(types.filter((type) => type !== 'TicketBlockLeased')).toHaveLength(LIMIT * 8);
    expect(await market.findings()).toEqual([]);
  });

  it('are at most ten charges for each process', async () => {
    const processes = Array.from({ length: 3 }, () => market.process({ settings }));
    const answers = await times(60, (place) => answerTo(processes[place % 3]));
    expect(countOf(answers, 'payment_declined')).toBeGreaterThanOrEqual(LIMIT);
    expect(countOf(answers, 'payment_declined')).toBeLessThanOrEqual(3 * LIMIT);
    expect(await answerTo()).toBe('rate_limited');
  });

  it('are ten that are found wrong before they are charged, and of both kinds ten together', async () => {
    const answers = await times(60, (place) => answerTo(process, place % 2 === 0 ? 'invalid' : 'declined'));
    expect(countOf(answers, 'rate_limited')).toBe(60 - LIMIT);
    expect(await answerTo(process, 'good')).toBe('rate_limited');
  });
});

describe('a refused card', () => {
  it('is counted though the answer to its charge was lost', async () => {
    const lossy = market.process({ settings, intercept: failing('after', 'charge') });
    expect(await answerTo(lossy)).toBe('payment_declined');
    expect(await counted()).toBe(1);
  });

  it('is counted by recovery where its request died after the charge, once', async () => {
    const { intercept, reached } = gate('after', 'charge');
    void answerTo(market.process({ settings, intercept }));
    await reached;
    market.stores.clock.advance(SETTINGS.hold + 1);
    await market.recover(process);
    expect(await counted()).toBe(1);
    await market.recover(process);
    expect(await counted()).toBe(1);
  });

  it('counts before the booking is free, so that whoever finishes the order after another crash counts it', async () => {
    const paused = gate('after', 'charge');
    void answerTo(market.process({ settings, intercept: paused.intercept }));
    await paused.reached;
    market.stores.clock.advance(SETTINGS.hold + 1);
    const dying = gate('before', 'append BookingCheckoutAbandoned');
    const recovery = market.recover(market.process({ settings, intercept: dying.intercept }));
    await dying.reached;
    expect(await counted()).toBe(1);
    dying.open();
    await recovery;
  });

  it('counts once for an order that is sent again', async () => {
    const booking = await market.book(process);
    const orderId = market.stores.ids.next();
    for (let sent = 0; sent < 3; sent += 1)
      expect(await answerFor(booking, process, 'invalid', orderId)).toBe('payment_card_invalid');
    expect(await counted()).toBe(1);
  });

  it('is also one whose holder refused, or did not answer', async () => {
    const [denied, lapsed] = [market.stores.ids.next(), market.stores.ids.next()];
    await answerTo(process, 'challenged', denied);
    await answerTo(process, 'challenged', lapsed);
    expect(await counted()).toBe(0);
    await market.decide(process, denied, 'deny');
    expect(await counted()).toBe(1);
    market.stores.clock.advance(CHALLENGE_LIFE - 1);
    await market.recover(process);
    expect(await counted()).toBe(1);
    market.stores.clock.advance(2);
    await market.recover(process);
    expect(await counted()).toBe(1); // the first is ten minutes old
    await market.decide(process, denied, 'deny');
    expect(await counted()).toBe(1);
  });
});

describe('an agent with no refused card left', () => {
  it('may complete what its traveller has approved', async () => {
    const [booking, orderId] = [await market.book(process), market.stores.ids.next()];
    await answerFor(booking, process, 'challenged', orderId);
    await times(LIMIT, () => answerTo());
    await market.decide(process, orderId, 'approve');
    expect(await answerFor(booking, process, 'challenged')).toBe('paid');
  });
});

describe('a booking that was judged before another order of it failed', () => {
  it('is judged again: the card whose challenge failed meanwhile is not asked a second time', async () => {
    const booking = await market.book(process);
    const { intercept, reached, open } = gate('before', 'append BookingCheckoutStarted');
    const slow = answerFor(booking, market.process({ settings, intercept }), 'challenged');
    await reached;
    const orderId = market.stores.ids.next();
    expect(await answerFor(booking, process, 'challenged', orderId)).toBe('payment_challenge_required');
    await market.decide(process, orderId, 'deny');
    open();
    expect(await slow).toBe('payment_challenge_failed');
  });

  it('answers the challenge of the other where that waits', async () => {
    const booking = await market.book(process);
    const { intercept, reached, open } = gate('before', 'append BookingCheckoutStarted');
    const slow = answerFor(booking, market.process({ settings, intercept }), 'challenged');
    await reached;
    expect(await answerFor(booking, process, 'challenged')).toBe('payment_challenge_required');
    open();
    expect(await slow).toBe('payment_challenge_required');
  });
});

describe('two who finish the same captured order', () => {
  it('use up one ticket code: the other goes back to the stock that it was drawn from', async () => {
    const { intercept, reached, open } = gate('before', 'append OrderPaid');
    const slow = market.process({ settings, intercept });
    const orderId = market.stores.ids.next();
    const answer = answerTo(slow, 'good', orderId);
    await reached;
    market.stores.clock.advance(SETTINGS.hold + 1);
    await market.recover(process);
    open();
    expect(await answer).toBe('paid');
    const { state } = await process.aggregates.load(orders, orderId);
    expect(state).toMatchObject({ ticketCode: ticketCode(1_001) });
    expect(await slow.checkouts.tickets.drawFor(1)).toEqual([ticketCode(1)]);
  });
});
