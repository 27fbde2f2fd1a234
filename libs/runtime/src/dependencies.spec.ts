import { readConfig } from '#config';
import { type Document, DocumentsUnavailable } from '#documents';
import { RandomIds } from '#kernel';
import { FixedClock } from '#testing';
import { MemoryDocuments } from '../../documents/src/testing/index.js';
import { MemoryEventStore } from '../../event-store/src/testing/index.js';
import { dependenciesOn, oauthSettings } from './dependencies.js';
import { createLogger } from './logger.js';

/** Time in which nobody has to wait. */
class QuickClock extends FixedClock {
  override sleep(): Promise<void> {
    return Promise.resolve();
  }
}

/** Documents of a server that is away whenever it is asked something for the first time. */
class LateDocuments extends MemoryDocuments {
  readonly asked = new Set<string>();
  override get<Body>(name: string, id: string): Promise<Document<Body> | null> {
    if (this.asked.has(`${name} ${id}`)) return super.get(name, id);
    this.asked.add(`${name} ${id}`);
    return Promise.reject(new DocumentsUnavailable('it is away'));
  }
}

describe('the settings of the authorization server', () => {
  it('make a guess at a password cost enough by default: scrypt at N = 2^15, r = 8, p = 3', () => {
    expect(oauthSettings(readConfig({})).passwordCost).toEqual({ N: 32_768, r: 8, p: 3 });
  });
});

describe('a start', () => {
  it('waits for servers that go away in its middle', async () => {
    const clock = new QuickClock();
    const [documents, readModelStore] = [new LateDocuments(clock), new LateDocuments(clock)];
    const stores = { events: new MemoryEventStore(), documents, readModelStore };
    const ports = { clock, ids: new RandomIds(), ...stores, projecting: null, growing: null, checking: null };
    await dependenciesOn(ports, readConfig({}), createLogger('silent'));
    for (const secret of ['card-fingerprints', 'idempotency', 'tlog-pseudonyms', 'snapshots', 'traffic', 'locators'])
      expect(documents.asked).toContain(`secrets ${secret}`);
  });
});
