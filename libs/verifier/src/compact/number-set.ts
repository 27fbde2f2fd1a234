/** Whole numbers from 1 on that were seen, some 14 bytes each: a set of the language takes three times as much. */
export class NumberSet {
  /** 0: nothing is there. */
  private table = new Float64Array(1_024);
  private count = 0;

  /** Takes a number in; answers false where it was there already. */
  add(value: number): boolean {
    const place = this.placeOf(value);
    if (this.table[place] === value) return false;
    this.table[place] = value;
    this.count += 1;
    if (this.count * 10 > this.table.length * 7) this.rehash();
    return true;
  }

  private placeOf(value: number): number {
    const mask = this.table.length - 1;
    const mixed = Math.imul((value % 2 ** 32) ^ Math.floor(value / 2 ** 32), 0x9e3779b1);
    for (let place = (mixed ^ (mixed >>> 15)) & mask; ; place = (place + 1) & mask) {
      const found = this.table[place];
      if (found === 0 || found === value) return place;
    }
  }

  private rehash(): void {
    const values = this.table;
    this.table = new Float64Array(2 * values.length);
    for (const value of values) if (value !== 0) this.table[this.placeOf(value)] = value;
  }
}
