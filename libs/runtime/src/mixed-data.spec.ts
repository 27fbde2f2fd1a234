import { join } from 'node:path';
import { EmbeddedDocuments } from '#documents';
import { Aggregates, EmbeddedEventStore } from '#event-store';
import { delegations } from '#mandate';
import { RandomIds, systemContext } from '#kernel';
import { UnusableFile } from '#sqlite';
import { FixedClock, ownFolders } from '#testing';
import Libsql from 'libsql';
import { refuseMixed } from './mixed-data.js';

const newFolder = ownFolders();
it('a log and a ledger are compared also where a name has become noise, which ends no process', async () => {
  const folder = newFolder();
  const [file, clock] = [join(folder, 'events.db'), new FixedClock()];
  const events = await EmbeddedEventStore.open({ file });
  const documents = await EmbeddedDocuments.open({ file: join(folder, 'documents.db'), durability: 'full', clock });
  await documents.prepare({ name: 'payment-ledger', indexes: [] });
  const consent = { type: 'AuthorizeAgent', holder: 'ana', clientId: 'a', grantId: 'g', scopes: [] } as const;
  const aggregates = new Aggregates(events, clock, new RandomIds());
  await aggregates.handle(delegations, { holder: 'ana', clientId: 'a' }, consent, systemContext('a test'));
  await events.close();
  await documents.close();
  refuseMixed(folder);

  const db = new Libsql(file);
  db.exec("UPDATE events SET type = 'OrderPaid', stream = CAST(x'6f726465722dfffe' AS TEXT)");
  db.close();
  expect(() => refuseMixed(folder)).toThrow(UnusableFile);
});
