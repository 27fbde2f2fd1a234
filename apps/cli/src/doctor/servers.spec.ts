import { encryption, ofEventStoreDb, ofMongoDb } from './servers.js';

const EVENT_STORE = { milliseconds: 1.24, mayRead: true, mayReadAll: true, mayAppend: true };
const MONGO = { milliseconds: 0.81, clockAhead: 12, missing: [], unconfirmed: null };

describe('what the doctor says of EventStoreDB', () => {
  it('is how soon it answers where everything is allowed', () => {
    const says = 'answers in 1.2 ms; reads and appends are allowed';
    expect(ofEventStoreDb(EVENT_STORE)).toEqual([{ what: 'EventStoreDB', state: 'ok', says }]);
    expect(ofEventStoreDb({ ...EVENT_STORE, milliseconds: 20 })).toMatchObject([{ state: 'note' }]);
  });

  it.each([
    [{ mayRead: false }, 'read its streams'],
    [{ mayReadAll: false }, 'read $all (the role $admins, or $r of $all in $settings)'],
    [{ mayAppend: false }, 'append to its streams'],
    [{ mayReadAll: false, mayAppend: false }, '$settings), nor append'],
    [{ mayRead: false, mayReadAll: false, mayAppend: false }, 'it refuses the login of EVENTSTORE_URL'],
  ])('is what its login may not do: %j', (may, said) => {
    const found = ofEventStoreDb({ ...EVENT_STORE, ...may });
    expect(found).toMatchObject([{ state: 'WRONG' }]);
    expect(found[0]?.says).toContain(said);
  });
});

describe('what the doctor says of MongoDB', () => {
  it('is how soon it answers where all is well', () => {
    const says = 'answers in 0.8 ms; all that is needed is allowed, a majority confirms, clocks agree';
    expect(ofMongoDb(MONGO)).toEqual([{ what: 'MongoDB', state: 'ok', says }]);
    expect(ofMongoDb({ ...MONGO, missing: null })).toMatchObject([{ state: 'ok' }]);
  });

  it.each([
    [{ missing: ['createIndex', 'remove'] }, 'may not createIndex, remove: give it the role readWrite'],
    [{ unconfirmed: 'waiting for replication timed out' }, 'no majority confirms a write: waiting for replication'],
    [{ clockAhead: 5_000 }, 'its clock is 5 s ahead'],
    [{ clockAhead: -61_500 }, 'its clock is 61.5 s behind'],
  ])('is what is wrong with it: %j', (look, said) => {
    const found = ofMongoDb({ ...MONGO, ...look });
    expect(found).toMatchObject([{ state: 'WRONG' }]);
    expect(found[0]?.says).toContain(said);
  });
});

describe('what the doctor says of a line', () => {
  it.each([
    ['esdb://nome:segredo@10.0.0.7:2113?tls=false', false, ['note']],
    ['esdb://127.0.0.1:2113,10.0.0.7:2113?tls=false', false, ['note']],
    ['esdb://10.0.0.7:2113', true, []],
    ['mongodb://127.0.0.1:27017/alcada', false, []],
    ['mongodb://localhost,[::1]:27018', false, []],
  ])('is that somebody may listen, where it is in clear and leaves this machine: %s', (url, isEncrypted, states) => {
    const found = encryption('a server', url, isEncrypted);
    expect(found.map(({ state }) => state)).toEqual(states);
    expect(JSON.stringify(found)).not.toContain('segredo');
  });
});
