import { AppendOutcomeUnknown, StoreUnavailable } from '../event-store.errors.js';
import { type Appended, type Delivery, EventStore, type EventToAppend, type StoredEvent } from '../event-store.port.js';

/** What becomes of an append on its way: it arrives; it arrives and the answer is lost; it never arrives; it is refused. */
export type Fate = 'arrives' | 'answer lost' | 'never arrives' | 'refused';

/** A store behind a bad line. Keeps what was sent, and which revisions streams were read from. */
export class UnreliableStore extends EventStore {
  readonly sent: { readonly expectedRevision: number; readonly bytes: string }[] = [];
  readonly readFrom: number[] = [];
  readFails = false;
  /** What the names of streams end in at the other end: a store that was put back has other ones. */
  suffix = '';
  /** What reading a stream waits for before it ends. */
  ending: () => Promise<void> = () => Promise.resolve();
  /** What is read in the place of an event; null: nothing. As if the disk had changed it. */
  asStored: (event: StoredEvent) => StoredEvent | null = (event) => event;
  /** Decides the fate of each append; may do something else first. */
  fate: () => Fate | Promise<Fate> = () => 'arrives';

  constructor(private readonly store: EventStore) {
    super();
  }

  async append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended> {
    this.sent.push({ expectedRevision, bytes: JSON.stringify(events) });
    const fate = await this.fate();
    if (fate === 'never arrives') throw new AppendOutcomeUnknown('no answer');
    if (fate === 'refused') throw new StoreUnavailable('refused');
    const appended = await this.store.append(stream + this.suffix, expectedRevision, events);
    if (fate === 'answer lost') throw new AppendOutcomeUnknown('no answer');
    return appended;
  }

  async *readStream(stream: string, fromRevision = 0): AsyncGenerator<StoredEvent> {
    this.readFrom.push(fromRevision);
    if (this.readFails) throw new StoreUnavailable('refused');
    for await (const event of this.store.readStream(stream + this.suffix, fromRevision)) {
      const stored = this.asStored({ ...event, stream });
      if (stored) yield stored;
    }
    await this.ending();
  }

  readAll(...args: Parameters<EventStore['readAll']>): AsyncIterable<StoredEvent> {
    return this.store.readAll(...args);
  }

  head(): Promise<StoredEvent | null> {
    return this.store.head();
  }

  subscribe(...args: Parameters<EventStore['subscribe']>): AsyncIterable<Delivery> {
    return this.store.subscribe(...args);
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
