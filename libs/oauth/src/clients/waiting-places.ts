/** Where waiting clients came from: the block with most gives up a place. In memory: no address is stored (docs/adr/0027). */
export class WaitingPlaces {
  /** By block, who waits: those that have waited longest first. */
  private readonly blocks = new Map<string, Set<string>>();
  private count = 0;

  /** `most`: how many are remembered. */
  constructor(private readonly most: number) {}

  take(block: string, clientId: string): void {
    if (this.count >= this.most) this.give(1);
    const waiting = this.blocks.get(block) ?? new Set();
    this.blocks.set(block, waiting.add(clientId));
    this.count += 1;
  }

  /** Forgets the one that has waited longest of the block that has most, and `least` at least; null: none has as many. */
  give(least = 2): string | null {
    const [block, waiting] = [...this.blocks].reduce<readonly [string, Set<string>]>(
      (most, one) => (one[1].size > most[1].size ? one : most),
      ['', new Set()],
    );
    const [longest] = waiting;
    if (longest === undefined || waiting.size < least) return null;
    waiting.delete(longest);
    if (waiting.size === 0) this.blocks.delete(block);
    this.count -= 1;
    return longest;
  }
}
