import { createPublicKey, verify } from 'node:crypto';
import { headerOf, signatureBaseOf, type SignedMessage, signaturesOf } from './message-signatures.js';

const MESSAGE: SignedMessage = {
  method: 'POST',
  scheme: 'https',
  authority: 'voos.example',
  target: '/api/v1/flights?q=recife&q=?',
  headers: { 'x-two': ['one', 'two'], 'x-dictionary': 'a=1;p="x",   b=("c" :AAE=:);q, c' },
};

/** The signature base of what a signature covers, or why it has none. */
const baseOf = (covered: string, headers = MESSAGE.headers) => {
  const signed = { ...headers, 'signature-input': `s=(${covered});created=1`, signature: 's=:AA==:' };
  const [signature] = signaturesOf({ headers: signed }) ?? [];
  if (!signature) throw new Error('no signature');
  const base = signatureBaseOf(signature, { ...MESSAGE, headers: signed });
  return typeof base === 'string' ? base : base.toString().split('\n').slice(0, -1);
};

describe('a signature base', () => {
  it('is that of RFC 9421, appendix B.2.6, whose signature it verifies', () => {
    const headers = {
      date: 'Tue, 20 Apr 2021 02:07:55 GMT',
      'content-type': 'application/json',
      'content-length': '18',
      'signature-input':
        'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
      signature: 'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
    };
    const message = { ...MESSAGE, authority: 'example.com', target: '/foo?param=Value&Pet=dog', headers };
    const [signature] = signaturesOf(message) ?? [];
    const base = signature && signatureBaseOf(signature, message);
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' };
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    expect(signature && base instanceof Buffer && verify(null, base, key, signature.bytes)).toBe(true);
  });

  it('has the parts of a request that have no header', () => {
    expect(baseOf('"@method" "@scheme" "@authority" "@path" "@query" "@request-target" "@target-uri"')).toEqual([
      '"@method": POST',
      '"@scheme": https',
      '"@authority": voos.example',
      '"@path": /api/v1/flights',
      '"@query": ?q=recife&q=?',
      '"@request-target": /api/v1/flights?q=recife&q=?',
      '"@target-uri": https://voos.example/api/v1/flights?q=recife&q=?',
    ]);
  });

  it('has all lines of a header, and members of a dictionary in their one form', () => {
    expect(baseOf('"x-two" "x-dictionary";key="a" "x-dictionary";key="b" "x-dictionary";key="c"')).toEqual([
      '"x-two": one, two',
      '"x-dictionary";key="a": 1;p="x"',
      '"x-dictionary";key="b": ("c" :AAE=:);q',
      '"x-dictionary";key="c": ?1',
    ]);
  });

  it.each([
    ['a header that is not there', '"x-none"'],
    ['a member that is not there', '"x-dictionary";key="z"'],
    ['a part that no request has', '"@status"'],
    ['a name in capitals', '"X-Two"'],
    ['a component twice', '"@method" "@method"'],
    ['something that is no name', '1'],
  ])('is missing for %s', (_, covered) => {
    expect(baseOf(covered)).toBe('missing');
  });

  it.each(['"x-two";bs', '"x-two";sf', '"@method";req', '"x-two";tr', '"@query-param";name="q"'])(
    'is not made of %s, which nobody sends',
    (covered) => {
      expect(baseOf(covered)).toBe('unsupported');
    },
  );

  it('is not made of what is no ASCII', () => {
    expect(baseOf('"x-name"', { 'x-name': 'São Paulo' })).toBe('unsupported');
  });
});

describe('the signatures of a message', () => {
  it.each([
    ['nothing', '', 's=:AA==:'],
    ['no list', 's=1', 's=:AA==:'],
    ['no dictionary', 's=(', 's=:AA==:'],
    ['another label', 's=();created=1', 't=:AA==:'],
    ['no bytes', 's=();created=1', 's="AA=="'],
    ['an open list', 's=("@method"', 's=:AA==:'],
  ])('cannot be read where there is %s', (_, input, signature) => {
    expect(signaturesOf({ headers: { 'signature-input': input, signature } })).toBeNull();
  });

  it('are as many as there are labels', () => {
    const headers = { 'signature-input': 'a=("@method"), b=()', signature: 'b=:AA==:, a=:AQ==:' };
    expect(signaturesOf({ headers })?.map(({ label, bytes }) => [label, [...bytes]])).toEqual([
      ['a', [1]],
      ['b', [0]],
    ]);
    expect(headerOf({ headers: { x: ['1', '2'] } }, 'x')).toBe('1, 2');
  });

  it('reads a header of a message once, however many of its members are covered', () => {
    const headers = {
      'x-many': 'a=1, b=2',
      'signature-input': 's=("x-many";key="a");created=1, t=("x-many";key="b");created=1',
      signature: 's=:AA==:, t=:AA==:',
    };
    const message = { ...MESSAGE, headers };
    const [first, second] = signaturesOf(message) ?? [];
    const baseLine = (signature: typeof first) =>
      signature && signatureBaseOf(signature, message).toString().split('\n')[0];
    expect(baseLine(first)).toBe('"x-many";key="a": 1');
    headers['x-many'] = 'a=3, b=4'; // nobody reads it again
    expect(baseLine(second)).toBe('"x-many";key="b": 2');
  });
});
