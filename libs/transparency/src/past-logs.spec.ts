import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { SealBroken, SECRETS, type SealingKeys } from '#documents';
import { canonicalJson } from '#kernel';
import { FixedClock } from '#testing';
import { formatCheckpoint, formatVerifierKey, HASH_SIZE, parseNote, verifyNote } from '#verifier';
import { MemoryDocuments } from '../../documents/src/testing/index.js';
import { MemoryEventStore } from '../../event-store/src/testing/index.js';
import { LogHalfBegun, readTlogKeys } from './keys.js';
import { nodeCrypto } from './node-crypto.js';
import { openTransparency } from './open.js';
import { beginNextLog, pastHeads, reencryptPastLogs, type Succession } from './past-logs.js';
import { Sealer } from './sealer.js';
import { NotSealed } from './transparency-log.js';
import { TreeBuilder } from './tree-builder.js';

const ORIGIN = { first: 'alcada.example/tlog', configured: null };

let clock: FixedClock;
let events: MemoryEventStore;
let documents: KilledDocuments;
let readModelStore: MemoryDocuments;
beforeEach(async () => {
  clock = new FixedClock();
  [events, documents, readModelStore] = [
    new MemoryEventStore(),
    new KilledDocuments(clock),
    new MemoryDocuments(clock),
  ];
  await documents.prepare(SECRETS);
});

const open = (sealing: SealingKeys = []) =>
  openTransparency({ events, documents, readModelStore, clock }, sealing, ORIGIN);

const seal = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) {
    const stream = `order-${randomUUID()}`;
    const hash = createHash('sha256').update(stream).digest('hex');
    const metadata = canonicalJson({ eventId: randomUUID(), occurredAt: clock.now(), hash });
    await events.append(stream, -1, [{ id: randomUUID(), type: 'Noted', data: '{}', metadata }]);
  }
  const parts = await open();
  const onError = () => undefined;
  await new Sealer(parts, { growing: new TreeBuilder(parts), interval: 1_000, lease: null, onError }).seal();
};

class KilledDocuments extends MemoryDocuments {
  left = Infinity;

  override async insert(...args: Parameters<MemoryDocuments['insert']>) {
    await this.counted(super.insert(...args));
  }

  override replace(...args: Parameters<MemoryDocuments['replace']>) {
    return this.counted(super.replace(...args));
  }

  override delete(...args: Parameters<MemoryDocuments['delete']>) {
    return this.counted(super.delete(...args));
  }

  private async counted<Answer>(work: Promise<Answer>): Promise<Answer> {
    const answer = await work;
    this.left -= 1;
    if (this.left === 0) throw new Error('killed');
    return answer;
  }
}

const beginNext = (sealing: SealingKeys = [], record = (_: Succession) => Promise.resolve()) =>
  beginNextLog({ documents, clock }, sealing, ORIGIN, record);

