import { randomBytes } from 'node:crypto';
import { SealBroken, seal, unseal } from './seal.js';

const data = Buffer.from('a secret, such as a private key');
const key = randomBytes(32);

describe('the seal of a secret', () => {
  it('hides it and gives it back under the same key and name', () => {
    const sealed = seal(data, [key], 'one');
    expect(Buffer.from(sealed.data, 'base64').includes('private')).toBe(false);
    expect(unseal(sealed, [key], 'one')).toEqual(data);
  });

  it('is none without a key-encryption key', () => {
    expect(unseal(seal(data, [], 'one'), [], 'one')).toEqual(data);
  });

  it('opens a key stored in clear also once a key-encryption key is there', () => {
    expect(unseal(seal(data, [], 'one'), [key], 'one')).toEqual(data);
  });

  it('is never the same twice', () => {
    expect(seal(data, [key], 'one')).not.toEqual(seal(data, [key], 'one'));
  });

  it.each([
    ['another key', [randomBytes(32)], 'one', {}],
    ['no key', [], 'one', {}],
    ['another name', [key], 'two', {}],
    ['changed bytes', [key], 'one', { data: randomBytes(13).toString('base64') }],
    ['a shortened tag', [key], 'one', { tag: 'AAAA' }],
  ])('does not open with %s', (_, others, name, change) => {
    expect(() => unseal({ ...seal(data, [key], 'one'), ...change }, others, name)).toThrow(SealBroken);
  });
});
