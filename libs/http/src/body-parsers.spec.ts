import { DomainError } from '#kernel';
import { parseJson } from './body-parsers.js';

const numbered = (count: number, of: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => of(at)).join(',');

describe('a JSON body', () => {
  it('is none when it is empty', () => {
    expect(parseJson('')).toBeUndefined();
  });

  it('loses prototype keys wherever they stand', () => {
    const body = parseJson('{"a":1,"__proto__":{"x":1},"b":[{"constructor":{"y":1},"c":2}]}');
    expect(body).toEqual({ a: 1, b: [{ c: 2 }] });
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
  });

  it.each(['{', '{"a":1,}', "{'a':1}", 'undefined', '{"a":1}x'])('is refused where it is %s', (text) => {
    expect(() => parseJson(text)).toThrow(DomainError);
  });

  it('is refused where it nests deeper than anything of ours, brackets inside strings not counted', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => parseJson(nested(33))).toThrow('payload_too_large');
    expect(parseJson(nested(32))).toBeDefined();
    expect(parseJson(JSON.stringify({ note: `"\\${nested(1000)}` }))).toEqual({ note: `"\\${nested(1000)}` });
  });

  it.each<[string, (members: number) => string]>([
    ['members of one object', (members) => `{${numbered(members, (at) => `"${at}":0`)}}`],
    ['elements of one list', (members) => `[${numbered(members, () => '0')}]`],
    ['lists in a list', (members) => `[${numbered(members / 2, () => '[0]')}]`],
    ['objects in an object', (members) => `{${numbered(members / 2, (at) => `"${at}":{"a":0}`)}}`],
  ])('is refused where it has more than 1,000 %s', (_, bodyOf) => {
    expect(parseJson(bodyOf(1_000))).toBeDefined();
    expect(() => parseJson(bodyOf(1_002))).toThrow('payload_too_large');
  });

  it('may say in a text what it likes', () => {
    const note = ',{["'.repeat(5_000);
    expect(parseJson(JSON.stringify({ note }))).toEqual({ note });
  });

  it('that has too many members is not looked at further, be it JSON or not', () => {
    expect(() => parseJson(','.repeat(1_001))).toThrow('payload_too_large');
  });

  it.each<[string, (length: number) => string]>([
    ['a string that never ends', (length) => '"' + '\\"'.repeat(length / 2)],
    ['a string that ends in a backslash', (length) => '"' + '\\"'.repeat(length / 2) + '\\'],
    ['quotes and nothing else', (length) => '"'.repeat(length)],
    ['empty objects', (length) => `[${'{},'.repeat(length / 3)}{}]`],
  ])('costs little where it is %s', (_, textOf) => {
    const text = textOf(64 * 1024);
    const costs = Array.from({ length: 5 }, () => {
      const before = process.cpuUsage();
      try {
        parseJson(text);
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^(?:malformed_json|payload_too_large)$/) });
      }
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    });
    expect(Math.min(...costs)).toBeLessThan(60);
  });
});
