import type { EventStore } from './event-store.port.js';
import type { HashedPlace, HashedPlaces } from './log-scan.port.js';
import { BEGINNING, type Checkpoint, hasEnvelope, isOf, type Position } from './stored-event.js';

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
    const { pages, reached } = this.brought(after?.position ?? BEGINNING, except);
    yield* pages;
    let last = reached === null ? after : { position: reached };
    for await (const page of this.log.readPlaces(last, except)) {
      last = { position: page.upTo };
      yield page;
    }
    this.following ??= new Following(this.log, last);
  }

  stop(): void {
    this.following?.stop();
    this.following = null;
  }

  /** What the subscription has brought, and up to where it has come; null: the log is to be read from `after`. */
  private brought(after: Position, except: string): Brought {
    if (this.following?.hasAllAfter(after)) return this.following.take(after, except);
    this.stop();
    return { pages: [], reached: null };
  }
}

interface Brought {
  readonly pages: readonly HashedPlaces[];
  readonly reached: Position | null;
}

/** What a subscription brings after a place, until it is taken. */
class Following {
  private readonly ending = new AbortController();
  private places: HashedPlace[] = [];
  /** The last event of ours that was taken, and up to where the subscription has come, which others' events may be at. */
  private taken: Position;
  private reached: Position;

  constructor(log: Log, after: Checkpoint | null) {
    this.taken = this.reached = after?.position ?? BEGINNING;
    this.follow(log, after).catch(() => this.stop()); // who reads the log finds the same
  }

  hasAllAfter(position: Position): boolean {
    return position >= this.taken && !this.ending.signal.aborted;
  }

  take(after: Position, except: string): Brought {
    const all = this.places.filter(({ position }) => position > after);
    this.taken = this.places.at(-1)?.position ?? this.taken;
    this.places = [];
    const reached = this.reached > after ? this.reached : null;
    // What is sealed ends with an event of ours, which is there for whoever looks for the log's end.
    if (all.length === 0) return { pages: [], reached };
    const places = all.filter(({ stream }) => !isOf([except], stream));
    const pages = Array.from({ length: Math.ceil(places.length / PAGE) }, (_, page) =>
      places.slice(page * PAGE, (page + 1) * PAGE),
    );
    const last = pages.pop() ?? [];
    const full = pages.map((page) => ({ places: page, upTo: page.at(-1)?.position ?? after }));
    return { pages: [...full, { places: last, upTo: this.taken }], reached };
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
