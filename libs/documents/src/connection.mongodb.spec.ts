import { FixedClock } from '#testing';
import { Connection } from './connection.mongodb.js';
import { MongoDocuments } from './documents.mongodb.js';
import { DocumentsUnavailable, UnusableDatabase } from './documents.port.js';
import { overMongoDb } from './testing/mongodb.js';

const clock = new FixedClock();
const NOTES = { name: 'notes', indexes: [] };

overMongoDb('a connection to MongoDB', ({ url, name, open, openEmpty }) => {
  it('asks for a majority, the journal and the primary, whatever the URL says', async () => {
    const weak = `${url}${url.includes('?') ? '&' : '/?'}w=0&readPreference=secondary&readConcernLevel=local`;
    const connection = await Connection.open({ url: weak, database: name });
    const asked = await connection.ask(async (database) => {
      await database.command({ ping: 1 });
      return database;
    });
    expect(asked.writeConcern).toMatchObject({ w: 'majority', journal: true });
    expect(asked.readConcern).toEqual({ level: 'majority' });
    expect(asked.readPreference.mode).toBe('primary');
    await connection.close();
  });

  it('tells of a socket at its end, which the driver passes on as it is, as of everything that is unavailable', async () => {
    const connection = await Connection.open({ url, database: name });
    const ended = Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' });
    await expect(connection.ask(() => Promise.reject(ended))).rejects.toThrow(DocumentsUnavailable);
    const ours = new TypeError('not a value');
    await expect(connection.ask(() => Promise.reject(ours))).rejects.toBe(ours);
    await connection.close();
  });

  it('takes nothing after its end, which waits for what is under way', async () => {
    const store = await openEmpty(clock);
    await store.prepare(NOTES);
    const writes = Array.from({ length: 20 }, (_, place) => store.insert('notes', `a${place}`, {}));
    const extra = await open(clock);
    await Promise.all([store.close(), Promise.all(writes)]);
    await extra.prepare(NOTES);
    expect(await extra.count('notes', { where: [] })).toBe(20);
    await expect(store.get('notes', 'a1')).rejects.toThrow('closed');
  });
});

describe('a MongoDB that is not there', () => {
  const options = { clock, timeout: 200, patience: 300 };

  it('ends the start in bounded time, naming its host and not its password', async () => {
    const opening = MongoDocuments.open({ ...options, url: 'mongodb://alcada:s3cret@127.0.0.1:1/alcada' });
    await expect(opening).rejects.toThrow(UnusableDatabase);
    await expect(opening).rejects.toThrow('127.0.0.1:1');
    await expect(opening).rejects.not.toThrow('s3cret');
  });

  it.each(['http://u:s3cret@host/', 'mongodb://u:s3cret@', 'mongodb://u:s3:c@ret@host/?bad'])(
    'is told of an address that is none, without what may be a password: %s',
    async (url) => {
      const opening = MongoDocuments.open({ ...options, url });
      await expect(opening).rejects.toThrow(UnusableDatabase);
      await expect(opening).rejects.not.toThrow(/s3/);
    },
  );
});
