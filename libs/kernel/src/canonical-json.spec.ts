import { canonicalJson } from './canonical-json.js';

describe('canonical JSON (RFC 8785)', () => {
  it('writes the example of §3.2.2 as the standard does', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts members by UTF-16 code units, as §3.2.3 shows', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 };
    expect(Object.values(JSON.parse(canonicalJson(value)) as object)).toHaveLength(7);
    expect([...canonicalJson(value).matchAll(/:(\d)/g)].map((match) => match[1])).toEqual([
      '2',
      '4',
      '6',
      '7',
      '1',
      '5',
      '3',
    ]);
  });

  it('leaves out undefined members and refuses what JSON cannot say', () => {
    expect(canonicalJson({ b: undefined, a: -0 })).toBe('{"a":0}');
    for (const value of [NaN, Infinity, 1n, () => 1]) expect(() => canonicalJson({ value })).toThrow(TypeError);
  });
});
