import type { EventStore } from './event-store.port.js';
import type { HashedPlace, HashedPlaces } from './log-scan.port.js';
import { BEGINNING, type Checkpoint, checkpointAfter, hasEnvelope, isOf, type Position } from './stored-event.js';

type Log = Pick<EventStore, 'readPlaces' | 'subscribe'>;

/** At most so many places wait for who reads on; from there on the log is read again. */
const MOST = 32_768;
/** How many places a page has. */
const PAGE = 256;

/** Reads the log on with what a subscription has brought since: the log itself is read from there to its end. One reading at a time. */
export class FollowedPlaces implements Pick<EventStore, 'readPlaces'> {
  private following: Following | null = null;

  constructor(private readonly log: Log) {}

  async *readPlaces(after: Checkpoint | null, except: string): AsyncGenerator<HashedPlaces> {
    let last = after;
    for (const page of this.brought(after?.position ?? BEGINNING, except)) {
      last = checkpointAfter(page.upTo);
      yield page;
    }
    for await (const page of this.log.readPlaces(last, except)) {
      last = checkpointAfter(page.upTo);
      yield page;
    }
    this.following ??= new Following(this.log, last);
  }

  stop(): void {
    this.following?.stop();
    this.following = null;
  }

  private brought(after: Position, except: string): readonly HashedPlaces[] {
    if (this.following?.hasAllAfter(after)) return this.following.take(after, except);
    this.stop();
    return [];
  }
}

/** What a subscription brings after a place, until it is taken. */
class Following {
  private readonly ending = new AbortController();
  private places: HashedPlace[] = [];
  /** Up to where places were taken, and up to where the subscription has come. */
  private taken: Position;
  private reached: Position;

  constructor(log: Log, after: Checkpoint | null) {
    this.taken = this.reached = after?.position ?? BEGINNING;
    this.follow(log, after).catch(() => this.stop()); // who reads the log finds the same
  }

  hasAllAfter(position: Position): boolean {
    return position >= this.taken && !this.ending.signal.aborted;
  }

  take(after: Position, except: string): readonly HashedPlaces[] {
    const all = this.places.filter(({ position }) => position > after);
    this.places = [];
    this.taken = this.reached;
    if (this.taken <= after) return [];
    const places = all.filter(({ stream }) => !isOf([except], stream));
    const pages = Array.from({ length: Math.ceil(places.length / PAGE) }, (_, page) =>
      places.slice(page * PAGE, (page + 1) * PAGE),
    );
    const last = pages.pop() ?? [];
    return [
      ...pages.map((page) => ({ places: page, upTo: page.at(-1)?.position ?? after })),
      { places: last, upTo: this.taken },
    ];
  }

  stop(): void {
    this.ending.abort();
    this.places = [];
  }

  private async follow(log: Log, after: Checkpoint | null): Promise<void> {
    const { signal } = this.ending;
    for await (const { event, checkpoint } of log.subscribe({ after, categories: null, signal })) {
      if (event && hasEnvelope(event.metadata)) {
        const { stream, revision, metadata, position } = event;
        this.places.push({ stream, revision, hash: metadata.hash, position });
      }
      this.reached = checkpoint.position;
      if (this.places.length > MOST) break;
    }
    this.stop();
  }
}
