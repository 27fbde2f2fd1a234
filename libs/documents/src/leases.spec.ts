import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '#testing';
import { EmbeddedDocuments } from './documents.embedded.js';
import { Leases, LEASES } from './leases.js';

const LEASE = 9_000;

/** A clock that counts who went to sleep on it. */
class CountingClock extends ManualClock {
  sleepers = 0;

  override sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.sleepers += 1;
    return super.sleep(milliseconds, signal);
  }
}

let folder: string;
let clock: CountingClock;
let documents: EmbeddedDocuments;
let one: Leases;
let other: Leases;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leases-'));
  clock = new CountingClock();
  documents = await EmbeddedDocuments.open({ file: join(folder, 'documents.db'), durability: 'normal', clock });
  await documents.prepare(LEASES);
  one = new Leases(documents, clock, 'one');
  other = new Leases(documents, clock, 'other');
});
afterEach(async () => {
  await documents.close();
  rmSync(folder, { recursive: true });
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
    clock.advance(LEASE);
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
