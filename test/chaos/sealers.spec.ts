import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { LEASES, SECRETS } from '#documents';
import { canonicalJson } from '#kernel';
import { ManualClock, withCalls } from '#testing';
import {
  LogNotAsSealed,
  nodeCrypto,
  openTransparency,
  type Pseudonyms,
  refuseUnlessAsSealed,
  Sealer,
  TreeBuilder,
} from '#transparency';
import {
  appendLeaf,
  EMPTY,
  entryBytes,
  hex,
  leafHash,
  markOf,
  parseCheckpoint,
  parseNote,
  rootOf,
  type VerifierKey,
  verifyNote,
} from '#verifier';
import { MemoryDocuments } from '../../libs/documents/src/testing/index.js';
import { MemoryEventStore } from '../../libs/event-store/src/testing/index.js';
import { swept } from '../support/sweep.js';

const { sha256 } = nodeCrypto;
const ORIGIN = { first: 'voos.example/tlog', configured: null };
const ROUNDS = swept({ short: 10, middle: 80, full: 1_000 });
/** How often each of the two processes is killed in a round. */
const LIVES = 3;

/** Numbers from 0 up to, and without, `below`, in an order that the seed decides. */
type Numbers = (below: number) => number;
const numbersOf =
  (seed: number): Numbers =>
  (below) => {
    // The linear congruential generator of Numerical Recipes; its higher bits are the better ones.
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };

/** A process that is killed at its `calls`-th call of a store, which may still be done; nothing happens in it afterwards. */
class Mortal {
  readonly killed: Promise<void>;
  private die: () => void = () => undefined;

  constructor(
    private calls: number,
    private readonly numbers: Numbers,
  ) {
    this.killed = new Promise((resolve) => (this.die = resolve));
  }

  /** The store as this process has it: every call takes a while, in which others get on. */
  using<Store extends object>(store: Store): Store {
    return withCalls(store, (name, call) => {
      if (name === 'readAll' || name === 'readPlaces') return call;
      return async (...args) => {
        for (let turns = this.numbers(4); turns > 0; turns -= 1) await setImmediate();
        this.calls -= 1;
        if (this.calls < 0 || (this.calls === 0 && this.numbers(2) === 0)) return this.dead();
        const answer = await call(...args);
        return this.calls === 0 ? this.dead() : answer;
      };
    });
  }

  private dead(): Promise<never> {
    this.die();
    return new Promise(() => undefined);
  }
}

interface Round {
  /** Every checkpoint that anybody was shown. */
  readonly shown: readonly string[];
  readonly keys: readonly VerifierKey[];
  /** By size less one: the roots of the log that each of them saw, as it became in the end. */
  readonly roots: readonly [readonly string[], readonly string[]];
}

/** Two processes seal one log that grows, and are killed; `isForked`: from some time on each of them sees another log. */
const round = async (seed: number, isForked: boolean): Promise<Round> => {
  const numbers = numbersOf(seed);
  const clock = new ManualClock();
  const documents = new MemoryDocuments(clock);
  for (const spec of [SECRETS, LEASES]) await documents.prepare(spec);
  const shown: string[] = [];
  let streams = 0;
  const append = async (...logs: readonly MemoryEventStore[]) => {
    const category = streams > 0 && numbers(6) === 0 ? 'traffic' : 'order';
    const stream = `${category}-${(streams += 1)}`;
    const count = numbers(10) === 0 ? 300 : 1 + numbers(5);
    for (let revision = 0; revision < count; revision += 1) {
      const hash = createHash('sha256').update(`${stream} ${revision}`).digest('hex');
      const metadata = canonicalJson({ eventId: randomUUID(), occurredAt: clock.now(), hash });
      const event = { id: randomUUID(), type: 'Noted', data: '{}', metadata };
      for (const log of logs) await log.append(stream, revision - 1, [event]);
    }
  };
  const first = new MemoryEventStore();
  const second = isForked ? new MemoryEventStore() : first;
  for (let common = 1 + numbers(3); common > 0; common -= 1) await append(...new Set([first, second]));
  const tiles = new Map([first, second].map((log) => [log, new MemoryDocuments(clock)]));

  const opened = async (log: MemoryEventStore, mortal: Mortal) => {
    // Tiles are lost at times: what was signed does not rest on them.
    const kept = tiles.get(log);
    const stored = kept && numbers(4) > 0 ? kept : new MemoryDocuments(clock);
    const ports = { events: mortal.using(log), documents: mortal.using(documents), clock };
    const parts = await openTransparency({ ...ports, readModelStore: mortal.using(stored) }, [], ORIGIN);
    const growing = new TreeBuilder(parts);
    return { parts, sealer: new Sealer(parts, { growing, interval: 1_000, lease: null, onError: () => undefined }) };
  };
  const failed = (error: unknown) => {
    if (error instanceof LogNotAsSealed && !isForked) throw error; // anything else is tried again, or ends the life
  };
  const live = async (log: MemoryEventStore, mortal: Mortal): Promise<void> => {
    const { parts, sealer } = await opened(log, mortal);
    await refuseUnlessAsSealed(parts);
    for (let rounds = 0; rounds < 20; rounds += 1) {
      await append(log);
      await sealer.seal().catch(failed);
      const sealed = await parts.log.sealed().catch(failed);
      if (sealed) shown.push(sealed.checkpoint);
    }
  };
  const process = async (log: MemoryEventStore) => {
    for (let life = 0; life < LIVES; life += 1) {
      const mortal = new Mortal(5 + numbers(60), numbers);
      await Promise.race([live(log, mortal).catch(failed), mortal.killed]);
    }
    const { parts, sealer } = await opened(log, new Mortal(Infinity, numbers));
    await sealer.seal().catch(failed);
    const sealed = await parts.log.sealed();
    if (sealed) shown.push(sealed.checkpoint);
    return parts;
  };
  const [one, other] = await Promise.all([process(first), process(second)]);
  await (await opened(first, new Mortal(Infinity, numbers))).sealer.seal().catch(failed);
  await (await opened(second, new Mortal(Infinity, numbers))).sealer.seal().catch(failed);
  for (const parts of [one, other]) shown.push((await parts.log.sealed())?.checkpoint ?? '');
  return {
    shown,
    keys: one.signers,
    roots: [await rootsOf(first, one.pseudonyms), await rootsOf(second, other.pseudonyms)],
  };
};

