import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BEGINNING, type EventStore, type Position, positionOf, type StoredEvent } from '#event-store';
import { delegations } from '#mandate';
import { DocumentsUnavailable } from '#documents';
import { nextTurn, overriding } from '#kernel';
import { AheadOfLog } from './checkpoints.js';
import { farBehind, type Projecting } from './start-projecting.js';
import { ProjectionStopped, type ProjectorObserver } from './projected.js';
import { ManualClock } from '#testing';
import { BeingBuilt, ReadModels } from './read-models.js';
import { standings } from './standings.js';
import { closed, foreign, opened } from './testing/delegation-log.js';
import { openMandates, TOTAL } from './testing/open-mandates.projection.js';
import { documentsIn, openSetting, type Setting } from './testing/setting.js';
import { embeddedIt } from './testing/stores.js';
import type { AnyEvent, EventReader } from '#events';
import type { Projection } from './projection.js';

const tickets: EventReader<AnyEvent> = { category: 'ticket', schemas: {}, decode: (stored) => stored };

const serials: Projection<{ readonly leased: number }> = {
  name: 'serials',
  version: 2,
  from: [tickets],
  indexes: [],
  documentsOf: () => ['all'],
  evolve: (document) => ({ leased: (document?.leased ?? 0) + 1 }),
};

