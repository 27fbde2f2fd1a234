import { EventEmitter, once } from 'node:events';
import fc from 'fast-check';
import { RandomIds, systemContext } from '#kernel';
import { FixedClock } from '#testing';
import { type AggregateOptions, Aggregates } from './aggregates.js';
import { AppendOutcomeUnknown, StoreUnavailable, StreamBusy, StreamDamaged } from './event-store.errors.js';
import { CHAIN_START, expectedHash } from './stored-event.js';
import type { EventStore, StoredEvent } from './event-store.port.js';
import { all, upTo } from './testing/sample-events.js';
import { type Seats, seats, type SeatsCommand } from './testing/seats.js';
import { type Fate, UnreliableStore } from './testing/unreliable-store.js';

/** A clock whose timer runs only while a command waits, or as a test says: how long the rest takes decides nothing. */
class WaitingClock extends FixedClock {
  private waited = 0;

  override monotonic(): number {
    return this.waited;
  }

  passes(milliseconds: number): void {
    this.waited += milliseconds;
  }

  readonly wait = (milliseconds: number): Promise<void> => {
    this.passes(milliseconds);
    return new Promise((resolve) => setImmediate(resolve));
  };
}

/** What aggregates keep, whatever the event store is made of. `open` returns one in which all streams are new. */
export const aggregatesContract = (open: () => Promise<EventStore>): void => {
  const clock = new WaitingClock();
  const context = systemContext('a test');
  let store: EventStore;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  let flights = 0;
  let flight = '';
  beforeEach(() => {
    flight = `${(flights += 1)}`;
  });

  /** A process: aggregates with a cache of their own, on a line of their own to the one store. */
  const newProcess = (options?: AggregateOptions) => {
    const line = new UnreliableStore(store);
    const aggregates = new Aggregates(line, clock, new RandomIds(), { wait: clock.wait, ...options });
    return {
      line,
      handle: (command: SeatsCommand, id = flight) => aggregates.handle(seats, id, command, context),
      begin: (command: SeatsCommand, id = flight) => aggregates.begin(seats, id, command, context),
      load: (id = flight) => aggregates.load(seats, id),
    };
  };

  const schedule = (count: number): SeatsCommand => ({ type: 'Schedule', seats: count });
  const hold = (orderId: string, count = 1): SeatsCommand => ({ type: 'Hold', orderId, seats: count });
  const release = (orderId: string): SeatsCommand => ({ type: 'Release', orderId });
  const stored = () => all(store.readStream(seats.streamOf(flight)));
  /** Two processes and a flight with these seats, which the first one has scheduled. */
  const bothOver = async (count: number) => {
    const [one, two] = [newProcess(), newProcess()] as const;
    await one.handle(schedule(count));
    return [one, two] as const;
  };

  describe('handle', () => {
    it('appends what the decider answers, with the whole envelope', async () => {
      const { handle } = newProcess();
      await handle(schedule(9));
      const handled = await handle(hold('a', 2));
      const [, event] = await stored();
      expect(handled).toMatchObject({ state: { free: 7, held: { a: 2 } }, revision: 1, position: event?.position });
      expect(handled.events).toEqual([{ type: event?.type, data: event?.data }]);
      expect(event).toMatchObject({
        type: 'SeatsHeld',
        data: { orderId: 'a', seats: 2, heldAt: clock.now() },
        metadata: {
          occurredAt: clock.now(),
          actor: { holder: null, clientId: null },
          $correlationId: 'a test',
          $causationId: 'a test',
          schemaVersion: 1,
        },
      });
    });

    it('writes nothing where it is already so, or refused', async () => {
      const { handle, line } = newProcess();
      await handle(schedule(2));
      await handle(hold('a', 2));
      expect(await handle(hold('a', 2))).toMatchObject({ events: [], revision: 1, position: null });
      await expect(handle(hold('b'))).rejects.toMatchObject({ code: 'seats_unavailable', details: { free: 0 } });
      expect(await stored()).toHaveLength(2);
      expect(line.sent).toHaveLength(2);
    });

    it('passes on that a stream cannot be read, to all who wait for it, and goes on afterwards', async () => {
      await newProcess().handle(schedule(9));
      const { handle, line } = newProcess();
      line.readFails = true;
      const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((order) => handle(hold(order))));
      for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { name: 'StoreUnavailable' } });
      line.readFails = false;
      expect((await handle(hold('a'))).revision).toBe(1);
    });

    it('never loses an update, though two processes write to one stream', async () => {
      const [one, two] = await bothOver(40);
      const outcomes = await Promise.allSettled(upTo(60).map((n) => (n % 2 ? one : two).handle(hold(`order ${n}`))));
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused).toHaveLength(20);
      for (const { reason } of refused) expect(reason).toMatchObject({ code: 'seats_unavailable' });
      expect(await stored()).toHaveLength(41);
      expect((await one.load()).state).toMatchObject({ free: 0 });
      expect(await two.load()).toEqual(await one.load());
    });

    it('decides a refusal again on the stream’s tail if it was decided on a cached state (rule 13)', async () => {
      const [one, two] = await bothOver(1);
      await one.handle(hold('a'));
      await two.handle(release('a'));
      expect((await one.handle(hold('b'))).state).toEqual({ free: 0, held: { b: 1 } });
      await expect(two.handle(hold('c'))).rejects.toMatchObject({ code: 'seats_unavailable' });
    });

    it('decides “already so” again on the stream’s tail if it was decided on a cached state (rule 13)', async () => {
      const [one, two] = await bothOver(1);
      await two.handle(hold('a'));
      expect((await one.handle(release('a'))).events).toHaveLength(1);
      expect((await two.handle(hold('a'))).events).toHaveLength(1);
    });

    it('sends the same bytes again where the answer was lost, and they are in the log once (rule 12)', async () => {
      const { handle, line } = newProcess();
      await handle(schedule(9));
      let losses = 2;
      line.fate = () => (losses-- > 0 ? 'answer lost' : 'arrives');
      expect(await handle(hold('a'))).toMatchObject({ revision: 1, state: { free: 8 } });
      const [, first, ...again] = line.sent;
      expect(again).toEqual([first, first]);
      expect(await stored()).toHaveLength(2);
    });

    it('sends the same bytes again also where the stream has moved on meanwhile (rule 12)', async () => {
      const [one, two] = await bothOver(9);
      let attempts = 0;
      one.line.fate = async () => {
        attempts += 1;
        if (attempts === 2) await two.handle(hold('b')); // between the lost answer and the second attempt
        return attempts === 1 ? 'answer lost' : 'arrives';
      };
      expect(await one.handle(hold('a'))).toMatchObject({ revision: 1, state: { held: { a: 1 } } });
      expect((await one.load()).state).toEqual({ free: 7, held: { a: 1, b: 1 } });
      expect((await stored()).map(({ data }) => data['orderId'])).toEqual([undefined, 'a', 'b']);
    });

    it('decides anew after a definite conflict, though the attempt before it was lost (rule 12)', async () => {
      const [one, two] = await bothOver(2);
      let attempts = 0;
      one.line.fate = async () => {
        attempts += 1;
        if (attempts === 2) await two.handle(hold('b', 2)); // takes the revision, and the seats
        return attempts === 1 ? 'never arrives' : 'arrives';
      };
      await expect(one.handle(hold('a'))).rejects.toMatchObject({ code: 'seats_unavailable' });
      expect((await stored()).map(({ data }) => data['orderId'])).toEqual([undefined, 'b']);
    });

    it('answers that the outcome is unknown once its patience with a store that never answers ends (rule 14)', async () => {
      const { handle, line } = newProcess({ patience: 200 });
      line.fate = () => 'never arrives';
      await expect(handle(schedule(1))).rejects.toThrow(AppendOutcomeUnknown);
      expect(new Set(line.sent.map(({ bytes }) => bytes)).size).toBe(1);
    });

    it('is no less impatient with those that wait for their turn behind such a command', async () => {
      const { handle, line } = newProcess({ patience: 200 });
      line.fate = () => 'never arrives';
      const outcomes = await Promise.allSettled(upTo(20).map(() => handle(schedule(1))));
      const [first, ...others] = outcomes.map(
        (outcome) => outcome.status === 'rejected' && (outcome.reason as unknown),
      );
      expect(first).toBeInstanceOf(AppendOutcomeUnknown);
      for (const reason of others) expect(reason).toBeInstanceOf(StreamBusy);
      // Waiting for their turn used their patience up: they sent nothing of their own.
      expect(new Set(line.sent.map(({ bytes }) => bytes)).size).toBe(1);
    });

    it('passes on at once that the store refuses, and goes on afterwards', async () => {
      const { handle, line } = newProcess();
      await handle(schedule(2));
      line.fate = () => 'refused';
      await expect(handle(hold('a'))).rejects.toThrow(StoreUnavailable);
      expect(line.sent).toHaveLength(2);
      line.fate = () => 'arrives';
      expect((await handle(hold('a'))).revision).toBe(1);
    });

    it('does not take a refusal for an answer to what was sent before: the outcome stays unknown (rule 12)', async () => {
      const { handle, load, line } = newProcess();
      await handle(schedule(2));
      let attempts = 0;
      line.fate = () => ((attempts += 1) === 1 ? 'answer lost' : 'refused');
      await expect(handle(hold('a'))).rejects.toThrow(AppendOutcomeUnknown);
      expect((await load()).state.held).toEqual({ a: 1 });
    });

    it('gives up on a stream that others keep changing, with nothing written (rule 14)', async () => {
      const [one, two] = [newProcess({ patience: 200 }), newProcess()];
      await one.handle(schedule(9));
      one.line.fate = async (): Promise<Fate> => {
        await two.handle(schedule(1)); // takes the revision every time
        clock.passes(20);
        return 'arrives';
      };
      await expect(one.handle(hold('a'))).rejects.toThrow(StreamBusy);
      expect((await two.load()).state.held).toEqual({});
    });

    it('takes turns with another process, though the other one has appended again whenever it has read', async () => {
      const news = new EventEmitter();
      /** Those that have commands, and those of them that do not rest. */
      const [left, busy] = [new Set(['one', 'two']), new Set(['one', 'two'])];
      const rival = (name: string, other: string) => {
        const wait = async (milliseconds: number) => {
          clock.passes(milliseconds);
          busy.delete(name);
          news.emit(name);
          if (left.has(other)) await once(news, other);
          busy.add(name);
        };
        const { line, handle } = newProcess({ wait });
        line.fate = () => {
          clock.passes(100);
          return 'arrives';
        };
        const holdAll = async () => {
          for (const n of upTo(60)) {
            await handle(hold(`${name} ${n}`));
            news.emit(name);
          }
          for (const those of [left, busy]) those.delete(name);
          news.emit(name);
        };
        return { line, holdAll };
      };
      await newProcess().handle(schedule(120));
      const [one, two] = [rival('one', 'two'), rival('two', 'one')];
      two.line.ending = async () => {
        if (busy.has('one')) await once(news, 'one');
      };
      await Promise.all([one.holdAll(), two.holdAll()]);
      const order = (await stored()).slice(1).map(({ data }) => String(data['orderId']).slice(0, 3));
      const first = order.indexOf('two');
      expect(first).toBeLessThan(20);
      expect(order.slice(first, first + 80)).toEqual(upTo(80).map((n) => (n % 2 ? 'one' : 'two')));
    });

    it('lets others whom it cannot notice go first once a second, and reads then alone', async () => {
      const waits: number[] = [];
      const { handle, line } = newProcess({ wait: (milliseconds) => Promise.resolve(waits.push(milliseconds)) });
      line.fate = () => {
        clock.passes(10);
        return 'arrives';
      };
      await handle(schedule(200));
      for (const n of upTo(90)) await handle(hold(`order ${n}`));
      expect([waits, line.readFrom]).toEqual([[], [0]]);
      for (const n of upTo(90)) await handle(hold(`another order ${n}`));
      expect([waits, line.readFrom]).toEqual([[20], [0, expect.any(Number)]]);
    });

    it('folds into its cache what a fresh process folds from the log (rule 15)', async () => {
      const orders = fc.constantFrom('a', 'b', 'c', 'd');
      const commands: fc.Arbitrary<SeatsCommand> = fc.oneof(
        fc.record({ type: fc.constant('Schedule' as const), seats: fc.nat(5) }),
        fc.record({ type: fc.constant('Hold' as const), orderId: orders, seats: fc.integer({ min: 1, max: 4 }) }),
        fc.record({ type: fc.constant('Release' as const), orderId: orders }),
      );
      const steps = fc.array(fc.tuple(fc.constantFrom(0, 1), commands), { minLength: 1, maxLength: 25 });
      await fc.assert(
        fc.asyncProperty(steps, async (script) => {
          const stream = `flight-${(flights += 1)}`;
          const processes = [newProcess({ cached: 1 }), newProcess()];
          for (const [place, command] of script) {
            clock.advance(1);
            await processes[place]?.handle(command, stream).catch(() => null);
          }
          const fresh = await newProcess().load(stream);
          for (const { load } of processes) expect(await load(stream)).toEqual(fresh);
          const taken = Object.values(fresh.state.held).reduce((sum, one) => sum + one, 0);
          const all = script.reduce((sum, [, command]) => sum + (command.type === 'Schedule' ? command.seats : 0), 0);
          expect(fresh.state.free).toBe(all - taken);
          expect(fresh.state.free).toBeGreaterThanOrEqual(0);
        }),
        { numRuns: 40 },
      );
    });

    it('folds all events of one command into its cache (rule 15)', async () => {
      const { decider } = seats;
      const decide = (...asked: Parameters<typeof decider.decide>) =>
        [1, 2].flatMap(() => [...decider.decide(...asked)]);
      const twice = { ...seats, decider: { ...decider, decide } };
      const aggregates = new Aggregates(store, clock, new RandomIds());
      expect((await aggregates.handle(twice, flight, schedule(3), context)).state.free).toBe(6);
      expect(await aggregates.load(twice, flight)).toEqual(await newProcess().load());
    });

    it('reads no more than the tail of a stream it knows', async () => {
      const { handle, load, line } = newProcess();
      await handle(schedule(9));
      await handle(hold('a'));
      await handle(hold('b'));
      await load();
      expect(line.readFrom).toEqual([0, 3]);
    });

    it('does not go back to what a slow reading found before an append of its own', async () => {
      const { handle, load, line } = newProcess();
      await handle(schedule(9));
      let end = (): void => undefined;
      const ended = new Promise<void>((resolve) => (end = resolve));
      line.ending = () => ended;
      const reading = load();
      await handle(hold('a'));
      end();
      await reading;
      await handle(hold('b'));
      expect(line.sent.map(({ expectedRevision }) => expectedRevision)).toEqual([-1, 0, 1]);
    });

    it('reads a stream from its beginning after its store has failed, which may come back with less of it', async () => {
      const { handle, line } = newProcess();
      const before = newProcess();
      before.line.suffix = '-backup';
      await before.handle(schedule(1));
      await handle(schedule(1));
      await handle(hold('a'));
      line.fate = () => 'refused';
      await expect(handle(release('a'))).rejects.toThrow(StoreUnavailable);
      [line.suffix, line.fate] = ['-backup', () => 'arrives'];
      expect(await handle(hold('b'))).toMatchObject({ revision: 1, state: { held: { b: 1 } } });
    });

    it('reads nothing of a stream that it begins', async () => {
      const { begin, handle, line } = newProcess();
      await begin(schedule(9));
      expect(await handle(hold('a'))).toMatchObject({ revision: 1, state: { free: 8 } });
      expect(line.readFrom).toEqual([]);
    });

    it('finds out that a stream it begins is there, and decides on what is in it (rule 13)', async () => {
      await newProcess().handle(schedule(2));
      await newProcess().handle(hold('a'));
      expect(await newProcess().begin(hold('b'))).toMatchObject({ revision: 2, state: { free: 0 } });
      await expect(newProcess().begin(hold('c'))).rejects.toMatchObject({ code: 'seats_unavailable' });
      expect(await newProcess().begin(hold('a'))).toMatchObject({ events: [], revision: 2 });
    });

    it('stamps a time not before the stream’s last (rule 16)', async () => {
      const [one, two] = [newProcess(), newProcess()];
      clock.advance(60_000);
      await one.handle(schedule(9));
      const last = clock.now();
      clock.advance(-45_000);
      await one.handle(hold('a'));
      await two.handle(hold('b'));
      const [, ...later] = await stored();
      expect(later.map(({ metadata }) => metadata.occurredAt)).toEqual([last, last]);
      expect(later.map(({ data }) => data['heldAt'])).toEqual([last, last]);
    });

    it('chains every event to the one before it, from 32 zero bytes on (rule 27)', async () => {
      const [one, two] = await bothOver(9);
      await Promise.all(upTo(8).map((n) => (n % 2 ? one : two).handle(hold(`pedido nº ${n} ✈`))));
      let previous = CHAIN_START;
      for (const event of await stored()) {
        const { hash } = event.metadata;
        expect(hash).toBe(expectedHash(previous, event));
        previous = hash;
      }
      expect((await one.load()).hash).toBe(previous);
    });
  });

  describe('commands of one stream that wait together', () => {
    /** Lets the first append of a process wait until `ready` others wait behind it. */
    const gathered = (line: UnreliableStore, then: (append: number) => Fate | Promise<Fate> = () => 'arrives') => {
      let open = nothing;
      const gate = new Promise<void>((resolve) => (open = resolve));
      let appends = 0;
      line.fate = async () => {
        appends += 1;
        if (appends === 1) await gate;
        return then(appends);
      };
      return () => open();
    };
    const nothing = (): void => undefined;
    const started = async (options?: AggregateOptions) => {
      const one = newProcess(options);
      await one.handle(schedule(3));
      one.line.sent.length = 0;
      return one;
    };

    it('are decided one after the other, appended in one append, and each answered for itself', async () => {
      const { handle, line } = await started();
      const open = gathered(line);
      const outcomes = Promise.allSettled(['a', 'b', 'c', 'b', 'd', 'e'].map((order) => handle(hold(order))));
      open();
      const [a, b, c, again, d, e] = await outcomes;
      expect(line.sent.map(({ expectedRevision }) => expectedRevision)).toEqual([0, 1]);
      expect(a).toMatchObject({ value: { revision: 1, state: { held: { a: 1 } } } });
      expect(b).toMatchObject({ value: { revision: 2, state: { free: 1 }, events: [{ data: { orderId: 'b' } }] } });
      expect(c).toMatchObject({ value: { revision: 3, state: { free: 0 }, events: [{ data: { orderId: 'c' } }] } });
      expect(again).toMatchObject({ value: { events: [], position: null, state: { free: 0 } } });
      for (const refused of [d, e]) expect(refused).toMatchObject({ reason: { code: 'seats_unavailable' } });
      const events = await stored();
      expect(events.map(({ data }) => data['orderId'])).toEqual([undefined, 'a', 'b', 'c']);
      expect(c).toMatchObject({ value: { position: events.at(-1)?.position } });
    });

    it('keep their own contexts in one chain (rule 27)', async () => {
      const aggregates = new Aggregates(store, clock, new RandomIds());
      const from = (name: string, count: number) =>
        aggregates.handle(seats, flight, schedule(count), systemContext(name));
      await Promise.all([from('first', 1), from('second', 2), from('third', 3)]);
      let previous = CHAIN_START;
      for (const event of await stored()) {
        expect(event.metadata.hash).toBe(expectedHash(previous, event));
        previous = event.metadata.hash;
      }
      expect((await stored()).map(({ metadata }) => metadata.$correlationId)).toEqual(['first', 'second', 'third']);
    });

    it('are all decided anew after a conflict', async () => {
      const [one, two] = [await started(), newProcess()];
      const open = gathered(one.line, async (append): Promise<Fate> => {
        if (append === 2) await two.handle(hold('x'));
        return 'arrives';
      });
      const outcomes = Promise.allSettled(['a', 'b', 'c'].map((order) => one.handle(hold(order))));
      open();
      expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
      expect((await stored()).map(({ data }) => data['orderId'])).toEqual([undefined, 'a', 'x', 'b']);
    });

    it('are sent again byte for byte where the answer was lost (rule 12)', async () => {
      const { handle, line } = await started();
      const open = gathered(line, (append) => (append === 2 ? 'answer lost' : 'arrives'));
      const handled = Promise.all(['a', 'b', 'c'].map((order) => handle(hold(order))));
      open();
      expect((await handled).map(({ revision }) => revision)).toEqual([1, 2, 3]);
      const [, sent, again] = line.sent;
      expect(again).toEqual(sent);
      expect(await stored()).toHaveLength(4);
    });

    it('fail alone where the program has a defect', async () => {
      const { handle, line } = await started();
      const open = gathered(line);
      const outcomes = Promise.allSettled([handle(hold('a')), handle(hold('b', 0.5)), handle(hold('c'))]);
      open();
      const [, broken, after] = await outcomes;
      expect(broken).toMatchObject({ reason: { name: 'UnwritableEvent' } });
      expect(after).toMatchObject({ value: { state: { free: 1, held: { a: 1, c: 1 } } } });
      expect(line.sent).toHaveLength(2);
    });

    it('write nothing of one whose events cannot be folded', async () => {
      const { handle, line } = await started();
      const evolve = seats.decider.evolve;
      const faulty = {
        ...seats,
        decider: {
          ...seats.decider,
          evolve: (state: Seats, event: Parameters<typeof evolve>[1]) => {
            if (event.type === 'SeatsHeld' && event.data.orderId === 'b') throw new Error('a fault');
            return evolve(state, event);
          },
        },
      };
      const aggregates = new Aggregates(line, clock, new RandomIds());
      const open = gathered(line);
      const outcomes = Promise.allSettled(
        ['a', 'b', 'c'].map((id) => aggregates.handle(faulty, flight, hold(id), context)),
      );
      open();
      const [, broken, after] = await outcomes;
      expect(broken).toMatchObject({ reason: { message: 'a fault' } });
      expect(after).toMatchObject({ value: { state: { free: 1, held: { a: 1, c: 1 } } } });
      expect((await handle(hold('d'))).state).toEqual({ free: 0, held: { a: 1, c: 1, d: 1 } });
      expect((await stored()).map(({ data }) => data['orderId'])).toEqual([undefined, 'a', 'c', 'd']);
    });

    it('are refused on a cached state only once the append that stands on it is in the log (rule 13)', async () => {
      const { handle, line } = await started();
      const open = gathered(line, (append) => (append === 1 ? 'arrives' : 'refused'));
      const outcomes = Promise.allSettled([handle(hold('a')), handle(hold('b', 2)), handle(hold('c'))]);
      open();
      const [, accepted, refused] = await outcomes;
      // Nothing vouches for the state on which there was no seat left: the seats were never held.
      for (const failed of [accepted, refused]) expect(failed).toMatchObject({ reason: { name: 'StoreUnavailable' } });
    });

    it('are told apart where the outcome stays unknown: what was refused wrote nothing', async () => {
      const { handle, line } = await started({ patience: 300 });
      const open = gathered(line, (append) => (append === 1 ? 'arrives' : 'never arrives'));
      const outcomes = Promise.allSettled([handle(hold('a')), handle(hold('b', 2)), handle(hold('c'))]);
      open();
      const [first, accepted, refused] = await outcomes;
      expect(first).toMatchObject({ status: 'fulfilled' });
      expect(accepted).toMatchObject({ reason: { name: 'AppendOutcomeUnknown' } });
      expect(refused).toMatchObject({ reason: { name: 'StoreUnavailable' } });
    });

    it('are not decided once their patience has ended', async () => {
      const { handle, line } = await started({ patience: 200 });
      let decided = 0;
      const impatient = { type: 'Hold', orderId: 'late', seats: 1 } as const;
      const watched: SeatsCommand = {
        ...impatient,
        get orderId() {
          decided += 1;
          return 'late';
        },
      };
      line.fate = () => 'never arrives';
      const outcomes = Promise.allSettled([handle(hold('a')), handle(watched)]);
      expect((await outcomes)[1]).toMatchObject({ reason: { name: 'StreamBusy' } });
      line.fate = () => 'arrives';
      await handle(hold('b')); // whatever was to be done before is done
      expect(decided).toBe(0);
    });

    it('go into several appends where one would be too large', async () => {
      const { handle, line } = await started();
      await handle(schedule(900));
      line.sent.length = 0;
      await stored();
      const open = gathered(line);
      const handled = Promise.all(upTo(601).map((n) => handle(hold(`order ${n}`))));
      open();
      expect((await handled).map(({ revision }) => revision)).toEqual(upTo(601).map((n) => n + 2));
      expect(line.sent.map(({ expectedRevision }) => expectedRevision)).toEqual([1, 2, 258, 514]);
    });

    it('go into several appends where one would be more than 512 KiB of UTF-8, and what is larger goes alone', async () => {
      const { handle, line } = await started();
      await handle(schedule(900));
      line.sent.length = 0;
      await stored();
      const open = gathered(line);
      /** An order whose id has so many bytes, three of them in each character. */
      const order = (name: string, bytes: number) => handle(hold(name + '✈'.repeat(bytes / 3)));
      const few = upTo(7).map((n) => order(`${n}`, 102_000));
      const handled = Promise.all([...few, order('large', 600_000), order('last', 3)]);
      open();
      expect((await handled).map(({ revision }) => revision)).toEqual(upTo(9).map((n) => n + 2));
      expect(line.sent.map(({ expectedRevision }) => expectedRevision)).toEqual([1, 2, 7, 8, 9]);
    });
  });

  describe('load', () => {
    it('answers the initial state of a stream without events', async () => {
      expect(await newProcess().load()).toEqual({
        state: { free: 0, held: {} },
        revision: -1,
        hash: CHAIN_START,
        occurredAt: '',
      });
    });

    it('reads a whole stream once for all who ask for it at once, and sees what was written meanwhile', async () => {
      const [one, two] = await bothOver(9);
      const first = two.load();
      await one.handle(hold('a', 2));
      const others = await Promise.all(upTo(20).map(() => two.load()));
      await first;
      for (const { state } of others) expect(state.free).toBe(7);
      expect(two.line.readFrom.filter((revision) => revision === 0)).toHaveLength(1);
    });

    it('reads a stream twice at most for any number who ask for it at once, also where it is not kept', async () => {
      const [one, two] = [newProcess(), newProcess({ cached: 1 })];
      await one.handle(schedule(9));
      await Promise.all(upTo(20).map(() => two.load()));
      expect(two.line.readFrom).toEqual([0, 1]);
      await Promise.all(upTo(20).flatMap(() => [two.load(), two.load(`other ${flight}`)]));
      expect(two.line.readFrom).toHaveLength(6);
    });

    it('reads what was appended after it was asked, though a reading was under way', async () => {
      const [one, two] = await bothOver(9);
      const loads: Promise<unknown>[] = [];
      for (const n of upTo(9)) {
        await one.handle(hold(`order ${n}`));
        loads.push(...upTo(3).map(async () => expect((await two.load()).revision).toBeGreaterThan(n)));
      }
      await Promise.all(loads);
    });

    it('lets everything else run while it folds a long stream', async () => {
      const { handle } = newProcess();
      await handle(schedule(9));
      await Promise.all(upTo(300).map((n) => handle(n % 2 ? release('a') : hold('a'))));
      let folded = 0;
      const evolve: typeof seats.decider.evolve = (...args) => {
        folded += 1; // each event takes a millisecond
        return seats.decider.evolve(...args);
      };
      const slowClock = Object.assign(new FixedClock(), { monotonic: () => folded });
      const aggregates = new Aggregates(store, slowClock, new RandomIds());
      let [before, longest, isOver] = [0, 0, false];
      const turn = () => {
        longest = Math.max(longest, folded - before);
        before = folded;
        if (!isOver) setImmediate(turn);
      };
      setImmediate(turn);
      const slow = { ...seats, decider: { ...seats.decider, evolve } };
      await Promise.all(upTo(3).map(() => aggregates.load(slow, flight)));
      isOver = true;
      turn();
      expect(folded).toBe(301);
      expect(longest).toBeLessThanOrEqual(4);
    });

    it('goes on after a whole stream could not be read for somebody else', async () => {
      const [, two] = await bothOver(9);
      two.line.readFails = true;
      const outcomes = Promise.allSettled([two.load(), two.load()]);
      await expect(two.load()).rejects.toThrow(StoreUnavailable);
      await outcomes;
      two.line.readFails = false;
      expect((await two.load()).state.free).toBe(9);
    });

    /** As a disk may change them, by name: what becomes of the event at revision 1. */
    const damages: Readonly<Record<string, (event: StoredEvent) => StoredEvent | null>> = {
      'is lost': () => null,
      'has another amount': (event) => ({ ...event, bytes: undefined, data: { ...event.data, seats: 8 } }),
      'has another time': (event) => ({
        ...event,
        bytes: undefined,
        metadata: { ...event.metadata, occurredAt: '2030-01-15T12:00:00.000Z' },
      }),
      'is of another type': (event) => ({ ...event, type: 'SeatsReleased' }),
      'stands in another stream': (event) => ({ ...event, stream: 'flight-another' }),
    };

    it.each(Object.keys(damages))(
      'decides and shows nothing of a stream of which one event %s (rule 27)',
      async (what) => {
        const [one, two] = await bothOver(9);
        for (const order of ['a', 'b', 'c']) await one.handle(hold(order));
        await two.load();
        for (const { line } of [one, two]) {
          line.asStored = (event) => (event.revision === 1 ? (damages[what]?.(event) ?? null) : event);
        }
        const three = newProcess();
        three.line.asStored = one.line.asStored;
        const damaged = `the event log is damaged at ${seats.streamOf(flight)}@1`;
        await expect(three.load()).rejects.toThrow(StreamDamaged);
        await expect(three.handle(hold('d'))).rejects.toThrow(damaged);
        expect(three.line.sent).toEqual([]);
        expect((await two.handle(hold('d'))).state.free).toBe(5); // it knows the stream from before
      },
    );

    it('takes no event for the next one of a stream that it knows, unless it is chained to it (rule 27)', async () => {
      const [one, two] = await bothOver(9);
      await two.load();
      await one.handle(hold('a', 2));
      two.line.asStored = (event) => ({ ...event, bytes: undefined, data: { ...event.data, seats: 8 } });
      await expect(two.load()).rejects.toThrow(StreamDamaged);
      two.line.asStored = (event) => event;
      expect((await two.load()).state.free).toBe(7);
    });

    it('sees at once what another process wrote', async () => {
      const [one, two] = await bothOver(3);
      await two.load();
      await one.handle(hold('a'));
      expect((await two.load()).state).toEqual({ free: 2, held: { a: 1 } });
    });
  });
};
