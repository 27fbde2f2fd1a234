import fc from 'fast-check';
import { decodeBundle, encodeBundle, entryBytes, parseEntry } from './entry.js';
import { entriesPath, hashesAt, parseTilePath, tilePath, widthIn } from './tiles.js';

describe('tiles', () => {
  it('have the paths of the specification', () => {
    expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067');
    expect(tilePath({ level: 1, index: 0, width: 17 })).toBe('tile/1/000.p/17');
    expect(entriesPath({ index: 273, width: 112 })).toBe('tile/entries/273.p/112');
    expect(entriesPath({ index: 1_000, width: 256 })).toBe('tile/entries/x001/000');
  });

  it('are found by the path they have, and by no other', () => {
    const tiles = fc.record({
      level: fc.nat(63),
      index: fc.oneof(fc.nat(2_000), fc.nat(2 ** 31)),
      width: fc.integer({ min: 1, max: 256 }),
    });
    fc.assert(
      fc.property(tiles, (tile) => {
        expect(parseTilePath(tilePath(tile).slice('tile/'.length))).toEqual(tile);
      }),
    );
    const others = ['', '0', '0/', '0/1', '0/0001', '00/000', '64/000', '-1/000', '0/000.p/0', '0/000.p/256', '0/000/'];
    const groups = ['0/x000/001', '0/001/002', '0/x001', '0/000.p/01', '0/000.p', 'entry/000', '0/x1/000', '123'];
    for (const path of [...others, ...groups]) expect(parseTilePath(path)).toBeNull();
    expect(parseTilePath('entries/x001/067.p/5')).toEqual({ level: 'entries', index: 1_067, width: 5 });
  });

  it('are as many and as wide as the specification says of a tree of 70,000 entries', () => {
    expect([0, 1, 2, 3].map((level) => hashesAt(level, 70_000))).toEqual([70_000, 273, 1, 0]);
    expect(widthIn(70_000, 0, 272)).toBe(256);
    expect(widthIn(70_000, 0, 273)).toBe(112);
    expect(widthIn(70_000, 0, 274)).toBe(0);
    expect(widthIn(70_000, 1, 1)).toBe(17);
    expect(widthIn(70_000, 2, 0)).toBe(1);
    expect(widthIn(70_000, 3, 0)).toBe(0);
    expect([widthIn(256, 0, 0), widthIn(256, 1, 0)]).toEqual([256, 1]);
  });
});

describe('entries', () => {
  const pseudonym = 'A'.repeat(42) + '_';
  const hash = '0f'.repeat(32);

  it('say which event of which pseudonym they are of', () => {
    const bytes = entryBytes({ pseudonym, revision: 7, hash });
    expect(Buffer.from(bytes).toString()).toBe(`alcada.event/v1\n${pseudonym}\n7\n${hash}\n`);
    expect(parseEntry(bytes)).toEqual({ pseudonym, revision: 7, hash });
    expect(parseEntry(bytes.subarray(1))).toBeNull();
    expect(parseEntry(Uint8Array.of(0xef, 0xbb, 0xbf, ...bytes))).toBeNull();
    expect(parseEntry(entryBytes({ pseudonym, revision: 2 ** 53, hash }))).toBeNull();
    expect(parseEntry(entryBytes({ pseudonym, revision: 7, hash: hash.toUpperCase() }))).toBeNull();
  });

  it('go into a bundle and come out of it', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 700 }), { maxLength: 256 }), (entries) => {
        expect(decodeBundle(encodeBundle(entries)).map((entry) => [...entry])).toEqual(
          entries.map((entry) => [...entry]),
        );
      }),
      { numRuns: 20 },
    );
    expect([...encodeBundle([new Uint8Array(258)]).subarray(0, 2)]).toEqual([1, 2]);
  });

  it('are refused where a bundle ends within one', () => {
    const bundle = encodeBundle([Uint8Array.of(1, 2, 3), Uint8Array.of(4)]);
    for (let length = 1; length < bundle.length; length += 1) {
      if (length !== 5) expect(() => decodeBundle(bundle.subarray(0, length))).toThrow(RangeError);
    }
  });
});
