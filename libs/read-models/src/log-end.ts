import type { EventStore, Position } from '#event-store';

/** Where a log ends, for many who ask at once: a server that holds the events of others may look far for our last one. */
export class LogEnd {
  private reading: Promise<Position | null> | null = null;
  private next: Promise<Position | null> | null = null;

  constructor(private readonly events: Pick<EventStore, 'head'>) {}

  /** Null: the log is empty, or does not answer. Calls during a reading share the next, since that one may be older than they. */
  read(): Promise<Position | null> {
    if (!this.reading) return this.begin();
    return (this.next ??= this.reading.then(() => this.begin()));
  }

  private begin(): Promise<Position | null> {
    this.next = null;
    const reading = this.events.head().then(
      (head) => head?.position ?? null,
      () => null,
    );
    this.reading = reading;
    void reading.then(() => {
      if (!this.next) this.reading = null;
    });
    return reading;
  }
}
