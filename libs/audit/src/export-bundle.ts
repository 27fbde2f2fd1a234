import type { EventStore, StoredEvent } from '#event-store';
import { categoryOf, trafficLog } from '#events';
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
import { streamsOfHolder, streamsOfMandate, streamsOfOrder } from './streams-about.js';

/** What bundles are made of. */
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

/**
 * Makes a bundle about one thing (docs/audit-format.md), as of what is sealed now: what was written later is not in it.
 * Of a mandate: its stream, the delegation it was opened in, its orders and their bookings; of an order the same, with
 * this order alone; of a holder all of that. `since`: everything in the log from the first event of that time on.
 *
 * @throws NothingToExport; NotSealed where the tiles are being built
 */
export const exportBundle = async (about: About, sources: BundleSources): Promise<Bundle> => {
  const sealed = await sources.log.sealed();
  if (!sealed) throw new NothingToExport('nothing is sealed yet');
  const placed = about.since === undefined ? ofStreams(about, sealed, sources) : since(about.since, sealed, sources);
  const { count, events } = await placed;
  if (count === 0) throw new NothingToExport('the sealed log has nothing about it');
  const header = { format: BUNDLE_FORMAT, about, checkpoint: sealed.checkpoint, events: count } as const;
  return { size: sealed.size, events: count, lines: linesOf(bundleLine(header), events, sealed, sources) };
};

/** An event with its place in the log of logs. */
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
  const prove = log.inclusions(size);
  for await (const { event, index } of events) {
    const line: BundledEvent = { ...event, index, proof: (await prove(index)).map(base64) };
    yield `${bundleLine(line)}\n`;
  }
}

/** All sealed events of the streams about something, in the order of the log. */
const ofStreams = async (about: About, sealed: Sealed, { events, log }: BundleSources): Promise<PlacedEvents> => {
  const { size } = sealed;
  const placed: Placed[] = [];
  for (const stream of await streamsAbout(about, events)) {
    const stored: StoredEvent[] = [];
    for await (const event of events.readStream(stream)) stored.push(event);
    const indexes = await log.indexesOf(stored.map(({ position }) => position));
    let previousHash = FIRST_HASH;
    for (const [place, event] of stored.entries()) {
      const index = indexes[place] ?? size;
      if (index >= size) break;
      placed.push({ event: loggedEvent(event, previousHash, log.keyedNameOf(event, sealed)), index });
      previousHash = event.metadata.hash;
    }
  }
  return { count: placed.length, events: placed.sort((one, other) => one.index - other.index) };
};

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
