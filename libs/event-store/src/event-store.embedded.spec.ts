import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ownFolder } from '#testing';
import { UnusableFile } from '#sqlite';
import Libsql from 'libsql';
import { eventStoreContract } from './event-store.contract.js';
import { EmbeddedEventStore } from './event-store.embedded.js';
import { AppendOutcomeUnknown, StoreUnavailable, StreamDamaged } from './event-store.errors.js';
import { type Delivery, NO_STREAM } from './event-store.port.js';
import { all, deliveries, eventsOf, samples, upTo } from './testing/sample-events.js';

const folder = ownFolder();

let files = 0;
const newFile = () => join(folder, `${(files += 1)}.db`);

/** How long (ms) an append may take on a busy machine. */
const PATIENT = { appendTimeout: 60_000 };

eventStoreContract('EmbeddedEventStore', () => EmbeddedEventStore.open({ file: newFile(), ...PATIENT }));

describe('EmbeddedEventStore', () => {
  let file = '';
  let store: EmbeddedEventStore;
  beforeEach(async () => {
    file = newFile();
    store = await EmbeddedEventStore.open({ file, ...PATIENT });
  });
  afterEach(() => store.close());

  /** Somebody who writes to the file though it is not theirs: appends have to wait. */
  const stranger = () => {
    const db = new Libsql(file);
    db.exec('BEGIN IMMEDIATE');
    return { leaves: () => db.exec('ROLLBACK') };
  };

  it('lets an auditor read the file while it is written to', async () => {
    await store.append('order-1', NO_STREAM, samples(3));
    const auditor = new Libsql(`${pathToFileURL(file).href}?mode=ro`);
    const count = auditor.prepare('SELECT count(*) FROM events').pluck();
    expect(count.all()).toEqual([3]);
    await store.append('order-1', 2, samples(1));
    expect(count.all()).toEqual([4]);
    auditor.close();
  });

  it('delivers to who opened it to read what was appended since, up to when it subscribes', async () => {
    await store.append('order-1', NO_STREAM, samples(1));
    const reader = await EmbeddedEventStore.openToRead(file);
    await store.append('order-1', 0, samples(1));
    const signal = AbortSignal.timeout(10_000);
    const delivered: Delivery[] = [];
    for await (const delivery of reader.subscribe({ after: null, categories: ['order'], signal }))
      if (delivered.push(delivery) === 2) break;
    await reader.close();
    expect(delivered.map(({ event }) => event?.revision)).toEqual([0, 1]);
  });

  it('knows where a stream ends once its append is answered, and not before', async () => {
    await store.append('order-1', NO_STREAM, samples(3));
    const writing = store.append('order-2', NO_STREAM, samples(1));
    expect([1, 2].map((revision) => store.endsAt('order-1', revision))).toEqual([false, true]);
    expect(store.endsAt('order-2', NO_STREAM)).toBe(false);
    await writing;
    expect(store.endsAt('order-2', 0)).toBe(true);
  });

  it('delivers the same from memory as from the file, to those at the end of the log and to those far behind', async () => {
    const followed = { after: null, categories: ['order', 'mandate'] };
    const isLast = (_: unknown, soFar: readonly Delivery[]) => eventsOf(soFar).length === 3_000;
    const live = deliveries(store, followed, isLast);
    let late: Promise<readonly Delivery[]> | null = null;
    for (const n of upTo(600)) {
      const category = ['order', 'flight', 'mandate'][n % 3] ?? '';
      await store.append(`${category}-${n}`, NO_STREAM, samples(n % 3 === 1 ? 2 : 7, n));
      if (n === 400) late = deliveries(store, followed, isLast);
    }
    await store.append('order-x', NO_STREAM, samples(200));
    const logged = (await all(store.readAll(null))).filter(({ stream }) => !stream.startsWith('flight'));
    expect(logged).toHaveLength(3_000);
    expect(eventsOf(await live)).toEqual(logged);
    expect(eventsOf((await late) ?? [])).toEqual(logged);
  });

  it('says that an outcome is unknown where the answer takes too long, and takes the same events again (rule 12)', async () => {
    await store.close();
    store = await EmbeddedEventStore.open({ file, appendTimeout: 100 });
    const events = samples(2);
    const other = stranger();
    await expect(store.append('order-1', NO_STREAM, events)).rejects.toBeInstanceOf(AppendOutcomeUnknown);
    other.leaves();
    const patient = () =>
      store.append('order-1', NO_STREAM, events).catch((error: unknown) => {
        if (!(error instanceof AppendOutcomeUnknown)) throw error;
        return null; // the writer may still be waiting for the stranger
      });
    let answer = await patient();
    while (!answer) answer = await patient();
    expect(answer.revision).toBe(1);
    expect(await all(store.readStream('order-1'))).toHaveLength(2);
  });

  it('reads on to the end of a stream of which events were sent again', async () => {
    const [first, second] = [samples(2), samples(1, 2)];
    await store.append('order-1', NO_STREAM, first);
    await store.append('order-1', 1, second);
    await store.append('order-1', NO_STREAM, first);
    expect(await all(store.readStream('order-1', 2))).toHaveLength(1);
    expect(await all(store.readStream('order-1', 3))).toEqual([]);
  });

  it('says what cannot be read of an event whose text is no UTF-8, and reads the others', async () => {
    for (const name of ['order-1', 'order-2']) await store.append(name, NO_STREAM, samples(1));
    await store.close();
    const db = new Libsql(file);
    db.exec(
      "UPDATE events SET data = CAST(x'7b22ff227d' AS TEXT), type = CAST(x'fe' AS TEXT) WHERE stream = 'order-1'",
    );
    db.close();
    store = await EmbeddedEventStore.open({ file, ...PATIENT });
    await expect(all(store.readStream('order-1'))).rejects.toBeInstanceOf(StreamDamaged);
    expect(await all(store.readStream('order-2'))).toHaveLength(1);
  });

  it('says that nothing was written where the file cannot be had', async () => {
    const other = stranger();
    await expect(store.append('order-1', NO_STREAM, samples(2))).rejects.toBeInstanceOf(StoreUnavailable);
    other.leaves();
    expect(await store.head()).toBeNull();
  });

  it('finishes appends under way when it closes, ends subscriptions, and takes nothing afterwards', async () => {
    const following = deliveries(store, { after: null, categories: ['order'] }, () => false);
    const appended = store.append('order-1', NO_STREAM, samples(2));
    await store.close();
    expect((await appended).revision).toBe(1);
    await following;
    await expect(store.append('order-1', 1, samples(1))).rejects.toBeInstanceOf(StoreUnavailable);
  });
});

