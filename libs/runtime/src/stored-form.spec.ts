import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { ownFolders } from '#testing';
import { importCatalog, readCatalogFile } from '#catalog';
import { readConfig } from '#config';
import { EmbeddedDocuments } from '#documents';
import { Aggregates } from '#event-store';
import { SystemClock } from '#kernel';
import { UnusableFile } from '#sqlite';
import Libsql from 'libsql';
import { refuseMixed } from './mixed-data.js';
import { closePorts, openEmbeddedPorts } from './ports.js';
import { checkInThread, refuseDamaged } from './stored-form.js';
import { withoutDate } from '../../catalog/src/testing/index.js';

const newFolder = ownFolders();
let sound = '';
let folder = '';
beforeAll(async () => {
  sound = newFolder();
  const ports = await openEmbeddedPorts(readConfig({ DATA_DIR: sound }));
  const catalog = (await readCatalogFile()).map(withoutDate);
  await importCatalog(new Aggregates(ports.events, ports.clock, ports.ids), catalog);
  for (const store of [ports.documents, ports.readModelStore]) {
    await store.prepare({ name: 'payment-ledger', indexes: [] });
    await store.prepare({ name: 'payment-refunds', indexes: [] });
    await store.insert('payment-ledger', 'a', { amount: 100 });
  }
  await closePorts(ports);
});
beforeEach(() => {
  folder = newFolder();
  cpSync(sound, folder, { recursive: true });
});

/** Reads every file as a start does. */
const refuse = (): void => {
  for (const file of ['events.db', 'documents.db', 'read-models.db'] as const) refuseDamaged(folder, file);
};

/** Changes a file behind the service's back, so that SQLite finds nothing wrong with it. */
const changed = (file: string, sql: string): void => {
  const db = new Libsql(join(folder, file));
  db.exec(sql);
  db.close();
};

type Damage = readonly [what: string, file: string, sql: string, message: RegExp];

const DAMAGES: readonly Damage[] = [
  [
    'the data of an event',
    'events.db',
    "UPDATE events SET data = replace(data, '1', '2') WHERE position = 3",
    /@0 \(position 3\): it is not/,
  ],
  [
    'its metadata',
    'events.db',
    "UPDATE events SET metadata = replace(metadata, 'occurredAt', 'occuredAt') WHERE position = 3",
    /it is not/,
  ],
  ['its category', 'events.db', "UPDATE events SET category = 'traffic' WHERE position = 3", /the category of another/],
  [
    'its stream',
    'events.db',
    "UPDATE events SET stream = 'flight-XX1' WHERE position = 3",
    /it is not what was written/,
  ],
  ['that an event is there', 'events.db', 'DELETE FROM events WHERE position = 3', /missing before position 4/],
  [
    'an amount',
    'documents.db',
    `UPDATE "c_payment-ledger" SET body = '{"amount":900}'`,
    /payment-ledger: the document a is not/,
  ],
  ['what a body is of', 'documents.db', `UPDATE "c_payment-ledger" SET id = 'b'`, /the document b is not/],
  ['that a collection is there', 'documents.db', 'DROP TABLE "c_payment-ledger"', /payment-ledger has no table/],
  ['that it is known', 'documents.db', 'DELETE FROM collections', /c_payment-ledger belongs to no collection/],
];

