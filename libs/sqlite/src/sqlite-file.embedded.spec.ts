import Libsql from 'libsql';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { ownFolders } from '#testing';
import { OperationFailed, OutcomeUnknown, SqliteFile, StorageRefused } from './index.js';
import type { Notes } from './testing/notes.program.js';

const newFolder = ownFolders();
const NOTE_TAKER = new URL('./testing/note-taker.js', import.meta.url);

let folder = '';
beforeEach(() => {
  folder = newFolder();
});

const opened: SqliteFile<Notes>[] = [];
afterEach(() => Promise.all(opened.splice(0).map((file) => file.close())));

const open = async (onFatal?: (error: Error) => void): Promise<SqliteFile<Notes>> => {
  const program = new URL('./testing/notes.program.js', import.meta.url);
  const file = await SqliteFile.open<Notes>({ file: join(folder, 'notes.db'), program, durability: 'full', onFatal });
  opened.push(file);
  return file;
};

const texts = ({ reader }: SqliteFile<Notes>) => reader.prepare('SELECT text FROM notes ORDER BY id').pluck().all();

describe('SqliteFile', () => {
  it('keeps what was written, in order, across a close', async () => {
    const first = await open();
    expect(await Promise.all([first.write('note', 'um'), first.write('note', 'dois')])).toEqual([1, 2]);
    expect(texts(first)).toEqual(['um', 'dois']);
    await first.close();
    const second = await open();
    expect(texts(second)).toEqual(['um', 'dois']);
  });

  it('undoes a failed operation alone and reports SQLite’s code (rule 14)', async () => {
    const file = await open();
    const [won, lost, other] = await Promise.allSettled([
      file.write('note', 'um'),
      file.write('noteBoth', 'dois', 'um'),
      file.write('note', 'três'),
    ]);
    expect([won, other]).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'fulfilled', value: 2 },
    ]);
    expect(lost).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_UNIQUE' } });
    expect(lost).toHaveProperty('reason', expect.any(OperationFailed));
    expect(texts(file)).toEqual(['um', 'três']);
  });

  it('bounds the heap of its thread, which else would grow to twice of what it needs', async () => {
    const file = await open();
    expect(await file.write('heapBound')).toBe(1_024);
  });

  it('runs the operations of a turn in one transaction, and answers once it is committed', async () => {
    const file = await open();
    const some = Array.from({ length: 8 }, (_, place) => file.write('note', `nota ${place}`));
    const counted = file.write('countedOutside');
    const later = some[0]?.then(() => file.write('countedOutside'));
    expect(await counted).toBe(0);
    expect(await later).toBe(8);
  });

  it('runs in one transaction all that has arrived while it was busy', async () => {
    const file = await open();
    const gate = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
    const busy = file.write('waitAt', gate);
    while (Atomics.load(gate, 1) === 0) await nextTurn();
    const many = Array.from({ length: 64 }, (_, place) => file.write('note', `nota ${place}`));
    const counted = file.write('countedOutside');
    await nextTurn();
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
    expect(await counted).toBe(0);
    await Promise.all([busy, ...many]);
    expect(await file.write('countedOutside')).toBe(64);
  });

  it('tells another thread of what is committed, once until that has heard it', async () => {
    const file = await open();
    const { port1, port2 } = new MessageChannel();
    const isNotified = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const told = once(port1, 'message');
    file.notifyOfCommits({ port: port2, isNotified });
    await told; // of what was committed before
    await file.write('note', 'um');
    await file.write('note', 'dois');
    expect(receiveMessageOnPort(port1)).toBeUndefined();
    Atomics.store(isNotified, 0, 0);
    const again = once(port1, 'message');
    await file.write('note', 'três');
    await again;
    expect(Atomics.load(isNotified, 0)).toBe(1);
    port1.close();
  });

  it('finishes what was asked for before it closes, and refuses what comes later', async () => {
    const file = await open();
    const written = file.write('note', 'um');
    const closed = Promise.all([file.close(), file.close()]);
    await expect(file.write('note', 'dois')).rejects.toBeInstanceOf(StorageRefused);
    expect(await written).toBe(1);
    await closed;
    const again = await open();
    expect(texts(again)).toEqual(['um']);
  });

  it('refuses a whole batch when the disk is full, and goes on when there is room again (rule 14)', async () => {
    const file = await open();
    await file.write('leaveRoom', 2);
    const outcomes = await Promise.allSettled([file.write('note', 'pequena'), file.write('note', 'x'.repeat(100_000))]);
    for (const outcome of outcomes) expect(outcome).toHaveProperty('reason', expect.any(StorageRefused));
    expect(texts(file)).toEqual([]);
    await file.write('leaveRoom', null);
    await file.write('note', 'x'.repeat(100_000));
    expect(texts(file)).toHaveLength(1);
  });

  it('ends the process when a commit fails otherwise: nobody knows what is on disk (rule 14)', async () => {
    let fatal: Error | undefined;
    const file = await open((error) => (fatal = error));
    const outcomes = await Promise.allSettled([file.write('note', 'um'), file.write('reply', 99)]);
    for (const outcome of outcomes) expect(outcome).toHaveProperty('reason', expect.any(OutcomeUnknown));
    expect(fatal?.message).toContain('FOREIGN KEY');
    await expect(file.write('note', 'dois')).rejects.toBeInstanceOf(StorageRefused);
  });

  it('ends the process when the writing thread is lost', async () => {
    let fatal: Error | undefined;
    const file = await open((error) => (fatal = error));
    await expect(file.write('endThread')).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(fatal).toBeDefined();
  });

  it('lets a module write in the writing thread, where each write is done once it is answered', async () => {
    const file = await open();
    await file.write('note', 'um');
    const port = file.begin(NOTE_TAKER, 'de lá:');
    port.postMessage(['dois', 'dois', 'três']);
    const [answer] = (await once(port, 'message')) as unknown[];
    expect(answer).toEqual([
      [null, 'OperationFailed', null],
      ['um', 'de lá: dois', 'de lá: três'],
    ]);
    await file.write('note', 'quatro');
    expect(texts(file)).toEqual(['um', 'de lá: dois', 'de lá: três', 'quatro']);
    const closed = once(port, 'close');
    port.postMessage(null);
    await closed;
  });

  it('commits together what a module writes in one turn', async () => {
    const file = await open();
    const port = file.begin(NOTE_TAKER, 'de lá:');
    const seenAfter = async (...texts: readonly string[]) => {
      port.postMessage(texts);
      const [[outcomes]] = (await once(port, 'message')) as [readonly [readonly (string | null)[]]];
      return outcomes;
    };
    expect(await seenAfter('um', 'count', 'dois', 'count')).toEqual([null, '0', null, '0']);
    expect(await seenAfter('count')).toEqual(['2']);
    const closed = once(port, 'close');
    port.postMessage(null);
    await closed;
  });

  it.each([
    ['its commit fails otherwise (rule 14)', NOTE_TAKER, 'FOREIGN KEY'],
    ['it cannot be loaded', new URL('./testing/nobody.js', import.meta.url), 'nobody.js'],
  ])('ends the process when a module works in the writing thread and %s', async (_, module, reason) => {
    const fatal = new Promise<Error>(
      (resolve) => void open(resolve).then((file) => file.begin(module, '').postMessage(['reply'])),
    );
    expect((await fatal).message).toContain(reason);
  });

  it('lets an auditor read beside the writer, and nobody write through the reader', async () => {
    const file = await open();
    await file.write('note', 'um');
    const auditor = new Libsql(`${pathToFileURL(join(folder, 'notes.db')).href}?mode=ro`);
    expect(auditor.prepare('SELECT text FROM notes').pluck().all()).toEqual(['um']);
    auditor.close();
    expect(() => file.reader.exec("INSERT INTO notes (text) VALUES ('dois')")).toThrow(/readonly/);
  });
});