describe('the file of EmbeddedEventStore', () => {
  const refused = async (path: string) => {
    const opening = EmbeddedEventStore.open({ file: path });
    await expect(opening).rejects.toBeInstanceOf(UnusableFile);
    await expect(opening).rejects.toThrow(path);
    return opening.catch(String);
  };

  it('is refused if a newer version wrote it', async () => {
    const file = newFile();
    await (await EmbeddedEventStore.open({ file })).close();
    new Libsql(file).exec('PRAGMA user_version = 99');
    expect(await refused(file)).toContain('version 99');
  });

  it('is refused if it is no event log', async () => {
    const file = newFile();
    writeFileSync(file, 'x'.repeat(10_000));
    expect(await refused(file)).toContain('not a database');
  });

  it('is refused where no folder can be', async () => {
    const file = newFile();
    writeFileSync(file, 'a file, not a folder');
    await refused(join(file, 'events.db'));
  });

  it('keeps every acknowledged event, in order and without a gap, when the process is killed amid 64 writers', async () => {
    const file = newFile();
    const acknowledged = new Map<string, number>();
    for (const goal of [1_000, 2_500]) {
      const writers = fileURLToPath(new URL('./testing/writers.js', import.meta.url));
      const child = spawn(process.execPath, [writers, file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const closed = once(child, 'close');
      let lines = 0;
      for await (const line of createInterface(child.stdout)) {
        const [stream = '', revision] = line.split(' ');
        acknowledged.set(stream, Number(revision));
        lines += 1;
        if (lines === 1) expect(await refused(file)).toContain('another process holds it');
        if (lines === goal) child.kill('SIGKILL');
      }
      await closed;
    }

    const store = await EmbeddedEventStore.open({ file });
    const revisions = new Map<string, number>();
    for await (const { stream, revision, data } of store.readAll(null)) {
      expect(revision).toBe((revisions.get(stream) ?? NO_STREAM) + 1);
      expect(data).toEqual({ stream, revision });
      revisions.set(stream, revision);
    }
    expect(acknowledged.size).toBe(128);
    for (const [stream, revision] of acknowledged) expect(revisions.get(stream)).toBeGreaterThanOrEqual(revision);
    for (const stream of acknowledged.keys()) {
      const last = revisions.get(stream) ?? NO_STREAM;
      expect((await all(store.readStream(stream))).map(({ revision }) => revision)).toEqual(upTo(last + 1));
    }
    await store.close();
  });
});
