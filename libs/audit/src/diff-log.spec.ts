import { createHash, randomUUID } from 'node:crypto';
import { SECRETS } from '#documents';
import { canonicalJson } from '#kernel';
import { FixedClock } from '#testing';
import { beginNextLog, openTransparency, refuseUnlessAsSealed, Sealer, TreeBuilder } from '#transparency';
import { type Checkpoint, parseCheckpoint } from '#verifier';
import { MemoryDocuments } from '../../documents/src/testing/index.js';
import { MemoryEventStore } from '../../event-store/src/testing/index.js';
import { diffLog } from './diff-log.js';

const FIRST = 'alcada.example/tlog';

let clock: FixedClock;
let events: MemoryEventStore;
let documents: MemoryDocuments;
let readModelStore: MemoryDocuments;
beforeEach(async () => {
  clock = new FixedClock();
  events = new MemoryEventStore();
  documents = new MemoryDocuments(clock);
  readModelStore = new MemoryDocuments(clock);
  await documents.prepare(SECRETS);
});

const note = async (type: string, data: object, stream = `order-${randomUUID()}`): Promise<void> => {
  const hash = createHash('sha256').update(stream).digest('hex');
  const actor = { holder: null, clientId: null };
  const metadata = canonicalJson({ actor, eventId: randomUUID(), hash, occurredAt: clock.now(), schemaVersion: 1 });
  await events.append(stream, -1, [{ id: randomUUID(), type, data: canonicalJson(data), metadata }]);
};

/** Appends events, seals all there are, and answers the checkpoint. */
const sealed = async (count: number): Promise<Checkpoint> => {
  for (let n = 0; n < count; n += 1) await note('Noted', {});
  const parts = await openTransparency({ events, documents, readModelStore, clock }, [], {
    first: FIRST,
    configured: null,
  });
  await refuseUnlessAsSealed(parts); // as every start does
  await new Sealer(parts, {
    growing: new TreeBuilder(parts),
    interval: 1,
    lease: null,
    onError: () => undefined,
  }).seal();
  const text = (await parts.log.sealed())?.checkpoint.split('\n\n')[0] ?? '';
  return parseCheckpoint(`${text}\n`);
};

const beginNext = () =>
  beginNextLog({ documents, clock }, [], { first: FIRST, configured: null }, ({ origin, successor }) =>
    note('LogSucceeded', { origin, successor }, `security-${randomUUID()}`),
  );

const diff = (one: Checkpoint, other: Checkpoint) => diffLog({ events, documents }, [one, other], { sealing: [] });

describe('what was added between two checkpoints', () => {
  it('is told of a log that another one follows, up to where that begins', async () => {
    const [early, late] = [await sealed(2), await sealed(3)];
    await beginNext();
    const next = await sealed(1);
    expect(next.origin).toBe(`${FIRST}#2`);
    expect(await diff(late, early)).toMatchObject({ from: 2, to: 5, begun: 3, breaches: [] });
    const last = await sealed(2);
    expect(await diff(next, last)).toMatchObject({ from: 7, to: 9, begun: 2, breaches: [] });
    expect((await diff(early, { ...late, size: 7 })).breaches).toMatchObject([
      { message: 'it ends after 5 entries of 7: its tail was cut' },
    ]);
  });
});
