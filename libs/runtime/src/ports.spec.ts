import { join } from 'node:path';
import { readConfig } from '#config';
import { DocumentsUnavailable, EmbeddedDocuments } from '#documents';
import { EmbeddedEventStore, NO_STREAM, positionOf, StoreUnavailable } from '#event-store';
import { SystemClock } from '#kernel';
import { FixedClock, ManualClock, ownFolders } from '#testing';
import { sample } from '../../event-store/src/testing/index.js';
import { announced, openPortsToRead, retryUntilAvailable } from './ports.js';
import { operatorMessage } from './run-process.js';

const newFolder = ownFolders();
const clock = new SystemClock();

describe('a start', () => {
  it('waits for a store that is not there yet', async () => {
    const failures = [new StoreUnavailable('no connection'), new DocumentsUnavailable('no connection')];
    const work = () => {
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve('there');
    };
    expect(await retryUntilAvailable(clock, 'the event log', work)).toBe('there');
    expect(failures).toEqual([]);
  });

  it('says what it waits for, once that takes long', async () => {
    const [told, passing] = [[] as string[], new ManualClock()];
    const soon = announced(
      passing,
      'the event log',
      () => Promise.resolve('there'),
      (line) => told.push(line),
    );
    expect(await soon).toBe('there');
    passing.advance(60_000);
    expect(told).toEqual([]);
    let open: (value: string) => void = () => undefined;
    const opening = new Promise<string>((resolve) => (open = resolve));
    const late = announced(
      passing,
      'MongoDB',
      () => opening,
      (line) => told.push(line),
    );
    passing.advance(2_000);
    expect(told).toEqual(['Waits for MongoDB\n']);
    open('there');
    expect(await late).toBe('there');
  });

  it('tells the operator of a store that goes away, and shows no stack for it', () => {
    const message = operatorMessage(new DocumentsUnavailable('MongoDB did not answer within 5000 ms'));
    expect(message).toContain('MongoDB did not answer within 5000 ms');
    expect(operatorMessage(new TypeError('a fault'))).toBeNull();
  });

  it('does not wait for what waiting does not mend', async () => {
    const work = () => Promise.reject(new Error('a fault'));
    await expect(retryUntilAvailable(clock, 'the event log', work)).rejects.toThrow('a fault');
  });
});

describe('a folder that was put by', () => {
  it('still says what its projections deleted last, long afterwards', async () => {
    const folder = newFolder();
    const events = await EmbeddedEventStore.open({ file: join(folder, 'events.db') });
    await events.append('things-1', NO_STREAM, [sample()]);
    const then = (await events.head())?.metadata.occurredAt;
    await events.close();
    for (const name of ['documents.db', 'read-models.db']) {
      const file = await EmbeddedDocuments.open({
        file: join(folder, name),
        durability: 'normal',
        clock: new FixedClock(then),
      });
      await file.prepare({ name: 'list', indexes: [] });
      await file.putGuarded('list', [{ id: 'one', body: null, position: positionOf(1), isNew: true }]);
      await file.close();
    }
    const ports = await openPortsToRead(readConfig({ DATA_DIR: folder }));
    await ports.readModelStore.prepare({ name: 'list', indexes: [] });
    await ports.documents.prepare({ name: 'list', indexes: [] });
    expect(await ports.readModelStore.getGuarded('list', ['one'])).toMatchObject([{ id: 'one', body: null }]);
    await ports.events.close();
    await ports.documents.close();
    await ports.readModelStore.close();
  });
});
