import { keysIn } from './key-directories.js';
import { newSigner } from './testing/index.js';

const { jwk, keyid } = newSigner();
const idsIn = (document: unknown) => [...(keysIn(document)?.keys() ?? [])];

describe('a key directory', () => {
  it('has its keys by their thumbprints, and those that it calls by them', () => {
    expect(idsIn({ keys: [jwk] })).toEqual([keyid]);
    expect(idsIn({ keys: [{ ...jwk, kid: keyid, use: 'sig', alg: 'EdDSA' }] })).toEqual([keyid]);
  });

  it.each([
    ['that it calls by another name', { ...jwk, kid: 'main' }],
    ['for encryption', { ...jwk, use: 'enc' }],
    ['that is no point', { ...jwk, x: 'AAAA' }],
    ['of the examples of RFC 9421', { ...jwk, x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' }],
    ['of the examples of RFC 8037', { ...jwk, x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }],
  ])('leaves out a key %s', (_, entry) => {
    expect(idsIn({ keys: [entry] })).toEqual([]);
  });

  it('knows that a key is there which is of another kind', () => {
    expect(keysIn({ keys: [{ kty: 'RSA', kid: keyid, n: 'x', e: 'AQAB' }] })?.get(keyid)?.key).toBeNull();
  });

  it.each([null, [], {}, { keys: 'x' }, { keys: [null] }, { keys: Array.from({ length: 65 }, () => jwk) }])(
    'is not %j',
    (document) => {
      expect(keysIn(document)).toBeNull();
    },
  );
});
