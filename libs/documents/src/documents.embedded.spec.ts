import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { plus } from '#kernel';
import { UnusableFile } from '#sqlite';
import { FixedClock, ManualClock, ownFolder } from '#testing';
import { checksumContract } from './contract/checksum.contract.js';
import { documentsContract } from './documents.contract.js';
import Libsql from 'libsql';
import { EmbeddedDocuments } from './documents.embedded.js';
import { CorruptDocument } from './documents.port.js';

const folder = ownFolder();
let opened = 0;

documentsContract('SQLite', (clock) => {
  opened += 1;
  return EmbeddedDocuments.open({ file: join(folder, `${opened}.db`), durability: 'normal', clock });
});

checksumContract('SQLite', async () => {
  opened += 1;
  const options = { file: join(folder, `${opened}.db`), durability: 'full', clock: new FixedClock() } as const;
  const store = await EmbeddedDocuments.open(options);
  return {
    store,
    damage: async (change) => {
      await store.close();
      const file = new Libsql(options.file);
      for (const [column, value] of Object.entries(change)) {
        file.prepare(`UPDATE c_ledger SET ${column} = ? WHERE id = 'a'`).run(value);
      }
      file.close();
      return EmbeddedDocuments.open(options);
    },
  };
});

/** Has 64 writers insert and replace without end, and says what was answered. */
const BUSY = `
const { EmbeddedDocuments } = await import(process.argv[2]);
const store = await EmbeddedDocuments.open({
  file: process.argv[3], durability: 'full', clock: { now: () => new Date().toISOString() },
});
await store.prepare({ name: 'ledger', indexes: [{ fields: ['writer'] }] });
const write = async (writer) => {
  for (let version = 1; ; version += 1) {
    await store.insert('ledger', writer + '-' + version, { writer });
    if (version > 1) await store.replace('ledger', writer + '-1', version - 1, { writer, version });
    console.log(writer + ' ' + version);
  }
};
for (let writer = 0; writer < 64; writer += 1) write(writer);
`;