describe('read models', () => {
  let setting: Setting;
  let readModels: ReadModels;
  let errors: readonly unknown[];
  const readModelsOf = ({ log, store, clock }: Pick<Setting, 'log' | 'store' | 'clock'>) =>
    new ReadModels(log.store, store, [openMandates, serials], clock, (_, error) => (errors = [...errors, error]));
  beforeEach(async () => {
    errors = [];
    setting = await openSetting();
    readModels = readModelsOf(setting);
  });
  afterEach(async () => {
    await readModels.stop();
    await setting.close();
  });

  it('hold the whole log once they caught up, each in a collection of its version and generation', async () => {
    const { log, store } = setting;
    await log.appendTo(1, opened('m1'), opened('m2'), closed('m1', 5));
    const end = await log.append('ticket-stock', foreign(1));
    expect(() => readModels.collectionOf(serials)).toThrow('serials is not open');
    await readModels.start();
    await readModels.caughtUp(end);
    expect(readModels.collectionOf(openMandates)).toBe('open-mandates-v1-1');
    expect(readModels.collectionOf(serials)).toBe('serials-v2-1');
    expect(await documentsIn(store, 'open-mandates-v1-1')).toEqual(await log.folded());
    expect(await store.get('serials-v2-1', 'all')).toMatchObject({ body: { leased: 1 } });
  });

  it('have caught up with an empty log, and with one that ends in events nobody reads', async () => {
    await readModels.start();
    await readModels.caughtUp(BEGINNING);
    await readModels.caughtUp(await setting.log.append('booking-1', bookingTicketed));
  });

  embeddedIt(
    'are built together where they are far behind, and asked for before that they say so',
    'a position of a server is no count of events',
    async () => {
      const { log, store } = setting;
      let end = '';
      for (let agent = 0; agent < 21; agent += 1) {
        const ids = Array.from({ length: 125 }, (_, place) => `m${agent}-${place}`);
        end = await log.appendTo(agent, ...ids.flatMap((id) => [opened(id), closed(id, 5)]));
      }
      let goOn = (): void => undefined;
      const held = new Promise<void>((resolve) => (goOn = resolve));
      let totals = 0;
      const slow = overriding(store, {
        putGuarded: async (collection, writes) => {
          totals += writes.filter(({ id }) => id === TOTAL).length;
          await held;
          return store.putGuarded(collection, writes);
        },
      });
      readModels = readModelsOf({ ...setting, store: slow });
      await readModels.start();
      expect(readModels.isBuilt(openMandates)).toBe(false);
      expect(readModels.builtShare).toBe(0);
      expect(() => readModels.collectionOf(openMandates)).toThrow(BeingBuilt);
      expect(readModels.versionOf(openMandates)).toBeNull();
      expect(await readModels.waitFor(delegations, end)).toBe(false);
      await readModels.builtCaughtUp(end);
      goOn();
      await readModels.caughtUp(end);
      expect(readModels.builtShare).toBe(1);
      expect(totals).toBe(1); // a projector alone would have written it with each batch
      expect(await documentsIn(store, readModels.collectionOf(openMandates))).toEqual(await log.folded());
      const models = [openMandates, serials].map((one) => ({
        projection: one,
        collection: `${one.name}-v${one.version}-1`,
      }));
      expect((await farBehind(log.store, store, models)).far).toEqual([]);
      const later = await log.appendTo(1, opened('later'));
      expect(readModels.isBuilt(openMandates)).toBe(true);
      await readModels.caughtUp(later);
    },
  );

  it('are waited for after a try to follow them that failed', async () => {
    const { log, store } = setting;
    const projecting = readModelsOf(setting);
    await projecting.start();
    let isUnlucky = true;
    const unlucky = overriding(store, {
      // Which collections are live.
      find: (...args) => (isUnlucky ? Promise.reject(new DocumentsUnavailable('no answer')) : store.find(...args)),
    });
    readModels = readModelsOf({ ...setting, store: unlucky });
    await expect(readModels.follow()).rejects.toThrow('no answer');
    isUnlucky = false;
    await readModels.follow();
    const end = await log.appendTo(1, opened('m1'));
    await readModels.caughtUp(end);
    expect(await readModels.waitFor(delegations, end)).toBe(true);
    await projecting.stop();
  });

  it('say which of them an event has stopped for good', async () => {
    await readModels.start();
    expect(readModels.failureOf(openMandates)).toBeNull();
    const end = await setting.log.append('delegation-holder.agent2', { type: 'AgentCloned', data: {} });
    await expect(readModels.caughtUp(end)).rejects.toThrow(ProjectionStopped);
    expect(readModels.failureOf(openMandates)).toBeInstanceOf(ProjectionStopped);
    expect(readModels.failureOf(serials)).toBeNull();
    expect(await readModels.stopped(new Map())).toEqual(new Set([openMandates.name]));
    // Whoever looks at the stores finds it as well, and why.
    const found = await standings(setting.log.store, setting.store, [openMandates, serials], setting.clock.now());
    const unread = { stream: 'delegation-holder.agent2', revision: 0, position: end, message: expect.any(String) };
    expect(found.map((one) => one.unread)).toEqual([unread, null]);
    expect(found[0]?.unread?.message).toContain('no event type AgentCloned');
  });

  it('are said to be stopped by who follows them as well, once they are behind: by one look at each place', async () => {
    const { log, store, clock } = setting;
    const projecting = readModelsOf(setting);
    await projecting.start();
    let looks = 0;
    const counted = Object.create(log.store) as EventStore;
    counted.readCategories = (...asked) => {
      looks += 1;
      return log.store.readCategories(...asked);
    };
    readModels = new ReadModels(counted, store, [openMandates, serials], clock, () => undefined);
    const end = await log.append('delegation-holder.agent2', { type: 'AgentCloned', data: {} });
    await expect(projecting.caughtUp(end)).rejects.toThrow(ProjectionStopped);
    await projecting.stop();
    await readModels.follow();
    const lag = (seconds: number) => new Map([[openMandates.name, { distance: 1, seconds }]]);
    expect([await readModels.stopped(lag(1)), looks]).toEqual([new Set(), 0]);
    for (let look = 0; look < 3; look += 1)
      expect(await readModels.stopped(lag(600))).toEqual(new Set([openMandates.name]));
    expect(looks).toBe(1);
    expect(readModels.failureOf(openMandates)).toBeNull();
  });

  it('name an event of another program, also where it is the last of the log', async () => {
    const { log, store, clock } = setting;
    await readModels.start();
    await readModels.caughtUp(await log.appendTo(1, opened('m1')));
    const last = await log.store.head();
    if (!last) throw new Error('there is an event');
    // As a server has it: in no order of ours, and without an envelope.
    const shared = Object.create(log.store) as EventStore;
    const theirs: StoredEvent = { ...last, stream: 'delegation-theirs', metadata: {} as StoredEvent['metadata'] };
    shared.readCategories = async function* (after, categories) {
      yield* log.store.readCategories(after, categories);
      if (categories.includes('delegation')) yield theirs;
    };
    const [found] = await standings(shared, store, [openMandates], clock.now());
    expect(found).toMatchObject({ lag: { distance: 0 }, unread: { stream: 'delegation-theirs', revision: 0 } });
    expect(found?.unread?.message).toContain('was written by another program');
  });

  it('are stopped once the batch under way is written', async () => {
    const [held, begun] = [new AbortController(), new AbortController()];
    const slow = overriding(setting.store, {
      putGuarded: async (...args) => {
        begun.abort();
        while (!held.signal.aborted) await nextTurn();
        return setting.store.putGuarded(...args);
      },
    });
    readModels = readModelsOf({ ...setting, store: slow });
    await readModels.start();
    await setting.log.appendTo(1, opened('m1'));
    while (!begun.signal.aborted) await nextTurn();
    const stopped = readModels.stop().then(() => true);
    expect(await Promise.race([stopped, nextTurn().then(() => false)])).toBe(false);
    held.abort();
    expect(await stopped).toBe(true);
  });

  embeddedIt(
    'refuse to start past the end of a log that was cut or replaced',
    'the logs of one server count positions together',
    async () => {
      const end = await setting.log.appendTo(1, opened('m1'), opened('m2'));
      await readModels.start();
      await readModels.caughtUp(end);
      await readModels.stop();
      const other = await openSetting();
      await other.log.appendTo(1, opened('m3'));
      const mismatched = readModelsOf({ ...setting, log: other.log });
      await expect(mismatched.start()).rejects.toThrow(AheadOfLog);
      await other.close();
    },
  );

  it('stand behind the last event in a silence of the log, and start again there', async () => {
    const { log, store } = setting;
    const last = await log.appendTo(1, opened('m1'));
    await readModels.start();
    await readModels.caughtUp(last);
    await readModels.stop();
    // Releases before read a token there.
    const [stored] = await store.getGuarded('checkpoints', ['open-mandates-v1-1']);
    expect(stored).toMatchObject({ body: { token: stored?.position } });
    expect(Number(stored?.position)).toBeGreaterThanOrEqual(Number(last));
    // What a log tells that holds streams of others as well.
    const position = positionOf(Number(last) + 99);
    const body = { lastEvent: last, goal: BEGINNING };
    await store.putGuarded('checkpoints', [{ id: 'open-mandates-v1-1', position, body, isNew: false }]);
    readModels = readModelsOf(setting);
    await expect(readModels.start()).resolves.toBeUndefined();
  });

  it('show a write to who waits for its position', async () => {
    const { log, store } = setting;
    await readModels.start();
    for (let n = 1; n <= 20; n += 1) {
      const position = await log.appendTo(1, opened(`m${n}`));
      expect(await readModels.waitFor({ category: 'delegation' }, position, 60_000)).toBe(true);
      expect(await store.get(readModels.collectionOf(openMandates), TOTAL)).toMatchObject({ body: { opened: n } });
    }
  });

  it('answer false to who waits for what does not come in time, or has no place', async () => {
    await readModels.start();
    expect(await readModels.waitFor({ category: 'delegation' }, positionOf(10 ** 15), 10)).toBe(false);
    expect(await readModels.waitFor({ category: 'delegation' }, null)).toBe(false);
  });

  it('let nobody wait for a category that no projection reads', async () => {
    await readModels.start();
    expect(await readModels.waitFor({ category: 'booking' }, positionOf(1_000))).toBe(true);
  });

  it('let go of who waits when they are stopped', async () => {
    await readModels.start();
    const waiting = readModels.waitFor({ category: 'delegation' }, positionOf(1_000), 60_000);
    await readModels.stop();
    expect(await waiting).toBe(false);
  });

  it('stop for good at an event they cannot read, and say which; the others go on', async () => {
    const { log, store } = setting;
    const readable = await log.appendTo(1, opened('m1'));
    await readModels.start();
    await readModels.caughtUp(readable);
    const unreadable = await log.append('delegation-holder.agent2', { type: 'AgentCloned', data: {} });
    const end = await log.append('ticket-stock', foreign(1));
    await expect(readModels.caughtUp(unreadable)).rejects.toThrow(ProjectionStopped);
    const [, stoppedAt = ''] = /open-mandates stopped, at position (\d+)/.exec(String(errors)) ?? [];
    expect(stoppedAt >= readable && stoppedAt < unreadable).toBe(true);
    expect(String(errors)).toContain('no event type AgentCloned in delegation-holder.agent2');
    expect(errors).toHaveLength(1);
    expect(await readModels.waitFor({ category: 'delegation' }, end)).toBe(false);
    expect(await readModels.waitFor({ category: 'ticket' }, end, 60_000)).toBe(true);
    expect(await store.get(readModels.collectionOf(openMandates), TOTAL)).toMatchObject({ body: { opened: 1 } });
  });
});

