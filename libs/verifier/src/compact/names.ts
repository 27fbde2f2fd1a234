/** How a name ends that is told by sixteen bytes: a UUID in lower case. */
const UUID_LENGTH = 36;
const DASHES: readonly number[] = [8, 13, 18, 23];
const DIGITS = Uint8Array.from(Array(UUID_LENGTH).keys()).filter((place) => !DASHES.includes(place));
/** What a character is worth as a digit, by its code. */
const WORTH = Int8Array.from(Array(128).keys(), (code) => '0123456789abcdef'.indexOf(String.fromCharCode(code)));

/**
 * Names as whole numbers, from 0 on in the order in which they came. Names that end in a UUID, as nearly all do, take some
 * 25 bytes each, where a string in a map takes more than a hundred: an audit keeps every stream of a log in mind.
 */
export class Names {
  /** One more than the number of the name at a place of the hash table; 0: nothing is there. */
  private table = new Int32Array(1_024);
  private words = new Uint32Array(4 * 512);
  /** Which prefix the UUID of a name follows. */
  private kinds = new Uint8Array(512);
  private readonly prefixes: string[] = [];
  /** Names without a UUID, in both directions. */
  private readonly others = new Map<string, number>();
  private readonly othersByNumber = new Map<number, string>();
  private readonly uuid = new Uint32Array(4);
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** The number of a name; a name that is new is given the next one. */
  of(name: string): number {
    const kind = this.kindOf(name, true);
    if (kind < 0) return this.others.get(name) ?? this.addOther(name);
    const place = this.placeOf(kind);
    const found = this.table[place] ?? 0;
    return found > 0 ? found - 1 : this.add(kind, place);
  }

  /** The number of a name; -1 where it is not known. */
  find(name: string): number {
    const kind = this.kindOf(name, false);
    if (kind < 0) return this.others.get(name) ?? -1;
    return (this.table[this.placeOf(kind)] ?? 0) - 1;
  }

  /** The name of a number that was given. */
  nameOf(number: number): string {
    const other = this.othersByNumber.get(number);
    if (other !== undefined) return other;
    let hex = '';
    for (let word = 0; word < 4; word += 1) hex += (this.words[4 * number + word] ?? 0).toString(16).padStart(8, '0');
    const uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
    return (this.prefixes[this.kinds[number] ?? 0] ?? '') + uuid;
  }

  /** Which prefix a name has, its UUID being left in `uuid`; -1: it is of another form, or of one prefix too many. */
  private kindOf(name: string, adds: boolean): number {
    const start = name.length - UUID_LENGTH;
    if (start < 0 || !this.readUuid(name, start)) return -1;
    const prefix = name.slice(0, start);
    const kind = this.prefixes.indexOf(prefix);
    return kind >= 0 || !adds || this.prefixes.length > 200 ? kind : this.prefixes.push(prefix) - 1;
  }

  private readUuid(name: string, start: number): boolean {
    for (const dash of DASHES) if (name.charCodeAt(start + dash) !== 45) return false;
    let word = 0;
    for (let digit = 0; digit < 32; digit += 1) {
      const worth = WORTH[name.charCodeAt(start + (DIGITS[digit] ?? 0))] ?? -1;
      if (worth < 0) return false;
      word = (word << 4) | worth;
      if (digit % 8 === 7) this.uuid[digit >>> 3] = word;
    }
    return true;
  }

  /** Where the name stands in the table, or could be put. */
  private placeOf(kind: number): number {
    const { uuid, words } = this;
    const [a, b, c, d] = [uuid[0] ?? 0, uuid[1] ?? 0, uuid[2] ?? 0, uuid[3] ?? 0];
    const mask = this.table.length - 1;
    for (let place = mixed(a, b, c, d, kind) & mask; ; place = (place + 1) & mask) {
      const number = (this.table[place] ?? 0) - 1;
      if (number < 0) return place;
      const at = 4 * number;
      const isSame = words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d;
      if (isSame && this.kinds[number] === kind) return place;
    }
  }

  private add(kind: number, place: number): number {
    const number = this.next();
    this.words.set(this.uuid, 4 * number);
    this.kinds[number] = kind;
    this.table[place] = number + 1;
    if (this.count * 10 > this.table.length * 7) this.rehash();
    return number;
  }

  private addOther(name: string): number {
    const number = this.next();
    this.others.set(name, number);
    this.othersByNumber.set(number, name);
    return number;
  }

  private next(): number {
    if (this.count === this.kinds.length) {
      const kinds = new Uint8Array(Math.ceil(1.5 * this.count));
      kinds.set(this.kinds);
      const words = new Uint32Array(4 * kinds.length);
      words.set(this.words);
      [this.kinds, this.words] = [kinds, words];
    }
    this.count += 1;
    return this.count - 1;
  }

  private rehash(): void {
    this.table = new Int32Array(2 * this.table.length);
    for (let number = 0; number < this.count; number += 1) {
      if (this.othersByNumber.has(number)) continue;
      this.uuid.set(this.words.subarray(4 * number, 4 * number + 4));
      this.table[this.placeOf(this.kinds[number] ?? 0)] = number + 1;
    }
  }
}

const mixed = (a: number, b: number, c: number, d: number, kind: number): number => {
  let hash = a ^ Math.imul(kind + 1, 0x9e3779b1);
  for (const word of [b, c, d]) hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ word;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
};
