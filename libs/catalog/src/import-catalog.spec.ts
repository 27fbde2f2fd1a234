import { join } from 'node:path';
import { EmbeddedDocuments } from '#documents';
import { Aggregates, EmbeddedEventStore } from '#event-store';
import { RandomIds } from '#kernel';
import { FixedClock, ownFolders } from '#testing';
import { readCatalogFile } from './catalog-file.js';
import { importCatalog, importCatalogAlone } from './import-catalog.js';
import { sampleFare, sampleFlight, withoutDate } from './testing/index.js';
import { flights } from './flight.decider.js';

const newFolder = ownFolders();
let folder: string;
let log: EmbeddedEventStore;
let aggregates: Aggregates;

beforeEach(async () => {
  folder = newFolder();
  log = await EmbeddedEventStore.open({ file: join(folder, 'events.db') });
  aggregates = new Aggregates(log, new FixedClock(), new RandomIds());
});
afterEach(() => log.close());

/** `<stream> <type>` of every event in the log. */
const logged = async (): Promise<readonly string[]> => {
  const lines: string[] = [];
  for await (const { stream, type } of log.readAll(null)) lines.push(`${stream} ${type}`);
  return lines;
};

const recife = sampleFlight();
const natal = sampleFlight({
  flightNumber: 'AL4031',
  slug: 'sao-paulo-gru-natal-nat-al4031',
  to: 'NAT',
  toCity: 'Natal',
});
const dearer = { ...recife, fares: [sampleFare({ price: 999_90 })] };

describe('importing a catalogue', () => {
  it('puts every flight on sale', async () => {
    const catalog = (await readCatalogFile()).map(withoutDate);
    await importCatalog(aggregates, catalog);
    expect(new Set(await logged())).toEqual(
      new Set(catalog.map(({ flightNumber }) => `${flights.streamOf(flightNumber)} FlightScheduled`)),
    );
    // Those that ship are timetables by now, which withdraw what was on sale without a date.
    await importCatalog(aggregates, await readCatalogFile());
    expect((await logged()).slice(catalog.length).sort()).toEqual(
      [
        'days-on-sale DaysOpened',
        ...catalog.map(({ flightNumber }) => `timetable-${flightNumber} TimetableScheduled`),
      ].sort(),
    );
  });

  it('asks a log about few flights at a time, however many there are', async () => {
    let [reading, most] = [0, 0];
    const readStream = log.readStream.bind(log);
    Object.assign(log, {
      readStream: async function* (...asked: Parameters<typeof readStream>) {
        most = Math.max(most, (reading += 1));
        await new Promise(setImmediate);
        yield* readStream(...asked);
        reading -= 1;
      },
    });
    const many = Array.from({ length: 200 }, (_, n) => sampleFlight({ flightNumber: `AL${1_000 + n}` }));
    await importCatalog(aggregates, many);
    expect(await logged()).toHaveLength(200);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(100); // a flight, and the timetable that it might have
  });

  it('does nothing the second time, also in a process that starts anew', async () => {
    await importCatalog(aggregates, [recife, natal]);
    await importCatalog(aggregates, [recife, natal]);
    await importCatalog(new Aggregates(log, new FixedClock(), new RandomIds()), [natal, recife]);
    expect(await logged()).toHaveLength(2);
  });

  it('reprices fares that changed and adds flights that are new', async () => {
    await importCatalog(aggregates, [recife]);
    await importCatalog(aggregates, [dearer, natal]);
    expect([...(await logged())].sort()).toEqual([
      'flight-AL4012 FaresRepriced',
      'flight-AL4012 FlightScheduled',
      'flight-AL4031 FlightScheduled',
    ]);
  });

  it('leaves flights on sale that are missing from it', async () => {
    await importCatalog(aggregates, [recife, natal]);
    await importCatalog(aggregates, [natal]);
    expect(await logged()).toHaveLength(2);
  });

  it('is refused whole, naming flight and field, where a flight on sale would change otherwise', async () => {
    await importCatalog(aggregates, [recife]);
    const changed = { ...dearer, seats: 11 };
    await expect(importCatalog(aggregates, [natal, changed])).rejects.toThrow('flight AL4012: seats differs');
    expect(await logged()).toEqual(['flight-AL4012 FlightScheduled']);
  });

  it('imports once where two processes start at the same time', async () => {
    const other = new Aggregates(log, new FixedClock(), new RandomIds());
    await Promise.all([importCatalog(aggregates, [recife, natal]), importCatalog(other, [recife, natal])]);
    expect(await logged()).toHaveLength(2);
  });
});

describe('importing a catalogue where nobody else does', () => {
  let documents: EmbeddedDocuments;
  beforeEach(async () => {
    documents = await EmbeddedDocuments.open({
      file: join(folder, 'documents.db'),
      durability: 'full',
      clock: new FixedClock(),
    });
  });
  afterEach(() => documents.close());

  /** Imports in a process that starts anew; answers which streams it read. */
  const start = async (catalog = [recife, natal], events = log): Promise<readonly string[]> => {
    const streams: string[] = [];
    const read = events.readStream.bind(events);
    events.readStream = (stream, fromRevision) => {
      streams.push(stream);
      return read(stream, fromRevision);
    };
    await importCatalogAlone(new Aggregates(events, new FixedClock(), new RandomIds()), events, documents, catalog);
    events.readStream = read;
    return streams;
  };

  it('reads one event, and no flight’s stream, where the same catalogue was the last one', async () => {
    await start();
    const head = await log.head();
    expect(await start()).toEqual([head?.stream]);
    expect(await logged()).toHaveLength(2);
  });

  it('imports one that differs, and then the former one again', async () => {
    await start();
    await start([dearer, natal]);
    await start();
    expect(await logged()).toEqual(expect.arrayContaining(['flight-AL4012 FaresRepriced']));
    expect(await logged()).toHaveLength(4);
    expect(await start()).toHaveLength(1);
  });

  it('refuses what the ordinary import refuses, at each start', async () => {
    await start();
    const changed = [{ ...recife, seats: 11 }, natal];
    await expect(start(changed)).rejects.toThrow('flight AL4012: seats differs');
    await expect(start(changed)).rejects.toThrow('flight AL4012: seats differs');
  });

  it('imports into a log that was put back from before', async () => {
    await start();
    const older = await EmbeddedEventStore.open({ file: join(folder, 'older.db') });
    await importCatalog(new Aggregates(older, new FixedClock(), new RandomIds()), [recife]);
    await start([recife, natal], older);
    expect((await older.head())?.stream).toBe('flight-AL4031');
    await older.close();
  });
});
