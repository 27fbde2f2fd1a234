import { categoryOf } from '#events';
import { RevisionConflict } from './event-store.errors.js';
import { type EventStore, type EventToAppend, NO_STREAM } from './event-store.port.js';
import { subscriptionContract } from './subscription.contract.js';
import { all, asAppended, endOf, newCategory, numbersOf, sample, samples, upTo } from './testing/sample-events.js';

/** What every event store keeps, whatever it is made of. `open` returns a store; its log may hold other events. */
export const eventStoreContract = (name: string, open: () => Promise<EventStore>): void => {
  describe(`${name} as an event store`, () => {
    let store: EventStore;
    let stream = '';
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.close());
    beforeEach(() => {
      stream = `${newCategory()}-1`;
    });

    const read = (from?: number) => all(store.readStream(stream, from));
    const ids = async () => (await read()).map(({ metadata }) => metadata.eventId);
    const idsOf = (events: readonly EventToAppend[]) => events.map(({ id }) => id);

    it('gives back the bytes that were appended, with stream, revision and position', async () => {
      const events = samples(3);
      const appended = await store.append(stream, NO_STREAM, events);
      const stored = await read();
      expect(stored.map(asAppended)).toEqual(events);
      expect(stored.map((event) => [event.stream, event.revision])).toEqual(upTo(3).map((n) => [stream, n]));
      expect(appended.revision).toBe(2);
      expect([null, stored[2]?.position]).toContain(appended.position);
    });

    it('has nothing of a stream that does not exist', async () => {
      expect(await read()).toEqual([]);
      expect(await read(7)).toEqual([]);
    });

    it('reads a stream of many pages from any revision on', async () => {
      for (let from = 0; from < 1_000; from += 250) await store.append(stream, from - 1, samples(250, from));
      expect(numbersOf(await read())).toEqual(upTo(1_000));
      expect((await read(998)).map(({ revision }) => revision)).toEqual([998, 999]);
      expect(await read(1_000)).toEqual([]);
    });

    it('keeps every character and large data as they were', async () => {
      const text = 'São Paulo ✈ Ünïcode 🛫 \u0000\u2028 "aspas" \\ 東京';
      const events = [
        sample({ text, nested: [{ null: null, no: false, real: 1.5e-7 }] }),
        sample({ x: 'é'.repeat(32_768) }),
      ];
      await store.append(stream, NO_STREAM, events);
      expect((await read()).map(asAppended)).toEqual(events);
    });

    it('refuses an append at any revision but the last', async () => {
      await store.append(stream, NO_STREAM, samples(2));
      for (const wrong of [NO_STREAM, 0, 2, 9]) {
        await expect(store.append(stream, wrong, [sample()])).rejects.toBeInstanceOf(RevisionConflict);
      }
      await expect(store.append(`${stream}0`, 0, [sample()])).rejects.toBeInstanceOf(RevisionConflict);
      expect(await read()).toHaveLength(2);
    });

    it('lets exactly one of 20 writers at one revision win', async () => {
      await store.append(stream, NO_STREAM, [sample()]);
      const attempts = upTo(20).map((n) => store.append(stream, 0, [sample({ n })]));
      const outcomes = await Promise.allSettled(attempts);
      const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(lost).toHaveLength(19);
      for (const { reason } of lost) expect(reason).toBeInstanceOf(RevisionConflict);
      const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
      expect(numbersOf(await read(1))).toEqual([winner]);
    });

    it('writes all events of an append or none', async () => {
      await store.append(stream, NO_STREAM, [sample()]);
      await Promise.allSettled(upTo(8).map((n) => store.append(stream, 0, samples(5, n * 5))));
      const numbers = numbersOf(await read(1));
      const first = Number(numbers[0]);
      expect(numbers).toEqual(upTo(5).map((n) => first + n));
      expect(first % 5).toBe(0);
    });

    it('answers success when identical events are sent again, and writes nothing (rule 12)', async () => {
      const events = samples(2);
      const first = await store.append(stream, NO_STREAM, events);
      expect((await store.append(stream, NO_STREAM, events)).revision).toBe(first.revision);
      expect(await ids()).toEqual(idsOf(events));
    });

    it('answers success to identical events also when the stream has moved on (rule 12)', async () => {
      const events = samples(2);
      await store.append(stream, NO_STREAM, [sample()]);
      await store.append(stream, 0, events);
      await store.append(stream, 2, samples(3));
      expect((await store.append(stream, 0, events)).revision).toBe(2);
      expect(await read()).toHaveLength(6);
    });

    it('answers success to both when identical events are sent twice at once', async () => {
      const events = samples(2);
      const outcomes = await Promise.all([
        store.append(stream, NO_STREAM, events),
        store.append(stream, NO_STREAM, events),
      ]);
      expect(outcomes.map(({ revision }) => revision)).toEqual([1, 1]);
      expect(await ids()).toEqual(idsOf(events));
    });

    it('takes other events at a written revision for a conflict, though some be the same', async () => {
      const [one, two] = samples(2);
      if (!one || !two) throw new Error('two events');
      await store.append(stream, NO_STREAM, [one, two]);
      for (const other of [[sample()], [one, sample()], [sample(), two], [two, one], [one, two, sample()]]) {
        await expect(store.append(stream, NO_STREAM, other)).rejects.toBeInstanceOf(RevisionConflict);
      }
      expect(await ids()).toEqual(idsOf([one, two]));
    });

    it('reads everything in pages, with the stored bytes', async () => {
      const events = samples(300);
      await store.append(stream, NO_STREAM, events);
      const raw = (await all(store.readPages(null))).flat().filter((event) => event.stream === stream);
      expect(raw.map(({ type, data, metadata }) => [type, data, metadata])).toEqual(
        events.map(({ type, data, metadata }) => [type, data, metadata]),
      );
      const read = await all(store.readStream(stream));
      expect(raw.map(({ revision, position }) => [revision, position])).toEqual(
        read.map(({ revision, position }) => [revision, position]),
      );
    });

    it('reads where everything stands but a category, with its hash', async () => {
      const other = `${newCategory()}-1`;
      const after = await endOf(store);
      for (const n of upTo(300)) await store.append(`${n % 3 === 0 ? stream : other}${n}`, NO_STREAM, [sample({ n })]);
      const pages = await all(store.readPlaces(after, categoryOf(other)));
      const places = pages.flatMap((page) => page.places).filter((place) => place.stream.startsWith(stream));
      expect(pages.flatMap((page) => page.places.map((place) => categoryOf(place.stream)))).not.toContain(
        categoryOf(other),
      );
      const read = (await all(store.readAll(after))).filter((event) => event.stream.startsWith(stream));
      expect(places).toEqual(
        read.map(({ stream: name, revision, metadata: { hash }, position }) => ({
          stream: name,
          revision,
          hash,
          position,
        })),
      );
      expect(pages.at(-1)?.upTo).toBe((await store.head())?.position);
    });

    it('reads all streams in one order after a checkpoint, and its positions ascend as strings', async () => {
      const after = await endOf(store);
      for (const n of upTo(300)) await store.append(`${stream}${n % 3}`, Math.floor(n / 3) - 1, [sample({ n })]);
      const found = (await all(store.readAll(after))).filter((event) => event.stream.startsWith(stream));
      expect(numbersOf(found)).toEqual(upTo(300));
      const positions = found.map(({ position }) => position);
      expect(positions).toEqual([...new Set(positions)].sort());
      for (const position of positions) expect(position).toMatch(/^\d{20}$/);
    });

    it('reads the whole log from the beginning', async () => {
      const events = samples(3);
      await store.append(stream, NO_STREAM, events);
      const found = (await all(store.readAll(null))).filter((event) => event.stream === stream);
      expect(found.map(asAppended)).toEqual(events);
    });

    it('knows the last event of the log', async () => {
      await store.append(stream, NO_STREAM, samples(2));
      expect((await read(1))[0]).toMatchObject({ ...(await store.head()) });
    });
  });

  subscriptionContract(name, open);
};
