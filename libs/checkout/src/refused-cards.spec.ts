import { DomainError } from '#kernel';
import { ManualClock } from '#testing';
import { MemoryDocuments } from '../../documents/src/testing/index.js';
import type { CheckoutSettings } from './checkout-settings.js';
import { REFUSED_CARDS, RefusedCards } from './refused-cards.js';

const SECOND = 1_000;
const WINDOW = 600 * SECOND;
const AGENT = { holder: 'ana', clientId: 'pilot' };
const SETTINGS: CheckoutSettings = {
  hold: 60 * SECOND,
  charge: 30 * SECOND,
  recoveryLease: 10 * SECOND,
  recoveryPause: SECOND,
  refusedCards: 10,
  openChallenges: 3,
};

/** Tells when somebody waits for a permit. */
class WatchedClock extends ManualClock {
  private tell = (): void => undefined;
  readonly waitedFor = new Promise<void>((resolve) => (this.tell = resolve));

  override after(milliseconds: number, callback: () => void) {
    if (milliseconds <= 5 * SECOND) this.tell();
    return super.after(milliseconds, callback);
  }
}

let documents: MemoryDocuments;
let clock: WatchedClock;
let cards: RefusedCards;
beforeEach(async () => {
  clock = new WatchedClock();
  documents = new MemoryDocuments(clock);
  await documents.prepare(REFUSED_CARDS);
  cards = new RefusedCards(documents, clock, SETTINGS);
});

let orders = 0;
const refused = (party = AGENT) =>
  cards
    .permitted(party, async () => {
      orders += 1;
      await cards.count(party, `o${orders}`);
      throw new DomainError('payment_declined');
    })
    .catch(codeOf);
const codeOf = (error: unknown): string => (error instanceof DomainError ? error.code : String(error));
const times = <Answer>(count: number, work: () => Promise<Answer>) => Promise.all(Array.from({ length: count }, work));
const tally = (answers: readonly string[]) =>
  Object.fromEntries([...new Set(answers)].map((answer) => [answer, answers.filter((one) => one === answer).length]));

/** Work that stands still until it is let through. */
const standing = () => {
  let open = (): void => undefined;
  const opened = new Promise<string>((resolve) => (open = () => resolve('paid')));
  return { work: () => opened, open: () => open() };
};

describe('refused cards of an agent', () => {
  it('are ten, of 60 that are tried at once as of 60 in turn', async () => {
    expect(tally(await times(60, () => refused()))).toEqual({ payment_declined: 10, rate_limited: 50 });
    expect(await refused()).toBe('rate_limited');
  });

  it('are each agent’s and each traveller’s own', async () => {
    await times(10, () => refused());
    for (const other of [
      { ...AGENT, clientId: 'other' },
      { ...AGENT, holder: 'bruno' },
    ])
      expect(await refused(other)).toBe('payment_declined');
  });

  it('are counted for ten minutes, and the answer says when the next may be', async () => {
    await refused();
    clock.advance(WINDOW / 2);
    await times(9, () => refused());
    const work = () => Promise.resolve('paid');
    await expect(cards.permitted(AGENT, work)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 300 });
    clock.advance(WINDOW / 2);
    expect(await times(2, () => refused())).toEqual(['payment_declined', 'rate_limited']);
  });

  it('end in the order in which they were refused, whenever they were told', async () => {
    const early = clock.now();
    clock.advance(60 * SECOND);
    await cards.count(AGENT, 'late');
    await cards.count(AGENT, 'early', early);
    await times(8, () => refused());
    const permitted = cards.permitted(AGENT, () => Promise.resolve('paid'));
    await expect(permitted).rejects.toMatchObject({ retryAfter: 540 });
  });

  it('count once for an order, whoever tells, and not at all when that is long ago', async () => {
    const long = clock.now();
    clock.advance(WINDOW);
    await cards.count(AGENT, 'old', long);
    await times(20, () => cards.count(AGENT, 'o'));
    expect(tally(await times(10, () => refused()))).toEqual({ payment_declined: 9, rate_limited: 1 });
  });
});

describe('a permit', () => {
  it('is what each of many has in turn, and success writes nothing', async () => {
    let [running, most] = [0, 0];
    const paid = await times(50, () =>
      cards.permitted(AGENT, async () => {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        return 'paid';
      }),
    );
    expect(tally(paid)).toEqual({ paid: 50 });
    expect(most).toBeLessThanOrEqual(10);
    expect(await documents.count(REFUSED_CARDS.name, { where: [] })).toBe(0);
  });

  it('returns whatever becomes of the work', async () => {
    const broken = await times(30, () =>
      cards.permitted(AGENT, () => Promise.reject(new Error('broken'))).catch(codeOf),
    );
    expect(tally(broken)).toEqual({ 'Error: broken': 30 });
    expect(await refused()).toBe('payment_declined');
  });

  it('is waited for in the order of coming', async () => {
    await times(9, () => refused());
    const first = standing();
    const paying = cards.permitted(AGENT, first.work);
    const order: number[] = [];
    const others = [1, 2, 3].map((place) => cards.permitted(AGENT, () => Promise.resolve(order.push(place))));
    first.open();
    await Promise.all([paying, ...others]);
    expect(order).toEqual([1, 2, 3]);
  });

  it('is not waited for longer than five seconds', async () => {
    const { work, open } = standing();
    const paying = Array.from({ length: 10 }, () => cards.permitted(AGENT, work));
    const late = cards.permitted(AGENT, work).catch((error: unknown) => error as DomainError);
    await clock.waitedFor;
    clock.advance(5 * SECOND - 1);
    await new Promise(setImmediate);
    expect(await Promise.race([late, Promise.resolve('waiting')])).toBe('waiting');
    clock.advance(1);
    expect(await late).toMatchObject({ code: 'rate_limited', retryAfter: 5 });
    open();
    expect(await Promise.all(paying)).toEqual(Array(10).fill('paid'));
  });

  it('comes back after the time of a checkout, though its work never ends', async () => {
    const { work } = standing();
    for (let place = 0; place < 10; place += 1) void cards.permitted(AGENT, work);
    const late = cards.permitted(AGENT, work).catch(codeOf);
    await clock.waitedFor;
    clock.advance(5 * SECOND);
    expect(await late).toBe('rate_limited');
    clock.advance(55 * SECOND);
    expect(tally(await times(11, () => refused()))).toEqual({ payment_declined: 10, rate_limited: 1 });
  });
});
