import { CHECKPOINTS } from './checkpoints.js';
import { GENERATIONS } from './generations.js';
import { LeasedProjector, leaseOf } from './leased-projector.js';
import { ProjectionStopped } from './projected.js';
import type { Projection } from './projection.js';
import { ReadModels } from './read-models.js';
import { closed, opened } from './testing/delegation-log.js';
import { openMandates } from './testing/open-mandates.projection.js';
import { documentsIn, openSetting, type Setting } from './testing/setting.js';
import { ManualClock, until } from '#testing';
import { UnreadableEvent } from '#events';
import { type Clock, nextTurn } from '#kernel';

/** How long (ms) a lease lasts, by the clock of the cases; it is looked after three times as often, in real time. */
const LEASE = 30;
const COLLECTION = 'open-mandates-v1-1';

class CountingClock extends ManualClock {
  sleeps = 0;

  override sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.sleeps += 1;
    return super.sleep(milliseconds, signal);
  }
}

describe('projectors that share their work by a lease', () => {
  let setting: Setting;
  let reader: ReadModels;
  let started: LeasedProjector[];
  let errors: unknown[];
  beforeEach(async () => {
    setting = await openSetting();
    await setting.store.prepare(CHECKPOINTS);
    await setting.store.prepare(GENERATIONS);
    reader = new ReadModels(setting.log.store, setting.store, [openMandates], setting.clock, () => undefined);
    await reader.follow();
    [started, errors] = [[], []];
  });
  afterEach(async () => {
    await reader.stop();
    await Promise.all(started.map((one) => one.stop()));
    await setting.close();
  });

  const start = (
    leases = setting.newLeases(),
    clock: Clock = setting.clock,
    projections: readonly Projection<object>[] = [openMandates],
  ): LeasedProjector => {
    const { log, store } = setting;
    const onError = (_: string, error: unknown) => void errors.push(error);
    const one = new LeasedProjector(projections, { events: log.store, store, leases, clock, lease: LEASE, onError });
    started.push(one);
    one.start();
    return one;
  };

  /** The leases of one more process, and how often it asked for one. */
  const counted = () => {
    const leases = setting.newLeases();
    const hold = leases.hold.bind(leases);
    const asked = { leases, holds: 0 };
    leases.hold = (...args) => {
      asked.holds += 1;
      return hold(...args);
    };
    return asked;
  };

  it('prepare a collection once, however often its lease is prolonged', async () => {
    const prepared: string[] = [];
    const prepare = setting.store.prepare.bind(setting.store);
    setting.store.prepare = (spec) => {
      prepared.push(spec.name);
      return prepare(spec);
    };
    const one = counted();
    start(one.leases);
    await until(() => one.holds > 4);
    expect(prepared).toEqual([COLLECTION]);
  });

  it('have one at work and the others stand by', async () => {
    const first = start();
    await until(() => first.isActive);
    const others = [counted(), counted()];
    const [second, third] = others.map(({ leases }) => start(leases));
    const end = await setting.log.appendTo(1, opened('m1'));
    expect(await reader.waitFor({ category: 'delegation' }, end, 60_000)).toBe(true);
    await until(() => others.every(({ holds }) => holds > 3));
    expect([first, second, third].map((one) => one?.isActive)).toEqual([true, false, false]);
    expect(errors).toEqual([]);
  });

  it('go on at once after one that was stopped, and after the lease of one that died', async () => {
    const { log, clock, newLeases, store } = setting;
    const first = start();
    await until(() => first.isActive);
    const second = start();
    await first.stop();
    await until(() => second.isActive);
    await second.stop();
    // One that takes the lease and is heard of no more.
    await newLeases().hold(leaseOf(COLLECTION), LEASE);
    const asked = counted();
    const third = start(asked.leases);
    const end = await log.appendTo(1, opened('m1'), closed('m1', 2), opened('m2'));
    await until(() => asked.holds > 3);
    expect(third.isActive).toBe(false);
    for (let look = 0; look < 2; look += 1) {
      const before = asked.holds;
      clock.advance(LEASE / 2);
      await until(() => asked.holds > before + 1);
    }
    expect(await reader.waitFor({ category: 'delegation' }, end, 60_000)).toBe(true);
    expect(third.isActive).toBe(true);
    expect(await documentsIn(store, COLLECTION)).toEqual(await log.folded());
  });

  it('do no harm by going on after their lease has ended', async () => {
    const { log, store } = setting;
    const elsewhere = await openSetting(); // where nobody takes its lease away
    const paused = start(elsewhere.newLeases());
    const successor = start();
    await until(() => paused.isActive && successor.isActive);
    let end = '';
    for (let n = 0; n < 100; n += 1) end = await log.appendTo(n % 5, opened(`m${n}`), closed(`m${n}`, 1));
    expect(await reader.waitFor({ category: 'delegation' }, end, 60_000)).toBe(true);
    expect(await documentsIn(store, COLLECTION)).toEqual(await log.folded());
    await paused.stop();
    await elsewhere.close();
  });

  it('ask nothing more of the log once they are to stop', async () => {
    const { store: events } = setting.log;
    let heads = 0;
    const head = events.head.bind(events);
    events.head = () => {
      heads += 1;
      return head();
    };
    const one = start();
    await until(() => one.isActive && heads === 2);
    await one.stop();
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    expect(heads).toBe(2);
  });

  it('look again after a look that failed, and tell of it', async () => {
    const leases = setting.newLeases();
    const hold = leases.hold.bind(leases);
    leases.hold = () => {
      leases.hold = hold;
      return Promise.reject(new Error('of the line'));
    };
    const one = start(leases);
    await until(() => one.isActive);
    expect(errors).toEqual([new Error('of the line')]);
  });

  it('prolong it three times as often as it ends, and leave what cannot be read alone for half a minute', async () => {
    const { log, newLeases } = setting;
    const [clock, leases] = [new CountingClock(), newLeases()];
    let holds = 0;
    const hold = leases.hold.bind(leases);
    leases.hold = (...args) => {
      holds += 1;
      return hold(...args);
    };
    const one = start(leases, clock);
    await until(() => clock.sleeps === 1);
    /** Lets time pass until it has looked once more. */
    const pass = async (milliseconds: number) => {
      const before = clock.sleeps;
      clock.advance(milliseconds);
      await until(() => clock.sleeps > before);
    };
    clock.advance(LEASE / 3 - 1);
    await nextTurn();
    expect([holds, one.isActive]).toEqual([1, true]);
    await pass(1);
    expect([holds, one.isActive]).toEqual([2, true]);
    await log.append('delegation-holder.agent2', { type: 'AgentCloned', data: {} });
    await until(() => errors.length > 0);
    await pass(LEASE / 3);
    await pass(30_000 - LEASE / 3 - 1);
    expect([holds, one.isActive]).toEqual([2, false]);
    await pass(LEASE / 3);
    await until(() => errors.length === 2);
    expect(holds).toBe(3);
  });

  it('leave the others undisturbed by one that cannot be read, and try it by itself', async () => {
    const { log, store, newLeases } = setting;
    const documentsOf = () => {
      throw new UnreadableEvent('it is not of its kind');
    };
    const subscribe = log.store.subscribe.bind(log.store);
    let readings = 0;
    log.store.subscribe = (options) => {
      readings += 1;
      return subscribe(options);
    };
    const clock = new CountingClock();
    const one = start(newLeases(), clock, [openMandates, { ...openMandates, name: 'picky', documentsOf }]);
    await until(() => one.isActive && readings === 1);
    const end = await log.appendTo(1, opened('m1'));
    expect(await reader.waitFor({ category: 'delegation' }, end, 60_000)).toBe(true);
    await until(() => errors.length === 1);
    for (const milliseconds of [LEASE / 3, 30_000]) {
      const before = clock.sleeps;
      clock.advance(milliseconds);
      await until(() => clock.sleeps > before);
    }
    await until(() => errors.length === 2);
    expect([readings, one.isActive]).toEqual([2, true]);
    expect(errors).toEqual([expect.any(ProjectionStopped), expect.any(ProjectionStopped)]);
    expect(await documentsIn(store, COLLECTION)).toEqual(await log.folded());
  });

  it('leave an event that one cannot read to a process that may know it', async () => {
    const { log, newLeases } = setting;
    const one = start();
    await until(() => one.isActive);
    await log.append('delegation-holder.agent2', { type: 'AgentCloned', data: {} });
    await until(() => errors.length > 0 && !one.isActive);
    expect(String(errors)).toContain('no event type AgentCloned');
    const another = newLeases();
    await until(() => another.hold(leaseOf(COLLECTION), LEASE));
    expect(one.isActive).toBe(false);
  });
});
