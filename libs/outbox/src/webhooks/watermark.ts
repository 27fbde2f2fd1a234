/** Up to where everything was taken or given up: whoever goes on from there misses nothing (MCP Events, safe-to-persist watermark). */
export class Watermark {
  /** Keys of what is to be sent, oldest first; from `first` on, something is outstanding. */
  private outstanding: readonly string[] = [];
  private first = 0;
  private readonly done = new Set<string>();

  constructor(public reached: string) {}

  /** Begins with what is to be sent, oldest first. */
  begin(keys: readonly string[]): void {
    this.outstanding = keys;
    this.first = 0;
    this.done.clear();
  }

  /** As it is once the event at `key` is taken. */
  with(key: string): string {
    return this.outstanding[this.first] === key ? key : this.reached;
  }

  /** The event at `key` was taken, or given up. */
  note(key: string): void {
    this.done.add(key);
    for (let next = this.outstanding[this.first]; next !== undefined && this.done.has(next);) {
      this.advance(next);
      next = this.outstanding[(this.first += 1)];
    }
  }

  /** There is nothing else to be sent up to `key`. */
  reach(key: string): void {
    if (this.first === this.outstanding.length) this.advance(key);
  }

  private advance(key: string): void {
    if (key > this.reached) this.reached = key;
  }
}
