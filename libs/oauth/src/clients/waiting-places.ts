import { blockOf } from '#http';

/** Places of strangers that wait: the block with most gives up one. In memory: no address is stored (docs/adr/0027). */
export class WaitingPlaces {
  /** By block, who waits: those that have waited longest first. */
  private readonly blocks = new Map<string, Set<string>>();
  private count = 0;

  /** `most`: how many are remembered. */
  constructor(private readonly most: number) {}

  /** Takes a place for who comes from an address (null: unlimited ones); returns who gives up theirs; null: there was room. */
  take(address: string | null, id: string): string | null {
    const given = this.count >= this.most ? this.give(1) : null;
    const block = address === null ? '' : blockOf(address);
    const waiting = this.blocks.get(block) ?? new Set();
    this.blocks.set(block, waiting.add(id));
    this.count += 1;
    return given;
  }

  /** Forgets the one that has waited longest of the block that has most, and `least` at least; null: none has as many. */
  give(least = 2): string | null {
    let [block, waiting] = ['', new Set<string>()];
    for (const one of this.blocks) if (one[1].size > waiting.size) [block, waiting] = one;
    const [longest] = waiting;
    if (longest === undefined || waiting.size < least) return null;
    waiting.delete(longest);
    if (waiting.size === 0) this.blocks.delete(block);
    this.count -= 1;
    return longest;
  }
}