describe('the stored form', () => {
  it('is read at a start, and is as it was written', () => {
    expect(() => refuse()).not.toThrow();
    expect(() => refuseDamaged(join(folder, 'none'), 'events.db')).not.toThrow();
  });

  it.each(DAMAGES)('is refused where the disk has changed %s', (_, file, sql, message) => {
    changed(file, sql);
    expect(() => refuse()).toThrow(UnusableFile);
    expect(() => refuse()).toThrow(message);
    expect(() => refuse()).toThrow(`${join(folder, file)} is damaged: `);
    expect(() => refuse()).toThrow('Restore events.db and documents.db together from a backup');
  });

  it('can be built anew where it is that of read models', () => {
    changed('read-models.db', `UPDATE "c_payment-ledger" SET body = '{"amount":900}'`);
    expect(() => refuse()).toThrow('Delete it with its -wal and -shm');
  });

  /** All that is told of a folder by who reads large files beside everything else. */
  const toldOf = async (end: (stop: () => Promise<void>) => Promise<void>): Promise<readonly string[]> => {
    const clock = new SystemClock();
    const store = await EmbeddedDocuments.open({ file: join(folder, 'read-models.db'), durability: 'normal', clock });
    const told: string[] = [];
    let tell = (): void => undefined;
    const isNotified = new Promise<void>((resolve) => (tell = resolve));
    const stop = checkInThread(
      store,
      folder,
      0,
    )((damage) => {
      told.push(damage);
      tell();
    });
    await end(() => isNotified.then(stop));
    await stop();
    await store.close();
    return told;
  };

  it.each(DAMAGES)(
    'is read later where a file is large, which tells that the disk has changed %s',
    async (_, file, sql, message) => {
      changed(file, sql);
      const told = await toldOf((stopWhenTold) => stopWhenTold());
      expect(told[0]).toMatch(message);
    },
  );

  it('is left at once by who reads it later', async () => {
    expect(await toldOf(() => Promise.resolve())).toEqual([]);
  });
});

describe('the files of a folder', () => {
  const ledger = (id: string, status = 'captured') =>
    changed(
      'documents.db',
      `INSERT INTO "c_payment-ledger" (id, version, body, checksum) VALUES ('${id}', 1, '{"status":"${status}"}', 0)`,
    );
  const event = (type: string, stream: string, data = '{}') =>
    changed(
      'events.db',
      `INSERT INTO events (stream, revision, category, type, data, metadata) VALUES ('${stream}', 0, 'order', '${type}', '${data}', '{}')`,
    );

  it('are of one moment where the ledger has what was paid, and the log what was charged', () => {
    expect(() => refuseMixed(folder)).not.toThrow();
    event('OrderPaid', 'order-a1');
    ledger('a1');
    expect(() => refuseMixed(folder)).not.toThrow();
  });

  it('are refused where the documents are older than the log', () => {
    event('OrderPaid', 'order-a1');
    expect(() => refuseMixed(folder)).toThrow('order-a1 is paid by events.db, and documents.db has no charge of it');
    expect(() => refuseMixed(folder)).toThrow(UnusableFile);
  });

  it('are refused where the ledger does not know how the last order ended that was given up', () => {
    event('BookingCheckoutAbandoned', 'booking-b1', '{"orderId":"a1"}');
    expect(() => refuseMixed(folder)).toThrow('order-a1 failed by events.db, and documents.db does not know how');
    ledger('a1', 'refused');
    expect(() => refuseMixed(folder)).not.toThrow();
  });

  it('are refused where the ledger has not given back what was of the last order that was cancelled', () => {
    const refund = (status: string) =>
      changed(
        'documents.db',
        `INSERT INTO "c_payment-refunds" (id, version, body, checksum) VALUES ('a1', 1, '{"status":"${status}"}', 0)`,
      );
    event('OrderCancelled', 'order-a2', '{"refundId":null}');
    expect(() => refuseMixed(folder)).not.toThrow();
    event('OrderCancelled', 'order-a1', '{"refundId":"r"}');
    expect(() => refuseMixed(folder)).toThrow('order-a1 is cancelled by events.db, and documents.db has no refund');
    refund('refunded');
    expect(() => refuseMixed(folder)).not.toThrow();
  });

  it('are refused where the documents are new', () => {
    changed('documents.db', 'DELETE FROM collections');
    expect(() => refuseMixed(folder)).toThrow('documents.db is new, and events.db is not. Put both back');
  });

  it('are refused where the log does not know what was charged last', () => {
    event('OrderPlaced', 'order-a1');
    ledger('a1');
    ledger('a2');
    expect(() => refuseMixed(folder)).toThrow('order-a2 is charged by documents.db, and events.db does not know it');
  });
});
