import { ownFolders, until } from '#testing';
import { flightsProjection, importCatalog, readCatalogFile } from '#catalog';
import { Locators } from '#checkout';
import { readConfig } from '#config';
import { Aggregates, BEGINNING, NO_STREAM, type Position, StoreUnavailable } from '#event-store';
import { Outbox } from '#outbox';
import { type FoldedBatch, ProjectionStopped, ReadModels, standings } from '#read-models';
import { closePorts, openEmbeddedPorts, type Ports } from './ports.js';
import { PROJECTIONS } from './projections.js';
import { withoutDate } from '../../catalog/src/testing/index.js';

const newFolder = ownFolders();
const readOnly = (ports: Ports): Ports => {
  const putGuarded = () => Promise.reject(new StoreUnavailable('not from here'));
  Object.assign(ports.readModelStore, { putGuarded });
  return ports;
};

describe('projections in a thread of their own', () => {
  let folder: string;
  let ports: Ports;
  let readModels: ReadModels;
  let errors: readonly (readonly [string, unknown])[];
  let batches: readonly FoldedBatch[];

  const open = async (): Promise<void> => {
    ports = readOnly(await openEmbeddedPorts(readConfig({ DATA_DIR: folder, ALLOW_MIXED_DATA: 'on' })));
    const onError = (projection: string, error: unknown) => void (errors = [...errors, [projection, error]]);
    const onBatch = (batch: FoldedBatch) => void (batches = [...batches, batch]);
    const { events, readModelStore, clock, projecting } = ports;
    if (!projecting) throw new Error('there is no thread');
    readModels = new ReadModels(events, readModelStore, PROJECTIONS, clock, onError, onBatch, projecting);
  };
  const close = async (): Promise<void> => {
    await readModels.stop();
    await closePorts(ports);
  };
  /** Schedules the flights of the catalogue, but for the last `less`; answers where the log ends. */
  const scheduleFlights = async (less = 0): Promise<Position> => {
    const catalog = (await readCatalogFile()).map(withoutDate);
    await importCatalog(new Aggregates(ports.events, ports.clock, ports.ids), catalog.slice(0, catalog.length - less));
    return (await ports.events.head())?.position ?? BEGINNING;
  };
  const flightsIn = () => ports.readModelStore.count(readModels.collectionOf(flightsProjection), { where: [] });

  beforeEach(async () => {
    [errors, batches] = [[], []];
    folder = newFolder();
    await open();
  });
  afterEach(() => close());

  it('hold what the log held at the start, and what comes later, and say so once the documents show it', async () => {
    const before = await scheduleFlights(1);
    await readModels.start();
    await readModels.caughtUp(before);
    const { length } = await readCatalogFile();
    expect(await flightsIn()).toBe(length - 1);
    const version = readModels.versionOf(flightsProjection);
    expect(version?.upTo).toBe(before);
    await readModels.caughtUp(await scheduleFlights());
    expect(await flightsIn()).toBe(length);
    expect(readModels.versionOf(flightsProjection)).not.toEqual(version);
    expect(errors).toEqual([]);
  });

  it('have the public events written beside them, up to the end of the log', async () => {
    await readModels.start();
    const outbox = new Outbox(ports.events, ports.readModelStore, new Locators(Buffer.alloc(32)));
    const end = await scheduleFlights();
    await until(async () => ((await outbox.end()) ?? '') > end);
    expect(errors).toEqual([]);
  });

  it('tell of each batch what it folded, and how long it took', async () => {
    await readModels.start();
    await readModels.caughtUp(await scheduleFlights());
    const folded = () => batches.filter(({ projection }) => projection === 'flights');
    const events = () => folded().reduce((sum, batch) => sum + batch.events, 0);
    const flights = await flightsIn();
    // What a batch took is told after what it wrote.
    await until(() => Promise.resolve(events() >= flights));
    expect(events()).toBe(flights);
    for (const { outcome, causes, seconds } of folded()) {
      expect([outcome, causes.length > 0, seconds >= 0]).toEqual(['folded', true, true]);
    }
  });

  it('stop at an event that cannot be read, with the error that says where, while the others go on', async () => {
    await readModels.start();
    await readModels.caughtUp(await scheduleFlights());
    const metadata = JSON.stringify({ eventId: 'e', schemaVersion: 1, hash: '' });
    const strange = { id: 'e', type: 'BookingTeleported', data: '{}', metadata };
    const { position } = await ports.events.append('booking-b1', NO_STREAM, [strange]);
    await expect(readModels.caughtUp(position ?? '')).rejects.toThrow(ProjectionStopped);
    const stopped = PROJECTIONS.filter(({ from }) => from.some(({ category }) => category === 'booking'));
    expect(errors.map(([projection]) => projection).sort()).toEqual(stopped.map(({ name }) => name).sort());
    for (const [, error] of errors) {
      expect(error).toBeInstanceOf(ProjectionStopped);
      expect((error as Error).message).toContain('BookingTeleported');
    }
    expect(await readModels.waitFor({ category: 'flight' }, position, 60_000)).toBe(true);
    expect(await readModels.waitFor({ category: 'booking' }, position, 60_000)).toBe(false);
  });

  it('finish what is under way when they are stopped, and go on there after the next start', async () => {
    await readModels.start();
    const end = await scheduleFlights();
    await close();
    await open();
    await readModels.start();
    await readModels.caughtUp(end);
    const folded = batches.filter(({ projection }) => projection === 'flights');
    expect(folded.reduce((sum, { events }) => sum + events, 0)).toBe(await flightsIn());
    await close();
    await open();
    const standing = await standings(ports.events, ports.readModelStore, PROJECTIONS, ports.clock.now());
    expect(standing.find(({ projection }) => projection === 'flights')?.lag.distance).toBe(0);
  });
});
