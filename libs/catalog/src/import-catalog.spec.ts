import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Aggregates, EmbeddedEventStore } from '#event-store';
import { RandomIds } from '#kernel';
import { FixedClock } from '#testing';
import { readCatalogFile } from './catalog-file.js';
import { importCatalog } from './import-catalog.js';
import { sampleFare, sampleFlight } from './testing/index.js';
import { flights } from './flight.decider.js';

let folder: string;
let log: EmbeddedEventStore;
let aggregates: Aggregates;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-'));
  log = await EmbeddedEventStore.open({ file: join(folder, 'events.db') });
  aggregates = new Aggregates(log, new FixedClock(), new RandomIds());
});
afterEach(async () => {
  await log.close();
  await rm(folder, { recursive: true });
});

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
    await importCatalog(aggregates, await readCatalogFile());
    const catalog = await readCatalogFile();
    expect(new Set(await logged())).toEqual(
      new Set(catalog.map(({ flightNumber }) => `${flights.streamOf(flightNumber)} FlightScheduled`)),
    );
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
