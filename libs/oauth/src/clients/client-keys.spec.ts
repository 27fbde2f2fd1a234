import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { clientKeysIn, ClientKeysRefused } from './client-keys.js';

const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' });
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const KEY = jwkOf(publicKey);

describe('the keys of a client', () => {
  it('are kept without members that nobody reads', () => {
    const kept = { ...KEY, kid: 'a', use: 'sig', alg: 'EdDSA' };
    expect(clientKeysIn({ keys: [{ ...kept, x5c: ['x'], key_ops: ['verify'] }], owner: 'x' })).toEqual({
      keys: [kept],
    });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a single key', KEY],
    ['no list', { keys: KEY }],
    ['an empty list', { keys: [] }],
    ['eleven', { keys: Array.from({ length: 11 }, (_, n) => ({ ...KEY, kid: String(n) })) }],
    ['a private key', { keys: [jwkOf(privateKey)] }],
    ['a symmetric key', { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] }],
    ['another curve', { keys: [jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey)] }],
    ['a key to encrypt with', { keys: [{ ...KEY, use: 'enc' }] }],
    ['another algorithm', { keys: [{ ...KEY, alg: 'RS256' }] }],
    ['a short RSA key', { keys: [jwkOf(generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey)] }],
    ['what is no point of its curve', { keys: [{ ...KEY, x: 'AA' }] }],
    ['two keys without a name', { keys: [KEY, { ...KEY, kid: 'b' }] }],
    [
      'two keys of one name',
      {
        keys: [
          { ...KEY, kid: 'b' },
          { ...KEY, kid: 'b' },
        ],
      },
    ],
  ])('are not %s', (_, given) => {
    expect(() => clientKeysIn(given)).toThrow(ClientKeysRefused);
  });
});
