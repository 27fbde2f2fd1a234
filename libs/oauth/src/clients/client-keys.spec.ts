import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { clientKeysIn, ClientKeysRefused, usableKeysIn } from './client-keys.js';

const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' });
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const KEY = jwkOf(publicKey);
const RSA = jwkOf(generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey);
const octets = (length: number): string => Buffer.alloc(length, 0xff).toString('base64url');

describe('the keys of a client', () => {
  it('are kept without members that nobody reads', () => {
    const kept = { ...KEY, kid: 'a', use: 'sig', alg: 'EdDSA' };
    expect(clientKeysIn({ keys: [{ ...kept, x5c: ['x'], key_ops: ['verify'] }], owner: 'x' })).toEqual({
      keys: [kept],
    });
  });

  it('may be RSA, with an exponent of up to 32 bits', () => {
    const longest = { ...RSA, n: octets(1_024), e: octets(4) };
    expect(clientKeysIn({ keys: [RSA] })).toEqual({ keys: [RSA] });
    expect(clientKeysIn({ keys: [longest] })).toEqual({ keys: [longest] });
    const dear = { ...RSA, e: octets(5) };
    expect(usableKeysIn({ keys: [dear, RSA] })).toEqual({ keys: [RSA] });
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
    ['a long RSA key', { keys: [{ ...RSA, n: octets(1_025) }] }],
    ['an RSA key whose exponent makes each check dear', { keys: [{ ...RSA, e: octets(5) }] }],
    ['an RSA key that checks nothing', { keys: [{ ...RSA, e: 'AQ' }] }],
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
