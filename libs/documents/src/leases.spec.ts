import { ManualClock } from '#testing';
import { Leases, LEASES } from './leases.js';
import { MemoryDocuments } from './testing/index.js';

const LEASE = 9_000;

class CountingClock extends ManualClock {
  sleepers = 0;

  override sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.sleepers += 1;
    return super.sleep(milliseconds, signal);
  }
}

let clock: CountingClock;
let documents: MemoryDocuments;
let one: Leases;
let other: Leases;
beforeEach(async () => {
  clock = new CountingClock();
  documents = new MemoryDocuments(clock);
  await documents.prepare(LEASES);
  one = new Leases(documents, clock, 'one');
  other = new Leases(documents, clock, 'other');
});

/** A third of the lease passes; whoever prolongs it has tried, and sleeps again. */
const third = async (): Promise<void> => {
  const before = clock.sleepers;
  clock.advance(LEASE / 3);
  while (clock.sleepers === before) await new Promise(setImmediate);
};
const fail = (error: unknown): never => {
  throw error;
};

/** Work under the lease, until `end` is called; `lost` as the work sees it. */
const working = (onError: (error: unknown) => void = fail) => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let begin: (lost: AbortSignal) => void = () => undefined;
  const lost = new Promise<AbortSignal>((resolve) => (begin = resolve));
  const done = one.during(
    'work',
    LEASE,
    (signal) => {
      begin(signal);
      return ended;
    },
    onError,
  );
  return { lost, done, end: () => end() };
};
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve())));

/** A lease passes while somebody looks at it. */
const watch = async (leases: Leases): Promise<void> => {
  await leases.isHeld('work');
  for (let look = 0; look < 2; look += 1) {
    clock.advance(LEASE / 2);
    await leases.isHeld('work');
  }
};

describe('a lease of somebody else', () => {
  it('lasts as long by the timer of who waits for it, whatever the clock of its holder shows', async () => {
    const ahead = new Leases(documents, new ManualClock('2026-01-15T13:00:00.000Z'), 'ahead');
    expect(await ahead.hold('work', LEASE)).toBe(true);
    expect(await other.hold('work', LEASE)).toBe(false);
    clock.advance(LEASE / 2);
    expect(await other.hold('work', LEASE)).toBe(false);
    clock.advance(LEASE / 2 - 1);
    expect(await other.hold('work', LEASE)).toBe(false);
    clock.advance(1);
    expect(await other.hold('work', LEASE)).toBe(true);
    expect(await ahead.hold('work', LEASE)).toBe(false);
  });

  it('is there for who watches it, however far the clock of its holder is behind', async () => {
    const holder = new Leases(documents, new ManualClock('1970-01-01T00:00:00.000Z'), 'behind');
    for (let beat = 0; beat < 9; beat += 1) {
      expect(await holder.hold('work', LEASE)).toBe(true);
      expect(await other.lapsed(['work'])).toEqual([]);
      expect(await other.hold('work', LEASE)).toBe(false);
      clock.advance(LEASE / 3);
    }
  });

  it('is held where it was not watched yet, however old it is', async () => {
    await one.hold('work', LEASE);
    clock.advance(10 * LEASE);
    expect(await other.hold('work', LEASE)).toBe(false);
    expect(await other.isHeld('work')).toBe(true);
    await watch(other);
    expect(await other.isHeld('work')).toBe(false);
  });

  it('is held as long as it is prolonged, however seldom somebody looks', async () => {
    for (let look = 0; look < 9; look += 1) {
      await one.hold('work', LEASE);
      expect(await other.hold('work', LEASE)).toBe(false);
      clock.advance(LEASE / 3);
    }
  });

  it('does not lapse by time in which this process stood still, or could not look', async () => {
    await one.hold('work', LEASE);
    expect(await other.lapsed(['work', 'none'])).toEqual([]);
    clock.advance(10 * LEASE); // it was stopped
    expect(await other.lapsed(['work', 'none'])).toEqual([]);
    const get = documents.get.bind(documents);
    documents.get = () => Promise.reject(new Error('no answer'));
    clock.advance(LEASE / 2);
    await expect(other.lapsed(['work', 'none'])).rejects.toThrow('no answer');
    documents.get = get;
    clock.advance(LEASE / 2);
    expect(await other.lapsed(['work', 'none'])).toEqual([]);
    clock.advance(LEASE / 2);
    expect(await other.lapsed(['work', 'none'])).toEqual(['work', 'none']);
    await one.hold('work', LEASE);
    expect(await other.lapsed(['work', 'none'])).toEqual(['none']);
  });
});

describe('a lease that nobody prolongs', () => {
  const there = async () => (await documents.scan(LEASES.name, null, 10)).map(({ id }) => id);

  it('is deleted once ten sweeps have found it as it was, and no other one is', async () => {
    await one.hold('dead', LEASE);
    await one.hold('work', LEASE);
    for (let sweep = 0; sweep < 9; sweep += 1) {
      await other.sweep();
      await one.hold('work', LEASE);
    }
    expect(await there()).toEqual(['dead', 'work']);
    await other.sweep();
    expect(await there()).toEqual(['work']);
  });

  it('is counted anew where it was prolonged or given back between two sweeps', async () => {
    await one.hold('work', LEASE);
    for (let sweep = 0; sweep < 9; sweep += 1) await other.sweep();
    await one.release('work');
    await other.sweep();
    await one.hold('work', LEASE);
    for (let sweep = 0; sweep < 9; sweep += 1) await other.sweep();
    expect(await there()).toEqual(['work']);
  });
});

describe('work under a lease', () => {
  it('keeps the lease for as long as it takes, and lets it run out afterwards', async () => {
    const { lost, done, end } = working();
    const signal = await lost;
    for (let n = 0; n < 7; n += 1) {
      await third();
      expect(await other.hold('work', LEASE)).toBe(false);
    }
    expect(signal.aborted).toBe(false);
    end();
    await done;
    await watch(other);
    expect(await other.hold('work', LEASE)).toBe(true);
  });

  it('is given back by who holds the lease, and by nobody else', async () => {
    expect(await one.hold('work', LEASE)).toBe(true);
    await other.release('work');
    expect(await other.hold('work', LEASE)).toBe(false);
    await one.release('work');
    expect(await other.hold('work', LEASE)).toBe(true);
    await one.release('work'); // its own is over
    expect(await one.hold('work', LEASE)).toBe(false);
  });

  it('is not begun where another owner has the lease', async () => {
    await other.hold('work', LEASE);
    await one.during('work', LEASE, () => Promise.reject(new Error('it was begun')), fail);
  });

  it('learns that another owner has taken the lease', async () => {
    const { lost, done, end } = working();
    const signal = await lost;
    await documents.delete(LEASES.name, 'work'); // it ended while this process stood still
    await other.hold('work', LEASE);
    clock.advance(LEASE / 3);
    await aborted(signal);
    end();
    await done;
    expect(await one.hold('work', LEASE)).toBe(false);
  });

  it('goes on while the store does not answer, and not past the end of the lease', async () => {
    const errors: unknown[] = [];
    let isOff = false;
    documents.get = new Proxy(documents.get.bind(documents), {
      apply: (get, _, args: Parameters<typeof documents.get>) =>
        isOff ? Promise.reject(new Error('no answer')) : get(...args),
    });
    const { lost, done, end } = working((error) => errors.push(error));
    const signal = await lost;
    isOff = true;
    await third();
    await third();
    expect([signal.aborted, errors.length]).toEqual([false, 2]);
    clock.advance(LEASE / 3);
    await aborted(signal);
    end();
    await done;
  });
});
