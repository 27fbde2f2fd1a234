const SHARDS = 64;

/** A map by names. One Map of the language ends at 2^24 entries, which a log of some years may have of streams and orders. */
export class ShardedMap<Value> {
  private readonly shards = Array.from({ length: SHARDS }, () => new Map<string, Value>());

  get size(): number {
    return this.shards.reduce((sum, { size }) => sum + size, 0);
  }

  get(name: string): Value | undefined {
    return this.shardOf(name).get(name);
  }

  set(name: string, value: Value): void {
    this.shardOf(name).set(name, value);
  }

  /** The value of a name, made where there is none. */
  of(name: string, make: () => Value): Value {
    const known = this.get(name);
    if (known !== undefined) return known;
    const made = make();
    this.set(name, made);
    return made;
  }

  *values(): Iterable<Value> {
    for (const shard of this.shards) yield* shard.values();
  }

  /** Names mostly end in a UUID, whose last digits are spread evenly. */
  private shardOf(name: string): Map<string, Value> {
    const { length } = name;
    const place = (7 * name.charCodeAt(length - 1) + name.charCodeAt(length - 2)) % SHARDS || 0;
    const shard = this.shards[place];
    if (!shard) throw new RangeError(`there is no shard ${place}`);
    return shard;
  }
}