/** The root of every tree that a log goes through as it grows. */
const rootsOf = async (events: MemoryEventStore, pseudonyms: Pseudonyms): Promise<readonly string[]> => {
  const roots: string[] = [];
  let edge = EMPTY;
  for await (const { stream, revision, metadata } of events.readAll(null)) {
    if (stream.startsWith('traffic-')) continue;
    const mark = markOf(sha256, pseudonyms.keyOf(stream), revision);
    const entry = entryBytes({ mark, hash: metadata.hash });
    edge = appendLeaf(sha256, edge, leafHash(sha256, entry));
    roots.push(hex(rootOf(sha256, edge)));
  }
  return roots;
};

/** The trees that the checkpoints of a round state, each once, after their signatures were verified. */
const statedBy = async ({ shown, keys }: Round): Promise<ReadonlyMap<number, string>> => {
  const stated = new Map<number, string>();
  expect(keys).toHaveLength(1);
  for (const note of new Set(shown)) {
    await verifyNote(parseNote(note), keys, nodeCrypto);
    const { size, root } = parseCheckpoint(parseNote(note).text);
    expect([size, stated.get(size) ?? hex(root)]).toEqual([size, hex(root)]);
    stated.set(size, hex(root));
  }
  return stated;
};

/** Whether all trees are those of one log: then each begins the next one. */
const areOf = (roots: readonly string[], stated: ReadonlyMap<number, string>): boolean =>
  [...stated].every(([size, root]) => roots[size - 1] === root);

describe('two sealers, started at once and killed', () => {
  it(`sign trees of one history, and in the end all of it, in ${ROUNDS} rounds`, async () => {
    let sizes = 0;
    await fc.assert(
      fc.asyncProperty(fc.noShrink(fc.integer()), async (seed) => {
        const result = await round(seed, false);
        const stated = await statedBy(result);
        expect(areOf(result.roots[0], stated)).toBe(true);
        expect(Math.max(...stated.keys())).toBe(result.roots[0].length);
        sizes += stated.size;
      }),
      { numRuns: ROUNDS },
    );
    expect(sizes).toBeGreaterThan(2 * ROUNDS);
  });

  it(`that see two logs sign one of them, in ${ROUNDS} rounds`, async () => {
    const won = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.noShrink(fc.integer()), async (seed) => {
        const result = await round(seed, true);
        const stated = await statedBy(result);
        const ofWhich = result.roots.findIndex((roots) => areOf(roots, stated));
        expect(ofWhich).not.toBe(-1);
        expect(Math.max(...stated.keys())).toBe(result.roots[ofWhich]?.length);
        won[ofWhich] = (won[ofWhich] ?? 0) + 1;
      }),
      { numRuns: ROUNDS },
    );
    expect(won.reduce((sum, rounds) => sum + rounds)).toBe(ROUNDS);
  });
});
