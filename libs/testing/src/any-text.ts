import fc from 'fast-check';

const codePoint = fc
  .integer({ min: 0, max: 0x10_ffff })
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point));

/** Any text of Unicode. fast-check's own `binary` first makes a table of a million of them, which takes more than a second. */
export const anyText = (constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: codePoint });
