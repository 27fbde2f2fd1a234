import Libsql from 'libsql';
import { StreamDamaged } from './event-store.errors.js';
import { eventOf, eventRows } from './event-rows.embedded.js';

it('a row whose columns were lost has no name, and is no event', () => {
  const db = new Libsql(':memory:');
  db.exec('CREATE TABLE events (position INTEGER PRIMARY KEY, stream, revision, type, data, metadata, category)');
  db.exec('INSERT INTO events (position, stream) VALUES (1, NULL), (2, 7)');
  const rows = eventRows(db).between(0, 2);
  const nothing = { revision: -1, type: '', data: '', metadata: '' };
  expect(rows).toEqual([
    { position: 1, stream: '', ...nothing },
    { position: 2, stream: '7', ...nothing },
  ]);
  for (const row of rows) expect(() => eventOf(row)).toThrow(StreamDamaged);
  db.close();
});