describe('a log that another one follows', () => {
  it('is frozen as it was signed last, and the next one begins under another name, with nothing of it', async () => {
    await seal(3);
    const before = await open();
    const { signers } = before;
    const sealed = await before.log.sealed();
    const told: Succession[] = [];
    const succession = await beginNext([], (one) => Promise.resolve(void told.push(one)));
    expect(succession).toMatchObject({ origin: 'alcada.example/tlog', successor: 'alcada.example/tlog#2' });
    expect(succession.head).toMatchObject({ size: 3, root: sealed?.root });
    expect(told).toEqual([succession]);

    const after = await open();
    expect(await after.heads.read()).toBeNull();
    expect(after.secret).not.toEqual(before.secret);
    const [past] = after.past;
    expect(past).toMatchObject({ number: 1, origin: 'alcada.example/tlog', head: { size: 3, root: sealed?.root } });
    expect(past?.key).toBe(signers.map((key) => `${formatVerifierKey(key)}\n`).join(''));
    const { text } = parseNote(past?.checkpoint ?? '');
    expect(text).toBe(sealed && formatCheckpoint({ ...sealed, origin: 'alcada.example/tlog' }));
    expect(await verifyNote(parseNote(past?.checkpoint ?? ''), signers, nodeCrypto)).toHaveLength(1);
  });

  it('still shows its files, up to its end, once they are built', async () => {
    await seal(3);
    const before = await (await open()).log.entries({ index: 0, width: 3 });
    await beginNext();
    await seal(2);
    const [past] = (await open()).past;
    await expect(past?.log.tile({ level: 0, index: 0, width: 3 })).rejects.toThrow(NotSealed);
    await past?.build();
    expect(await past?.log.entries({ index: 0, width: 3 })).toEqual(before);
    expect((await past?.log.tile({ level: 0, index: 0, width: 3 }))?.length).toBe(3 * HASH_SIZE);
    expect(await past?.log.tile({ level: 0, index: 0, width: 4 })).toBeNull();
    expect((await (await open()).heads.read())?.size).toBe(5);
  });

  it('was signed nowhere where nothing was', async () => {
    expect((await beginNext()).head).toBeNull();
    expect(await pastHeads(documents, [])).toMatchObject([{ number: 1, checkpoint: null, head: null }]);
  });

  it('is one of many, each with its number', async () => {
    await seal(1);
    expect(await beginNext()).toMatchObject({ successor: 'alcada.example/tlog#2' });
    await seal(1);
    expect(await beginNext()).toMatchObject({ origin: 'alcada.example/tlog#2', successor: 'alcada.example/tlog#3' });
    expect((await pastHeads(documents, [])).map(({ number, head }) => [number, head?.size])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('is followed by one that nothing starts with until it was begun to its end, and by no second one', async () => {
    await seal(2);
    const failing = beginNext([], () => Promise.reject(new Error('the disk is full')));
    await expect(failing).rejects.toThrow('the disk is full');
    await expect(open()).rejects.toThrow(LogHalfBegun);
    expect(await beginNext()).toMatchObject({ successor: 'alcada.example/tlog#2', head: { size: 2 } });
    expect((await open()).past).toHaveLength(1);
  });

  it('is begun to its end by who begins it again, after whichever write that was ended', async () => {
    const fresh = async () => {
      [events, documents, readModelStore] = [
        new MemoryEventStore(),
        new KilledDocuments(clock),
        new MemoryDocuments(clock),
      ];
      await documents.prepare(SECRETS);
      await seal(2);
      return open();
    };
    const endings: string[] = [];
    for (let writes = 1; ; writes += 1) {
      const before = await fresh();
      const note = (await before.log.sealed())?.checkpoint;
      documents.left = writes;
      const told: Succession[] = [];
      const record = (one: Succession) => Promise.resolve(void told.push(one));
      const ended = await beginNext([], record).catch((error: unknown) => error);
      if (!(ended instanceof Error)) break;
      endings.push(ended.message);
      documents.left = Infinity;
      // Its last write is the one that lets it start.
      const isHalf = (await open().catch((error: unknown) => error)) instanceof LogHalfBegun;
      // What was signed last is known by its key, so that it can be named again.
      const known = await readTlogKeys(documents);
      const lines = [...(known?.keys.map(formatVerifierKey) ?? []), ...(known?.retired ?? [])];
      if (isHalf) expect(lines).toEqual(expect.arrayContaining(before.signers.map(formatVerifierKey)));
      if (isHalf) await beginNext([], record);
      expect((await readTlogKeys(documents))?.retired).toEqual([]);
      const after = await open();
      expect(told.at(-1)).toMatchObject({ successor: 'alcada.example/tlog#2', head: { size: 2 } });
      expect(after.past).toMatchObject([{ number: 1, checkpoint: note, head: { size: 2 } }]);
      expect(await after.heads.read()).toBeNull();
      expect(after.secret).not.toEqual(before.secret);
      await seal(1);
      expect((await (await open()).log.sealed())?.checkpoint).toMatch(/^alcada\.example\/tlog#2\n3\n/);
    }
    expect(endings).toEqual(Array.from({ length: 7 }, () => 'killed'));
  });

  it('has its secret encrypted under the first key-encryption key, once', async () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)];
    await beginNext([older]);
    const [before] = await pastHeads(documents, [older]);
    expect(await reencryptPastLogs(documents, [newer, older])).toBe(1);
    expect(await reencryptPastLogs(documents, [newer, older])).toBe(0);
    await expect(pastHeads(documents, [older])).rejects.toThrow(SealBroken);
    const [after] = await pastHeads(documents, [newer]);
    expect(after?.pseudonyms.of('order-1')).toBe(before?.pseudonyms.of('order-1'));
  });
});
