import type { EventStore, Position } from '#event-store';
import { categoryOf, type EventData, trafficLog } from '#events';
import { FIRST_HASH, loggedEvent, type Sealed, type TransparencyLog } from '#transparency';
import {
  type About,
  base64,
  BUNDLE_FORMAT,
  type BundledEvent,
  bundleLine,
  type ByKey,
  type LoggedEvent,
} from '#verifier';

const textIn = (data: EventData, name: string): readonly string[] => {
  const value = data[name];
  return typeof value === 'string' ? [value] : [];
};

/** The streams about a mandate: its own, its delegation's, and those of its orders and what they bought. */
const streamsOfMandate = async (mandateId: string, events: EventStore): Promise<readonly string[]> => {
  const streams = new Set([`mandate-${mandateId}`]);
  for await (const { data } of events.readStream(`mandate-${mandateId}`)) {
    for (const holder of textIn(data, 'holder'))
      for (const clientId of textIn(data, 'clientId'))
        for (const stream of letBy(holder, clientId)) streams.add(stream);
    for (const bookingId of textIn(data, 'bookingId')) streams.add(`booking-${bookingId}`);
    for (const orderId of textIn(data, 'orderId')) {
      streams.add(`order-${orderId}`);
      // A release that kept a late reservation out names its order alone.
      for await (const placed of events.readStream(`order-${orderId}`))
        for (const bookingId of textIn(placed.data, 'bookingId')) streams.add(`booking-${bookingId}`);
    }
  }
  return [...streams];
};

/** The streams about an order: its own, those of what it bought and of the mandate that paid, and the delegation's. */
const streamsOfOrder = async (orderId: string, events: EventStore): Promise<readonly string[]> => {
  const streams = new Set([`order-${orderId}`]);
  for await (const { data } of events.readStream(`order-${orderId}`)) {
    for (const bookingId of textIn(data, 'bookingId')) streams.add(`booking-${bookingId}`);
    for (const mandateId of textIn(data, 'mandateId')) streams.add(`mandate-${mandateId}`);
    for (const holder of textIn(data, 'holder'))
      for (const clientId of textIn(data, 'clientId'))
        for (const stream of letBy(holder, clientId)) streams.add(stream);
  }
  return [...streams];
};

/** The streams of one traveller, found by reading the log: their agents, and what these booked, were granted and bought. */
const streamsOfHolder = async (holder: string, events: EventStore): Promise<readonly string[]> => {
  const streams = new Set<string>();
  for await (const { stream, data } of events.readAll(null)) {
    if (OF_A_HOLDER.includes(categoryOf(stream)) && data['holder'] === holder) streams.add(stream);
    if (stream === `pause-${holder}`) streams.add(stream);
  }
  return [...streams];
};

const OF_A_HOLDER = ['delegation', 'mandate', 'booking', 'order'];

/** A traveller's delegation to an agent, and whether they have paused all agents. */
const letBy = (holder: string, clientId: string): readonly string[] => [
  `delegation-${holder}.${clientId}`,
  `pause-${holder}`,
];

/** Events that are read and proven at once; more streams than a bundle is of. */
const [AT_ONCE, STREAMS] = [16, 2 ** 20];

export interface BundleSources {
  readonly events: EventStore;
  readonly log: Pick<TransparencyLog, 'sealed' | 'indexesOf' | 'inclusions' | 'keyedNameOf'>;
}

/** A bundle: what it rests on, and its lines, each with its newline. */
export interface Bundle {
  readonly size: number;
  readonly events: number;
  readonly lines: AsyncIterable<string>;
}

/** There is nothing in the sealed log that a bundle could be made of. The message is for people. */
export class NothingToExport extends Error {
  override readonly name = 'NothingToExport';
}

/** Makes a bundle of what is sealed about something, or `since` a time. @throws NothingToExport; NotSealed while tiles are built */
export const exportBundle = async (about: About, sources: BundleSources): Promise<Bundle> => {
  const sealed = await sources.log.sealed();
  if (!sealed) throw new NothingToExport('nothing is sealed yet');
  const placed = about.since === undefined ? ofStreams(about, sealed, sources) : since(about.since, sealed, sources);
  const { count, events } = await placed;
  if (count === 0) throw new NothingToExport('the sealed log has nothing about it');
  const header = { format: BUNDLE_FORMAT, about, checkpoint: sealed.checkpoint, events: count } as const;
  return { size: sealed.size, events: count, lines: linesOf(bundleLine(header), events, sealed, sources) };
};

