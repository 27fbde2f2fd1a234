import { Connection, withAllSeeds } from './connection.eventstoredb.js';
import { UnusableUrl } from './event-store.errors.js';
import { EventStoreDb } from './event-store.eventstoredb.js';

const refused = (url: string): unknown => {
  try {
    EventStoreDb.open({ url });
  } catch (error) {
    return error;
  }
  throw new Error('it was taken');
};

describe('The URL of the event store', () => {
  it.each(['', 'http://localhost:2113', 'esdb://admin:open-sesame@host:port', 'esdb://admin:open-sesame@a:1:2'])(
    'is refused at once where it cannot be used, without telling the password: %s',
    (url) => {
      const error = refused(url);
      expect(error).toBeInstanceOf(UnusableUrl);
      expect(JSON.stringify([String(error), error])).not.toContain('sesame');
      expect((error as UnusableUrl).cause).toBeUndefined();
    },
  );

  it('is refused where it names a certificate that is not there', () => {
    expect(String(refused('esdb://localhost:2113?tls=true&tlsCAFile=/no/such/ca.crt'))).toMatch(
      /^UnusableUrl: .*certificate/,
    );
  });

  it.each([
    ['esdb+discover://u:p@a:1,b:2,c:3?tls=false', 'esdb://u:p@a:1,b:2,c:3?tls=false'],
    ['esdb+discover://cluster.example:2113?x=a,b', 'esdb+discover://cluster.example:2113?x=a,b'],
    ['esdb://a:1,b:2', 'esdb://a:1,b:2'],
  ])('has every host of a cluster asked for its leader: %s', (url, used) => {
    expect(withAllSeeds(url)).toBe(used);
  });

  it('may be that of a cluster that nobody leads, while calls fail', async () => {
    const url = 'esdb://127.0.0.1:9,127.0.0.1:9?tls=false&maxDiscoverAttempts=1&discoveryInterval=1';
    const connection = new Connection(url);
    const { client } = connection.line;
    const call = { getChannel: () => null } as never;
    const failed = Object.assign(new Error('gone'), { code: 14, details: '' });
    // It fails while the client looks for who leads now.
    await expect(client['handleError'](call, failed)).resolves.toBeUndefined();
    await expect(client['getChannel']()).rejects.toThrow('discover');
    connection.close();
  });

  it('may be that of a server that is not there yet', async () => {
    const store = EventStoreDb.open({ url: 'esdb://127.0.0.1:9?tls=false' });
    await expect(store.head()).rejects.toMatchObject({ name: 'StoreUnavailable' });
    await store.close();
  });
});
