import { bookings, loadBooking } from '#booking';
import { Aggregates } from '#event-store';
import { plus, RandomIds, systemContext } from '#kernel';
import { FixedClock } from '#testing';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import { MemoryEventStore } from '../../../event-store/src/testing/index.js';
import { type BookingCommand, sampleCheckout } from '../../../booking/src/testing/index.js';
import { SAMPLE_LINE as line } from '../testing/sample-line.js';
import { SessionHolds } from './session-holds.js';
import { Sessions } from './sessions.js';
import type { Session, StoredSession } from './stored-session.js';

const MINUTE = 60_000;
const ID = 'a0000000-0000-4000-8000-000000000000';

let clock: FixedClock;
let aggregates: Aggregates;
let sessions: Sessions;
let holds: SessionHolds;
beforeEach(async () => {
  clock = new FixedClock();
  const documents = new MemoryDocuments(clock);
  const ids = new RandomIds();
  aggregates = new Aggregates(new MemoryEventStore(), clock, ids);
  sessions = new Sessions(documents, aggregates, clock);
  holds = new SessionHolds(sessions, aggregates, ids, clock);
  await sessions.stored.prepare();
  const platform = { platform: 'https://agent.example/profile', isProven: true };
  const times = { createdAt: clock.now(), expiresAt: plus(clock.now(), 30 * MINUTE) };
  await sessions.stored.insert(ID, { ...platform, line, hasOthers: false, ...times, holder: null });
});

const read = async (): Promise<Session> => {
  const session = await sessions.found(ID);
  if (!session) throw new Error('it is kept');
  return session;
};
const during = async (work: (session: Session) => Promise<unknown>, holder = 'ana') =>
  holds.during(await read(), holder, {}, work);
const isFree = async () =>
  holds.requireOpen(await read()).then(
    () => true,
    () => false,
  );
const BUSY = expect.objectContaining({ message: expect.stringMatching('checkout_in_progress') });
const priced = (price: number): StoredSession['line'] => ({ ...line, price });

it('keeps a session until the last of its purchases ends', async () => {
  await during(async () => {
    await during(async () => expect(await isFree()).toBe(false));
    expect(await isFree()).toBe(false);
  });
  expect(await isFree()).toBe(true);
});

it('keeps a session for a minute, and buys nothing after who let go of it', async () => {
  await during(async (session) => {
    clock.advance(MINUTE - 1);
    expect(await isFree()).toBe(false);
    await holds.requireHeld(session);
    clock.advance(1);
    await holds.requireHeld(session);
    expect(await isFree()).toBe(true);
    await expect(holds.requireHeld(session)).rejects.toEqual(BUSY);
  });
});

/** A purchase that goes on until it is told to end, and has begun. */
const lasting = async (holder: string) => {
  let end = (): void => undefined;
  const told = new Promise<void>((resolve) => (end = resolve));
  let ended = Promise.resolve<unknown>(null);
  await new Promise<void>((begun) => {
    ended = during(() => {
      begun();
      return told;
    }, holder);
  });
  return () => {
    end();
    return ended;
  };
};

it('that ended by itself ends no later one', async () => {
  const outlived = await lasting('ana');
  await expect(during(() => Promise.resolve(), 'bruno')).rejects.toEqual(BUSY);
  clock.advance(MINUTE);
  const later = await lasting('bruno');
  await outlived();
  expect(await isFree()).toBe(false);
  await later();
  expect(await isFree()).toBe(true);
});

describe('who lets go of a purchase that outlived its time', () => {
  const trip = { flightNumber: 'AL4012', fareCode: 'CLASSICA', passengers: 2, total: sampleCheckout().total } as const;
  const agent = { holder: 'ana', clientId: 'pilot' } as const;
  const handle = (command: BookingCommand) => aggregates.handle(bookings, ID, command, systemContext('a test'));
  const book = () => handle({ type: 'CreateBooking', bookingId: ID, ...agent, choice: trip });
  const judged = { choice: trip, wasPromised: true } as const;
  const start = () =>
    handle({ type: 'StartCheckout', checkout: sampleCheckout({ bookingId: ID }), judged, abandoned: {} });

  it('empties its booking: no order begins that was judged by what it was', async () => {
    await during(async () => {
      await book();
      clock.advance(MINUTE);
      await holds.current(await read());
      expect(await loadBooking(aggregates, ID)).toMatchObject({ kind: 'open', choice: { fareCode: null } });
    });
    expect((await read()).body.isFenceDue).toBeUndefined();
  });

  it('does so once an order that has it has failed', async () => {
    await during(async () => {
      await book();
      await start();
      clock.advance(MINUTE);
      await holds.current(await read());
      expect(await isFree()).toBe(false);
      await handle({ type: 'AbandonCheckout', orderId: 'o1' });
      expect(await isFree()).toBe(true);
      expect(await loadBooking(aggregates, ID)).toMatchObject({ kind: 'open', choice: { fareCode: null } });
    });
  });
});

it('buys nothing else than what was read, where somebody changed that as it was let go of', async () => {
  const outlived = await lasting('ana');
  const verified = await read();
  clock.advance(MINUTE);
  const { session } = await holds.requireOpen(verified);
  await sessions.change(session, { ...session.body, line: { ...line, quantity: 2 } });
  const bought = holds.during(verified, 'ana', {}, ({ body }) => Promise.resolve(body.line.quantity));
  await expect(bought).rejects.toEqual(BUSY);
  await outlived();
});

it('shows another price only where no other purchase may charge the one that was shown', async () => {
  await during(async (first) => {
    await during(async (second) => {
      for (const held of [first, second]) await expect(holds.reprice(held, priced(90))).rejects.toEqual(BUSY);
    });
    await expect(holds.reprice(first, priced(90))).rejects.toEqual(BUSY);
  });
  expect((await read()).body.line.price).toBe(100);
  await during((held) => holds.reprice(held, priced(90)));
  expect((await read()).body.line.price).toBe(90);
});