interface Placed {
  readonly event: LoggedEvent<ByKey>;
  readonly index: number;
}

interface PlacedEvents {
  readonly count: number;
  readonly events: Iterable<Placed> | AsyncIterable<Placed>;
}

async function* linesOf(
  header: string,
  events: PlacedEvents['events'],
  { size }: Sealed,
  { log }: BundleSources,
): AsyncIterable<string> {
  yield `${header}\n`;
  let prove = log.inclusions(size);
  let lines = 0;
  for await (const { event, index } of events) {
    // What proofs have in common is kept for a few of them: who reads a bundle slowly keeps no more.
    if (lines % AT_ONCE === 0) prove = log.inclusions(size);
    lines += 1;
    const line: BundledEvent = { ...event, index, proof: (await prove(index)).map(base64) };
    yield `${bundleLine(line)}\n`;
  }
}

/** All sealed events of the streams about something, in order. Only their places are kept: eight bytes each. */
const ofStreams = async (about: About, sealed: Sealed, sources: BundleSources): Promise<PlacedEvents> => {
  const { events, log } = sources;
  const streams = await streamsAbout(about, events);
  const places: number[] = [];
  for (const [number, stream] of streams.entries()) {
    const positions: Position[] = [];
    for await (const { position } of events.readStream(stream)) positions.push(position);
    for (const index of await log.indexesOf(positions)) {
      if (index === null || index >= sealed.size) break;
      places.push(index * STREAMS + number);
    }
  }
  return { count: places.length, events: placedIn(streams, Float64Array.from(places).sort(), sealed, sources) };
};

/** Reads the events of a bundle again, a few at a time. `places`: of each its index in the log, and the number of its stream. */
async function* placedIn(
  streams: readonly string[],
  places: Float64Array,
  sealed: Sealed,
  { events, log }: BundleSources,
): AsyncGenerator<Placed> {
  const next = new Uint32Array(streams.length);
  for (let from = 0; from < places.length; from += AT_ONCE) {
    const wanted = places.subarray(from, from + AT_ONCE);
    const read = new Map<number, LoggedEvent<ByKey>[]>();
    for (const place of wanted) read.set(place % STREAMS, []);
    for (const [number, found] of read) {
      const count = wanted.filter((place) => place % STREAMS === number).length;
      const first = next[number] ?? 0;
      let previousHash = FIRST_HASH;
      // The event before the first one has the hash that this one is chained to.
      for await (const event of events.readStream(streams[number] ?? '', Math.max(0, first - 1))) {
        if (event.revision >= first) found.push(loggedEvent(event, previousHash, log.keyedNameOf(event, sealed)));
        previousHash = event.metadata.hash;
        if (found.length === count) break;
      }
      next[number] = first + count;
    }
    for (const place of wanted) {
      const event = read.get(place % STREAMS)?.shift();
      if (!event) throw new Error('an event that was read before is not there');
      yield { event, index: Math.floor(place / STREAMS) };
    }
  }
}

const streamsAbout = async (about: About, events: EventStore): Promise<readonly string[]> => {
  if (about.mandate !== undefined) return streamsOfMandate(about.mandate, events);
  if (about.order !== undefined) return streamsOfOrder(about.order, events);
  return about.holder === undefined ? [] : streamsOfHolder(about.holder, events);
};

/** The end of the log from the first event on that is no older than an instant. */
const since = async (instant: string, sealed: Sealed, { events, log }: BundleSources): Promise<PlacedEvents> => {
  const { size } = sealed;
  const all = async function* (): AsyncIterable<Placed> {
    const hashes = new Map<string, string>();
    let index = 0;
    for await (const event of events.readAll(null)) {
      if (categoryOf(event.stream) === trafficLog.category) continue;
      if (index === size) return;
      const { stream, metadata } = event;
      const previousHash = hashes.get(stream) ?? FIRST_HASH;
      yield { event: loggedEvent(event, previousHash, log.keyedNameOf(event, sealed)), index };
      hashes.set(stream, metadata.hash);
      index += 1;
    }
  };
  let first = size;
  for await (const { event, index } of all()) {
    if (event.metadata.occurredAt < instant) continue;
    first = index;
    break;
  }
  const wanted = async function* (): AsyncIterable<Placed> {
    for await (const placed of all()) if (placed.index >= first) yield placed;
  };
  return { count: size - first, events: wanted() };
};