describe('documents.db', () => {
  it('of the time before checksums is refused, with what can be done', async () => {
    opened += 1;
    const options = { file: join(folder, `${opened}.db`), durability: 'normal', clock: new FixedClock() } as const;
    const store = await EmbeddedDocuments.open(options);
    await store.prepare({ name: 'ledger', indexes: [] });
    await store.close();
    const file = new Libsql(options.file);
    file.exec('ALTER TABLE c_ledger DROP COLUMN checksum');
    file.close();
    const opening = EmbeddedDocuments.open(options);
    await expect(opening).rejects.toThrow(UnusableFile);
    await expect(opening).rejects.toThrow('begin with an empty DATA_DIR');
  });

  it('reads a document again only once its collection was written to, or may have been', async () => {
    opened += 1;
    const clock = new ManualClock();
    const file = join(folder, `${opened}.db`);
    const store = await EmbeddedDocuments.open({ file, durability: 'normal', clock });
    for (const name of ['grants', 'orders']) await store.prepare({ name, indexes: [] });
    const read = async (id: string) => (await store.get<{ n: number }>('grants', id))?.body.n ?? null;
    const behindItsBack = new Libsql(file);
    const change = behindItsBack.prepare(`DELETE FROM c_grants WHERE id = 'a'`);

    expect(await read('a')).toBe(null);
    await store.insert('grants', 'a', { n: 1 });
    const writing = store.replace('grants', 'a', 1, { n: 2 });
    await read('a'); // before the answer: nothing of it is kept
    await writing;
    expect(await read('a')).toBe(2);
    change.run();
    await store.insert('orders', 'b', { n: 1 });
    expect(await read('a')).toBe(2); // known, and nothing was written to its collection
    await store.insert('grants', 'b', { n: 3 }, { expiresAt: plus(clock.now(), 1_000) });
    expect([await read('a'), await read('b')]).toEqual([null, 3]);
    clock.advance(1_000);
    expect(await read('b')).toBe(null);
    behindItsBack.close();
    await store.close();
  });

  it('has every answered write after its process was killed in the middle of 64 writers', async () => {
    const file = join(folder, 'killed.db');
    const module = new URL('./documents.embedded.js', import.meta.url).href;
    const script = join(folder, 'busy.mjs');
    writeFileSync(script, BUSY);
    const child = spawn(process.execPath, [script, module, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    const answered = new Map<string, number>();
    let lines = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      const [writer, version] = line.split(' ');
      answered.set(writer ?? '', Number(version));
      lines += 1;
      if (lines === 2_000) child.kill('SIGKILL');
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');

    const store = await EmbeddedDocuments.open({ file, durability: 'full', clock: new FixedClock() });
    await store.prepare({ name: 'ledger', indexes: [{ fields: ['writer'] }] });
    expect(answered.size).toBe(64);
    for (const [writer, version] of answered) {
      for (let place = 1; place <= version; place += 1) {
        expect(await store.get('ledger', `${writer}-${place}`)).not.toBeNull();
      }
      const first = await store.get('ledger', `${writer}-1`);
      expect(first?.version).toBeGreaterThanOrEqual(version);
    }
    await store.close();
  });

  it('gives the room of what has expired back, but for a little, and keeps the rest', async () => {
    const clock = new ManualClock();
    const file = join(folder, 'shrinking.db');
    const store = await EmbeddedDocuments.open({ file, durability: 'normal', clock });
    await store.prepare({ name: 'tokens', indexes: [] });
    const text = 'x'.repeat(3_500);
    const [expiresAt, kept] = [plus(clock.now(), 60_000), Array.from({ length: 20 }, (_, place) => `kept${place}`)];
    const insert = (id: string) => store.insert('tokens', id, { text }, id.startsWith('kept') ? {} : { expiresAt });
    const short = Array.from({ length: 3_000 }, (_, place) => `short${place}`);
    await Promise.all([...short, ...kept].map(insert));
    const pages = () => {
      const reader = new Libsql(file, { readonly: true });
      const [count] = reader.prepare('SELECT page_count FROM pragma_page_count').pluck().all();
      reader.close();
      return Number(count);
    };
    const full = pages();
    clock.advance(60_000);
    expect(await store.deleteExpired()).toBe(3_000);
    expect(full).toBeGreaterThan(3_000);
    expect(pages()).toBeLessThan(400);
    for (const id of kept) expect(await store.get('tokens', id)).toMatchObject({ body: { text } });
    await store.close();
    expect(statSync(file).size).toBeLessThan(400 * 4_096);
  });

  it('says that a document is damaged whose text is no UTF-8, and reads the others', async () => {
    const options = { file: join(folder, 'no-text.db'), durability: 'normal', clock: new FixedClock() } as const;
    const open = async () => {
      const store = await EmbeddedDocuments.open(options);
      await store.prepare({ name: 'ledger', indexes: [] });
      return store;
    };
    const whole = await open();
    for (const id of ['a', 'b']) await whole.insert('ledger', id, { name: id });
    await whole.close();
    const file = new Libsql(options.file);
    file.exec("UPDATE c_ledger SET body = CAST(x'7b22ff223a317d' AS TEXT) WHERE id = 'a'");
    file.close();
    const damaged = await open();
    await expect(damaged.get('ledger', 'a')).rejects.toBeInstanceOf(CorruptDocument);
    await expect(damaged.scan('ledger', null, 10)).rejects.toBeInstanceOf(CorruptDocument);
    expect(await damaged.get('ledger', 'b')).toMatchObject({ body: { name: 'b' } });
    await damaged.close();
  });

  it('keeps its documents, and refuses a second process, across a close', async () => {
    const options = { file: join(folder, 'kept.db'), durability: 'full', clock: new FixedClock() } as const;
    const first = await EmbeddedDocuments.open(options);
    await first.prepare({ name: 'accounts', indexes: [{ fields: ['email'], unique: true }] });
    await first.insert('accounts', 'ana', { email: 'ana@example.com' });
    await expect(EmbeddedDocuments.open(options)).rejects.toThrow('kept.db');
    await first.close();
    const second = await EmbeddedDocuments.open(options);
    await second.prepare({ name: 'accounts', indexes: [{ fields: ['email'], unique: true }] });
    expect(await second.get('accounts', 'ana')).toMatchObject({ body: { email: 'ana@example.com' } });
    await second.close();
  });
});
