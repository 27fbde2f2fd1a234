import { createHash, createHmac, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import process from 'node:process';
import fc from 'fast-check';
import { type Documents, DocumentsUnavailable, LEASES, Leases, type ReadModelStore, SECRETS } from '#documents';
import { BEGINNING, EmbeddedEventStore, type EventStore, openEventStoreDb } from '#event-store';
import { canonicalJson } from '#kernel';
import { ManualClock, ownFolders, tellNotGiven, withCalls } from '#testing';
import {
  type Head,
  Heads,
  LogNotAsSealed,
  nodeCrypto,
  NotSealed,
  type OpenTransparency,
  openTransparency,
  Pseudonyms,
  refuseUnlessAsSealed,
  Sealer,
  StoredTiles,
  TLOG_HEAD,
  TransparencyLog,
  TreeBuilder,
} from '#transparency';
import {
  appendLeaf,
  base64,
  consistencyProof,
  decodeBundle,
  EMPTY,
  hashesFromTiles,
  hashesOf,
  hex,
  leafHash,
  markOf,
  parseCheckpoint,
  parseNote,
  parseProof,
  rootOf,
  treeRoot,
  utf8,
  verifyConsistency,
  verifyInclusion,
  widthIn,
} from '#verifier';
import { MemoryDocuments } from '../../libs/documents/src/testing/index.js';
import { MemoryEventStore } from '../../libs/event-store/src/testing/index.js';

const newFolder = ownFolders();
const { sha256 } = nodeCrypto;
const ORIGIN = { first: 'voos.example/tlog', configured: null };

const clock = new ManualClock();
let events: MemoryEventStore;
let documents: MemoryDocuments;
let readModels: MemoryDocuments;

beforeEach(async () => {
  events = new MemoryEventStore();
  documents = new MemoryDocuments(clock);
  readModels = new MemoryDocuments(clock);
  await documents.prepare(SECRETS);
  await documents.prepare(LEASES);
});

const opened = (more: { documents?: Documents; readModelStore?: ReadModelStore; events?: EventStore } = {}) =>
  openTransparency({ events, documents, readModelStore: readModels, clock, ...more }, [], ORIGIN);

const sealerOf = (parts: OpenTransparency, onSealed?: (head: Head) => void): Sealer =>
  new Sealer(parts, {
    growing: new TreeBuilder(parts),
    interval: 1_000,
    lease: null,
    onSealed,
    onError: () => undefined,
  });

/** Appends events to a stream that has `from` of them already. */
const append = async (log: EventStore, stream: string, count: number, from = 0): Promise<void> => {
  for (let revision = from; revision < from + count; revision += 1) {
    const hash = createHash('sha256').update(`${stream} ${revision}`).digest('hex');
    const metadata = canonicalJson({ eventId: randomUUID(), occurredAt: clock.now(), hash });
    await log.append(stream, revision - 1, [{ id: randomUUID(), type: 'Noted', data: '{}', metadata }]);
  }
};

type Named = Pick<OpenTransparency, 'pseudonyms'>;

/** The leaves of all entries, made of the log as the documentation says. */
const leaves = async (parts: Named, log: EventStore = events): Promise<readonly Uint8Array[]> => {
  const found: Uint8Array[] = [];
  for await (const { stream, revision, metadata } of log.readAll(null)) {
    if (stream.startsWith('traffic-')) continue;
    found.push(leafOf(parts, stream, revision, metadata.hash));
  }
  return found;
};

const leafOf = ({ pseudonyms }: Named, stream: string, revision: number, hash: string): Uint8Array => {
  const mark = createHmac('sha256', pseudonyms.keyOf(stream)).update(String(revision)).digest('base64url');
  return leafHash(sha256, utf8(`alcada.event/v2\n${mark}\n${hash}\n`));
};

const rootOver = (hashes: readonly Uint8Array[]): Uint8Array => {
  const edge = hashes.reduce((before, leaf) => appendLeaf(sha256, before, leaf), EMPTY);
  return rootOf(sha256, edge);
};
const rootOfLeaves = (hashes: readonly Uint8Array[]): string => hex(rootOver(hashes));
const rootIn = (head: Head | null): string => hex(head?.root ?? new Uint8Array());

const sealedLog = async (count: number): Promise<OpenTransparency> => {
  const parts = await opened();
  await append(events, 'order-1', count);
  await sealerOf(parts).seal();
  return parts;
};

describe('sealing', () => {
  it('signs the tree of all events but agent traffic, in the log’s order, and each head extends the one before', async () => {
    const parts = await opened();
    await append(events, 'traffic-0', 1);
    for (const event of events.all) await expect(parts.log.nameOf(event)).rejects.toThrow(NotSealed);
    const sealer = sealerOf(parts);
    const sizes = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 5 });
    let [streams, before] = [0, null as Awaited<ReturnType<TransparencyLog['sealed']>>];
    await fc.assert(
      fc.asyncProperty(sizes, async (counts) => {
        for (const count of counts) {
          await append(events, `order-${(streams += 1)}`, count);
          await append(events, `traffic-${streams}`, count % 3);
          await sealer.seal();
          const sealed = await parts.log.sealed();
          if (!sealed) continue;
          const { origin, size, root } = parseCheckpoint(parseNote(sealed.checkpoint).text);
          expect([origin, size, hex(root)]).toEqual([ORIGIN.first, sealed.size, hex(sealed.root)]);
          if (before) {
            const proof = await consistencyProof(sha256, before.size, size, parts.log.readHash(size));
            expect(verifyConsistency(sha256, before, sealed, proof)).toBe(true);
          }
          before = sealed;
        }
      }),
      { numRuns: 5 },
    );
    const all = await leaves(parts);
    expect([before?.size, hex(before?.root ?? new Uint8Array())]).toEqual([all.length, rootOfLeaves(all)]);
  });

  it('reads the entries of a tile once, however many ask and for however few of them', async () => {
    const parts = await opened();
    await append(events, 'booking-1', 5);
    await append(events, 'traffic-1', 30);
    await append(events, 'order-1', 5);
    await sealerOf(parts).seal();
    let reads = 0;
    const readPlaces = events.readPlaces.bind(events);
    events.readPlaces = (...of) => {
      reads += 1;
      return readPlaces(...of);
    };
    const widths = [3, 10, 1, 7, 10];
    const bundles = await Promise.all(widths.map((width) => parts.log.entries({ index: 0, width })));
    expect(bundles.map((bundle) => decodeBundle(bundle ?? new Uint8Array()).length)).toEqual(widths);
    expect(reads).toBe(1);
  });

  it('serves tiles, entries and a proof for each of them that hold, and nothing past the head', async () => {
    const parts = await opened();
    await append(events, 'booking-1', 300);
    await append(events, 'traffic-1', 3);
    await append(events, 'order-1', 300);
    await sealerOf(parts).seal();
    await append(events, 'order-2', 5);
    await new TreeBuilder(parts).grow(BEGINNING); // the tiles are ahead of the head, as after a kill between the two
    const { log } = parts;
    const sealed = await log.sealed();
    if (!sealed) throw new Error('nothing is sealed');
    const { size, root } = sealed;
    expect(size).toBe(600);
    for (let index = 0; index < 3; index += 1) {
      const width = widthIn(size, 0, index);
      const hashes = hashesOf((await log.tile({ level: 0, index, width })) ?? new Uint8Array()).map(hex);
      const entries = decodeBundle((await log.entries({ index, width })) ?? new Uint8Array());
      expect(entries.map((entry) => hex(leafHash(sha256, entry)))).toEqual(hashes);
    }
    expect((await log.tile({ level: 1, index: 0, width: 2 }))?.length).toBe(64);
    expect(await log.tile({ level: 1, index: 0, width: 3 })).toBeNull();
    expect(await log.entries({ index: 2, width: 89 })).toBeNull();
    let [index, sealedEvents] = [0, 0];
    for await (const { stream, revision, metadata, position } of events.readAll(null)) {
      const found = await log.indexOf(position);
      const isSealed = !stream.startsWith('traffic-') && stream !== 'order-2';
      expect(found).toBe(isSealed ? index : null);
      if (found === null) continue;
      sealedEvents += 1;
      index += 1;
      if (found % 37 !== 0) continue;
      const leaf = leafOf(parts, stream, revision, metadata.hash);
      const proof = parseProof(await log.prove(found));
      expect(verifyInclusion(sha256, { index: found, size, root, leaf, proof: proof.hashes })).toBe(true);
    }
    expect(sealedEvents).toBe(600);
    await expect(log.prove(600)).rejects.toThrow('not sealed yet');
  });

  it('serves no tile and no entry that the checkpoint does not cover which witnesses have cosigned', async () => {
    const policy = { logs: [], witnesses: [], groups: [], quorum: 'A' };
    const parts = await openTransparency({ events, documents, readModelStore: readModels, clock }, [], ORIGIN, policy);
    await append(events, 'order-1', 300);
    await sealerOf(parts).seal();
    const cosigned = await parts.heads.read();
    if (!cosigned) throw new Error('nothing is sealed');
    await parts.cosignatures?.add(cosigned, clock.now(), 'A', '');
    await append(events, 'order-2', 300);
    await sealerOf(parts).seal();
    const { log } = parts;
    const served = () =>
      Promise.all([
        log.sealed().then((sealed) => sealed?.size),
        ...[44, 45, 256].flatMap((width) => [
          log.tile({ level: 0, index: 1, width }).then((bytes) => bytes && bytes.length / 32),
          log.entries({ index: 1, width }).then((bytes) => bytes && decodeBundle(bytes).length),
        ]),
        log.tile({ level: 1, index: 0, width: 2 }).then((bytes) => bytes && bytes.length / 32),
      ]);
    expect(await served()).toEqual([300, 44, 44, null, null, null, null, null]);
    clock.advance(10_000); // the witnesses are silent, and the head is shown without them
    expect(await served()).toEqual([600, 44, 44, 45, 45, 256, 256, 2]);
  });

  it('gives the same root again once the tiles are lost, and goes on', async () => {
    const first = await sealedLog(520);
    const before = await first.heads.read();
    const second = await opened({ readModelStore: new MemoryDocuments(clock) });
    await refuseUnlessAsSealed(second);
    await append(events, 'order-2', 3);
    expect(await sealerOf(second).seal()).toBe(true);
    expect((await second.heads.read())?.size).toBe(523);
    expect(rootOfLeaves((await leaves(second)).slice(0, 520))).toBe(rootIn(before));
  });

  it('builds damaged tiles anew', async () => {
    await sealedLog(300);
    await damage();
    const again = await opened();
    await refuseUnlessAsSealed(again); // and nobody is served what is damaged
    expect(await again.tiles.grown()).toBeNull();
    await append(events, 'order-2', 300);
    expect(await sealerOf(again).seal()).toBe(true);
    const all = await leaves(again);
    expect(rootIn(await again.heads.read())).toBe(rootOfLeaves(all));
  });

  it('builds damaged tiles anew in its first round, though nothing came since, and keeps sound ones at a start', async () => {
    const parts = await sealedLog(200);
    for (const more of [0, 100]) {
      await append(events, 'order-1', more, 200);
      await sealerOf(parts).seal();
      await refuseUnlessAsSealed(await opened());
      expect((await parts.tiles.grown())?.size).toBe(200 + more);
    }
    await damage();
    const again = await opened();
    expect(await sealerOf(again).seal()).toBe(false);
    expect(hex(await treeRoot(sha256, 300, again.log.readHash(300)))).toBe(rootIn(await again.heads.read()));
  });

  it('builds them anew also where another thread does, and serves none that it had read while they were damaged', async () => {
    const parts = await sealedLog(300);
    const full = { level: 0, index: 0, width: 256 };
    const sound = await parts.log.tile(full);
    for (const id of ['0-0', '1-0']) await damage(id);
    const again = await opened();
    expect(await again.log.tile(full)).not.toEqual(sound);
    const growing = new TreeBuilder(await opened());
    await append(events, 'order-2', 300);
    const sealer = new Sealer(again, { growing, interval: 1_000, lease: null, onError: () => undefined });
    expect(await sealer.seal()).toBe(true);
    expect(await again.log.tile(full)).toEqual(sound);
  });

  it('tells of a head once, and in the process that sealed it', async () => {
    const told: string[] = [];
    const [one, other] = [
      sealerOf(await opened(), ({ size }) => void told.push(`one ${size}`)),
      sealerOf(await opened(), ({ size }) => void told.push(`other ${size}`)),
    ];
    await append(events, 'order-1', 3);
    for (const sealer of [one, other, one]) await sealer.seal();
    expect(told).toEqual(['one 3']);
  });

  it('tells who reads while all tiles are dropped that they are being built', async () => {
    const parts = await sealedLog(300);
    const { log } = await opened(); // another process, on the same stores
    const full = { level: 0, index: 0, width: 256 };
    expect(await parts.log.tile(full)).toHaveLength(256 * 32);
    const dropped = new AbortController();
    const dropping = parts.tiles.drop().finally(() => dropped.abort());
    const found: unknown[] = [];
    const failed = (error: unknown): unknown => error;
    while (!dropped.signal.aborted) found.push(await log.tile({ level: 0, index: 1, width: 44 }).catch(failed));
    await dropping;
    await expect(parts.log.tile(full)).rejects.toThrow(NotSealed);
    found.push(await log.prove(299).catch(failed), await log.entries({ index: 1, width: 44 }).catch(failed));
    for (const one of found) if (!(one instanceof Uint8Array)) expect(one).toBeInstanceOf(NotSealed);
    expect(found.slice(-2)).toEqual([expect.any(NotSealed), expect.any(NotSealed)]);
    expect(await log.indexOf((await events.head())?.position ?? '')).toBeNull();
    await sealerOf(await opened()).seal(); // who finds them gone builds them
    expect(await log.tile({ level: 0, index: 1, width: 44 })).toHaveLength(44 * 32);
  });

  it('goes on wherever it was broken off', async () => {
    const writes = await brokenOffAt(Infinity);
    expect(writes).toBeGreaterThan(4);
    for (let at = 0; at < writes; at += 1) await brokenOffAt(at);
  });

  it('is decided by one of two sealers, and the other one follows it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }),
        async (order, counts) => {
          const stores = { events: new MemoryEventStore(), documents: new MemoryDocuments(clock) };
          for (const spec of [SECRETS, LEASES]) await stores.documents.prepare(spec);
          const heads = new Map<number, string>();
          const onSealed = ({ size, root }: Head): void => {
            expect(heads.get(size) ?? hex(root)).toBe(hex(root));
            heads.set(size, hex(root));
          };
          // Each has tiles of its own, as after a loss: only the head is shared.
          const sealers = await Promise.all(
            [0, 1].map(async () => {
              const slow = withCalls(stores.documents, (name, call) => async (...args) => {
                if (['get', 'replace', 'insert'].includes(name)) await order.schedule(Promise.resolve());
                return call(...args);
              });
              const parts = await openTransparency(
                { ...stores, readModelStore: new MemoryDocuments(clock), clock },
                [],
                ORIGIN,
              );
              return sealerOf({ ...parts, heads: new Heads(slow) }, onSealed);
            }),
          );
          const work = async (): Promise<void> => {
            for (const [at, count] of counts.entries()) {
              const [one, other] = sealers;
              const sealing = one?.seal();
              await order.schedule(Promise.resolve());
              await append(stores.events, `order-${at}`, count);
              await Promise.all([sealing, other?.seal()]);
            }
          };
          await order.waitFor(work());
          const sizes = [...heads.keys()];
          expect(sizes).toEqual([...sizes].sort((one, other) => one - other));
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('the tree', () => {
  it('has the same root on every store for the same events in the same order', async () => {
    const folder = newFolder();
    const { EVENTSTORE_URL: url } = process.env;
    if (!url) tellNotGiven('the tree of a log in EventStoreDB', 'EVENTSTORE_URL');
    const logs: EventStore[] = [
      events,
      await EmbeddedEventStore.open({ file: join(folder, 'events.db') }),
      ...(url ? [await openEventStoreDb({ url, namespace: `t-${randomUUID().slice(0, 8)}` })] : []),
    ];
    const roots: string[] = [];
    for (const log of logs) {
      const tiles = new StoredTiles(new MemoryDocuments(clock));
      await tiles.prepare();
      tiles.drop = () => Promise.reject(new Error('nothing is wrong with them'));
      const parts = { events: log, tiles, pseudonyms: new Pseudonyms(Buffer.alloc(32, 7)), clock };
      const builder = new TreeBuilder(parts);
      for (const [at, count] of [256, 3, 300, 209].entries()) {
        await append(log, `order-${at}`, count);
        await append(log, `traffic-${at}`, 2);
        // A new one goes on after the place that is stored, whatever the store calls it.
        await (at === 2 ? new TreeBuilder(parts) : builder).grow(BEGINNING);
      }
      const { size } = await new TreeBuilder(parts).grow(BEGINNING);
      const reading = hashesFromTiles(sha256, size, async ({ level, index, width }) => {
        const tile = await tiles.get(level, index, width);
        return tile?.hashes.subarray(0, width * 32) ?? new Uint8Array();
      });
      const root = hex(await treeRoot(sha256, size, reading));
      expect(root).toBe(rootOfLeaves(await leaves(parts, log)));
      roots.push(`${size} ${root}`);
      await log.close();
    }
    expect(new Set(roots).size).toBe(1);
    expect(roots[0]).toMatch(/^768 /);
  });
});

describe('a log that is not what was sealed', () => {
  it('refuses the start where the head is ahead of it', async () => {
    await sealedLog(20);
    const cut = new MemoryEventStore();
    await append(cut, 'order-1', 19);
    await expect(opened({ events: cut }).then(refuseUnlessAsSealed)).rejects.toThrow('is ahead of the log');
  });

  it('refuses the start where its end is another one, or its beginning together with the tiles', async () => {
    await sealedLog(300);
    const other = new MemoryEventStore();
    await append(other, 'order-1', 299);
    await append(other, 'order-2', 2);
    await expect(opened({ events: other }).then(refuseUnlessAsSealed)).rejects.toThrow('does not match the log');
    await expect(opened().then(refuseUnlessAsSealed)).resolves.toBeUndefined();
  });

  it('is sealed no further where that shows while the tiles are built anew', async () => {
    await sealedLog(300);
    const other = new MemoryEventStore();
    await append(other, 'order-3', 1);
    await append(other, 'order-1', 400);
    const parts = await opened({ events: other, readModelStore: new MemoryDocuments(clock) });
    await refuseUnlessAsSealed(parts);
    await expect(sealerOf(parts).seal()).rejects.toThrow(LogNotAsSealed);
    expect((await parts.heads.read())?.size).toBe(300);
  });

  it('is sealed no further by a service that runs where it became shorter than its head', async () => {
    await sealedLog(20);
    const cut = new MemoryEventStore();
    await append(cut, 'order-1', 19);
    const parts = await opened({ events: cut, readModelStore: new MemoryDocuments(clock) });
    await expect(sealerOf(parts).seal()).rejects.toThrow(LogNotAsSealed);
    expect((await parts.heads.read())?.size).toBe(20);
  });

  it('is a new one where no head was sealed, whatever tiles lie there', async () => {
    await sealedLog(300);
    await documents.delete('tlog-head', 'head');
    const other = new MemoryEventStore();
    await append(other, 'order-3', 3);
    const parts = await opened({ events: other });
    await refuseUnlessAsSealed(parts);
    await sealerOf(parts).seal();
    expect((await parts.heads.read())?.size).toBe(3);
  });
});

describe('a process that seals', () => {
  it('builds the tree in steps, so that no round has a whole interval’s events to hash', async () => {
    const parts = await opened();
    const sealer = sealerOf(parts);
    sealer.start();
    const steps = async (count: number): Promise<void> => {
      for (let step = 0; step < count; step += 1) {
        clock.advance(100);
        for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await append(events, 'order-1', 3);
    await steps(1);
    expect([(await parts.tiles.grown())?.size, await parts.heads.read()]).toEqual([3, null]);
    await append(events, 'order-2', 2);
    await steps(8);
    expect([(await parts.tiles.grown())?.size, await parts.heads.read()]).toEqual([5, null]);
    await steps(1);
    expect((await parts.heads.read())?.size).toBe(5);
    await sealer.stop();
  });

  it('does so every interval under its lease, and another one takes over when it has stopped', async () => {
    const running = await Promise.all(
      ['one', 'other'].map(async (name) => {
        const parts = await opened();
        return new Sealer(parts, {
          growing: new TreeBuilder(parts),
          interval: 1_000,
          lease: { leases: new Leases(documents, clock, name), milliseconds: 6_000 },
          onError: (error) => {
            throw error;
          },
        });
      }),
    );
    const heads = new Heads(documents);
    const untilSealed = async (size: number): Promise<void> => {
      for (let turn = 0; (await heads.read())?.size !== size; turn += 1) {
        if (turn % 50 === 0) clock.advance(100);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const [one, other] = running;
    one?.start();
    await append(events, 'order-1', 3);
    await untilSealed(3);
    other?.start();
    await append(events, 'order-2', 3);
    await untilSealed(6);
    expect([one?.figures?.size, other?.figures]).toEqual([6, null]);
    await one?.stop();
    const stoppedAt = clock.monotonic();
    await append(events, 'order-3', 3);
    await untilSealed(9);
    expect(other?.figures?.size).toBe(9);
    expect(clock.monotonic() - stoppedAt).toBeLessThan(6_000); // it does not wait for the lease to lapse
    await other?.stop();
  });

  it('tells of no error of what its own stop has broken off', async () => {
    const growths: ((reason: Error) => void)[] = [];
    const growing = {
      grow: () => new Promise<never>((_, reject) => void growths.push(reject)),
      startOver: () => Promise.resolve(),
      stop: () => {
        for (const fail of growths) fail(new Error('the thread has ended'));
        return Promise.resolve();
      },
    };
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const sealer = new Sealer(await opened(), { growing, interval: 1_000, lease: null, onError });
    sealer.start();
    while (growths.length === 0) {
      clock.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await sealer.stop();
    expect(errors).toEqual([]);
  });
});

describe('a log from before entries had marks', () => {
  /** Seals what there is as it was sealed then: all of the first form, and nothing says so. */
  const sealedThen = async (parts: OpenTransparency): Promise<Head> => {
    const position = (await events.head())?.position ?? BEGINNING;
    const { size } = await new TreeBuilder(parts).grow(position);
    const root = rootOver(await leavesThen(parts));
    await documents.insert(TLOG_HEAD.name, 'head', { size, root: base64(root), position });
    return { size, root, position, markedAfter: position };
  };
  const leavesThen = async ({ pseudonyms }: OpenTransparency): Promise<readonly Uint8Array[]> => {
    const found: Uint8Array[] = [];
    for await (const { stream, revision, metadata } of events.readAll(null)) {
      const entry = `alcada.event/v1\n${pseudonyms.of(stream)}\n${revision}\n${metadata.hash}\n`;
      if (!stream.startsWith('traffic-')) found.push(leafHash(sha256, utf8(entry)));
    }
    return found;
  };
  const nothing = (): Promise<void> => Promise.resolve();

  it.each([
    ['whose tiles are where its head is', nothing],
    [
      'whose tiles are ahead of its head',
      async (parts: OpenTransparency) => {
        await append(events, 'order-2', 7);
        await new TreeBuilder(parts).grow((await events.head())?.position ?? BEGINNING);
      },
    ],
    ['whose tiles are lost', ({ tiles }: OpenTransparency) => tiles.drop()],
    ['whose tiles are damaged', () => damage()],
  ])('goes on, and keeps what was signed: %s', async (_, happens) => {
    const then = await opened();
    await append(events, 'order-1', 300);
    const before = await sealedThen(then);
    await happens(then);

    const parts = await opened();
    await refuseUnlessAsSealed(parts);
    await append(events, 'order-1', 5, 300);
    const sealer = sealerOf(parts);
    expect(await sealer.seal()).toBe(true);
    await append(events, 'order-3', 2);
    expect(await sealer.seal()).toBe(true);

    const head = await parts.heads.read();
    expect(head?.markedAfter).toBe(before.position);
    const all = [...(await leavesThen(parts)).slice(0, 300), ...(await leaves(parts)).slice(300)];
    expect(rootIn(head)).toBe(rootOfLeaves(all));
    const size = all.length;
    const proof = await consistencyProof(sha256, before.size, size, parts.log.readHash(size));
    expect(verifyConsistency(sha256, before, { size, root: head?.root ?? new Uint8Array() }, proof)).toBe(true);
    for (const index of [0, 1]) {
      const entries = decodeBundle(
        (await parts.log.entries({ index, width: widthIn(size, 0, index) })) ?? new Uint8Array(),
      );
      const from = index * 256;
      expect(entries.map((entry) => hex(leafHash(sha256, entry)))).toEqual(all.slice(from, from + 256).map(hex));
    }
    await refuseUnlessAsSealed(await opened());
  });

  it('names an entry as it is, whenever it is asked for', async () => {
    const then = await opened();
    await append(events, 'order-1', 1);
    await sealedThen(then);
    await append(events, 'order-1', 1, 1);
    const { log, pseudonyms } = await opened();
    await sealerOf(await opened()).seal();
    const [first, second] = events.all;
    const sealed = await log.sealed();
    if (!first || !second || !sealed) throw new Error('nothing is there');
    const key = Buffer.from(pseudonyms.keyOf('order-1')).toString('base64url');
    expect(log.keyedNameOf(first, sealed)).toEqual({ key, pseudonym: pseudonyms.of('order-1') });
    expect(log.keyedNameOf(second, sealed)).toEqual({ key });
    expect(await log.nameOf(first)).toEqual({ pseudonym: pseudonyms.of('order-1') });
    expect(await log.nameOf(second)).toEqual({ mark: markOf(sha256, pseudonyms.keyOf('order-1'), 1) });
  });
});

/** Changes a byte of a tile where it is stored: of the one that the root is made of, if no other is named. */
const damage = async (id = '1-0'): Promise<void> => {
  const [stored] = await readModels.getGuarded('tlog-tiles', [id]);
  const { hashes, ...rest } = stored?.body as { readonly hashes: string };
  const bytes = Buffer.from(hashes, 'base64');
  bytes[7] = (bytes[7] ?? 0) ^ 1;
  const body = { ...rest, hashes: bytes.toString('base64') };
  await readModels.putGuarded('tlog-tiles', [{ id, body, position: '9'.repeat(20), isNew: false }]);
};

/** Seals twice, with a store that fails at one of its writes and a new process after it; returns how many writes there were. */
const brokenOffAt = async (at: number): Promise<number> => {
  const log = new MemoryEventStore();
  const [own, ownTiles] = [new MemoryDocuments(clock), new MemoryDocuments(clock)];
  for (const spec of [SECRETS, LEASES]) await own.prepare(spec);
  let writes = 0;
  const failing = <Store extends object>(store: Store): Store =>
    withCalls(store, (name, call) => {
      if (name !== 'putGuarded' && name !== 'replace' && name !== 'insert') return call;
      return async (...args) => {
        const isLast = writes === at;
        writes += 1;
        if (isLast && at % 2 === 0) throw new DocumentsUnavailable('gone before it was written');
        const answer = await call(...args);
        if (isLast) throw new DocumentsUnavailable('gone after it was written');
        return answer;
      };
    });
  const ports = { events: log, documents: own, readModelStore: ownTiles, clock };
  const parts = await openTransparency(ports, [], ORIGIN);
  const breaking = {
    ...parts,
    heads: new Heads(failing(own)),
    tiles: new StoredTiles(failing(ownTiles)),
  };
  await breaking.heads.prepare();
  for (const count of [300, 250]) {
    await append(log, `order-${count}`, count);
    await sealerOf(breaking)
      .seal()
      .catch(() => undefined);
  }
  const after = await openTransparency(ports, [], ORIGIN);
  await refuseUnlessAsSealed(after);
  await sealerOf(after).seal();
  const head = await after.heads.read();
  expect([head?.size, rootIn(head)]).toEqual([550, rootOfLeaves(await leaves(after, log))]);
  return writes;
};
