import fc from 'fast-check';
import { base64, base64url, fromBase64, fromDecimal, fromHex, fromUtf8, hex, Malformed, utf8 } from './bytes.js';

describe('bytes as text', () => {
  it('are what Node makes of them, and come back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(base64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
        expect(base64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
        expect(hex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
        expect(fromBase64(base64(bytes))).toEqual(bytes);
        expect(fromHex(hex(bytes))).toEqual(bytes);
      }),
    );
  });

  it('hold any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => expect(fromUtf8(utf8(text))).toBe(text)));
    expect(fromUtf8(utf8('\ufeffa'))).toBe('\ufeffa');
  });

  it.each(['A', 'AA', 'AAA', 'AB==', 'AA= =', 'AAAA\n', ' AAAA', 'AA-_', 'A===', 'AAAA===='])(
    'have one spelling in base64: not %j',
    (text) => expect(() => fromBase64(text)).toThrow(Malformed),
  );

  it.each(['0', 'AB', '0x', 'zz'])('have one spelling in hex: not %j', (text) =>
    expect(() => fromHex(text)).toThrow(Malformed),
  );

  it('are not always text', () => expect(() => fromUtf8(Uint8Array.of(0xff))).toThrow(Malformed));
});

describe('a number in a format for machines', () => {
  it.each(['0', '7', '20852163', '9007199254740991'])('is read: %s', (text) =>
    expect(String(fromDecimal(text))).toBe(text),
  );

  it.each(['', '-1', '+1', '01', '1.0', '1e3', ' 1', '9007199254740992', '1'.repeat(400)])(
    'has one spelling: not %j',
    (text) => expect(() => fromDecimal(text)).toThrow(Malformed),
  );
});