describe('who wants to see what was written (rule 25)', () => {
  const reached = (position: Position) => ({ position, lastEvent: position, goal: BEGINNING });
  const [first, second, third] = [positionOf(1), positionOf(2), positionOf(3)];
  const clock = new ManualClock();
  let setting: Setting;
  let readModels: ReadModels;
  let observer: ProjectorObserver | undefined;
  beforeEach(async () => {
    setting = await openSetting();
    const projecting: Projecting = (_, given) => {
      observer = given;
      return () => Promise.resolve();
    };
    const { log, store } = setting;
    const ignored = () => undefined;
    readModels = new ReadModels(log.store, store, [openMandates, serials], clock, ignored, undefined, projecting);
    await readModels.start();
  });
  afterEach(async () => {
    await readModels.stop();
    await setting.close();
  });

  it('waits 250 ms while they are known to be less than that behind, and no longer than for an answer otherwise', async () => {
    const earliest = readModels.waitFor(delegations, first);
    clock.advance(100);
    const later = readModels.waitFor(delegations, second);
    clock.advance(150);
    expect(await earliest).toBe(false);
    expect(await readModels.waitFor(delegations, third)).toBe(false); // at once: the clock stands still
    observer?.onReached?.(openMandates.name, reached(first));
    const again = readModels.waitFor(delegations, third); // what it has not seen is 150 ms old
    observer?.onReached?.(openMandates.name, reached(third));
    expect(await Promise.all([later, again])).toEqual([true, true]);
  });

  it('waits for nothing that is shown already, however late they are with what came after it', async () => {
    const late = readModels.waitFor(delegations, second);
    observer?.onReached?.(openMandates.name, reached(first));
    clock.advance(250);
    expect(await late).toBe(false);
    expect(await readModels.waitFor(delegations, first)).toBe(true);
  });

  it('waits for all that are built, where it is to see what they all show', async () => {
    const all = readModels.builtCaughtUp(first).then(() => true);
    observer?.onReached?.(openMandates.name, reached(first));
    expect(await Promise.race([all, nextTurn().then(() => false)])).toBe(false);
    observer?.onReached?.(serials.name, reached(first));
    expect(await all).toBe(true);
  });

  it('waits for those that keep up, whichever others do not', async () => {
    const late = readModels.waitFor(delegations, first);
    clock.advance(250);
    expect(await late).toBe(false);
    const waiting = readModels.waitFor(tickets, second);
    observer?.onReached?.(serials.name, reached(second));
    expect(await waiting).toBe(true);
  });

  it('reads a list that shows all that was written before, by whomever, whatever the last of it was', async () => {
    const end = await setting.log.append('booking-1', bookingTicketed);
    const reading = readModels.upToDate(openMandates);
    observer?.onReached?.(serials.name, reached(end));
    observer?.onReached?.(openMandates.name, reached(BEGINNING));
    expect(await Promise.race([reading, sleep(20, 'waits')])).toBe('waits');
    observer?.onReached?.(openMandates.name, reached(end));
    expect(await reading).toBe('open-mandates-v1-1');
    expect(await readModels.upToDate(openMandates)).toBe('open-mandates-v1-1');
  });

  it('reads a list as it is after 250 ms, and at once where it is known to be so late', async () => {
    await setting.log.append('booking-1', bookingTicketed);
    const reading = readModels.upToDate(openMandates);
    await sleep(20);
    clock.advance(250);
    expect(await reading).toBe('open-mandates-v1-1');
    await readModels.upToDate(openMandates); // at once: the clock stands still
  });

  it.each([
    ['refuses', () => Promise.reject(new Error('a test'))],
    ['is silent', () => new Promise<never>(() => undefined)],
  ])('reads a list as it is where the log %s', async (_, head) => {
    const silent = mock.method(setting.log.store, 'head', head).mock;
    const reading = readModels.upToDate(openMandates);
    await nextTurn();
    clock.advance(250);
    expect(await reading).toBe('open-mandates-v1-1');
    silent.restore();
  });
});

const bookingTicketed = {
  type: 'BookingTicketed',
  data: { orderId: 'o1', ticketCode: '0000000000000', ticketedAt: '2026-01-15T12:00:00.000Z' },
};
