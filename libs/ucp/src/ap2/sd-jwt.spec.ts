import { SignJWT } from 'jose';
import { type Claims, readSdJwt, verifiedClaims } from './sd-jwt.js';
import { sha256, testKey } from './testing/test-platform.js';

const key = testKey('k');

const disclosure = (...parts: readonly unknown[]) =>
  Buffer.from(JSON.stringify(['salt', ...parts])).toString('base64url');

/** What an SD-JWT of these claims says, with these disclosures. */
const said = async (claims: Claims, ...disclosures: readonly string[]) => {
  const jwt = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(key.privateKey);
  return verifiedClaims(readSdJwt([jwt, ...disclosures, ''].join('~')), key.jwk);
};

const NAME = disclosure('name', 'Ana');
const ITEM = disclosure('GRU');
const OUTER = disclosure('outer', { _sd: [sha256(NAME)], list: [{ '...': sha256(ITEM) }] });

describe('what an SD-JWT discloses (RFC 9901 §7.1)', () => {
  it('stands where its digest stood, however deep, and what is not disclosed is told by where it is hidden', async () => {
    expect(await said({ _sd: [sha256(OUTER)] }, OUTER, NAME, ITEM)).toEqual({
      claims: { outer: { name: 'Ana', list: ['GRU'] } },
      hidden: [],
    });
    expect(await said({ _sd: [sha256(OUTER)], _sd_alg: 'sha-256' }, OUTER)).toEqual({
      claims: { outer: { list: [] } },
      hidden: ['_sd', 'list'],
    });
  });

  it('is at most so much as its digests have room for', async () => {
    const jwt = await new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).sign(key.privateKey);
    const read = (count: number) => () => readSdJwt([jwt, ...Array<string>(count).fill(NAME), ''].join('~'));
    expect(read(1_000)).not.toThrow();
    expect(read(1_001)).toThrow();
  });

  it.each<[string, Claims, ...string[]]>([
    ['a digest twice in one place', { _sd: [sha256(NAME), sha256(NAME)] }, NAME],
    ['a digest twice, and undisclosed', { _sd: ['x'], list: [{ '...': 'x' }] }],
    ['a digest that is no text', { _sd: [1] }],
    ['digests that are no list', { _sd: 'x' }],
    ['a disclosure that nothing names', { a: 1 }, NAME],
    ['a disclosure twice', { _sd: [sha256(NAME)] }, NAME, NAME],
    ['a claim that is there already', { name: 'Bia', _sd: [sha256(NAME)] }, NAME],
    [
      'a claim disclosed in two ways',
      { _sd: [NAME, disclosure('name', 'Bia')].map(sha256) },
      NAME,
      disclosure('name', 'Bia'),
    ],
    ['a claim disclosed as an element', { list: [{ '...': sha256(NAME) }] }, NAME],
    ['an element disclosed as a claim', { _sd: [sha256(ITEM)] }, ITEM],
    ['an element that is a digest and more', { list: [{ '...': sha256(ITEM), x: 1 }] }, ITEM],
    ['a digest of an element outside of a list', { a: { '...': sha256(ITEM) } }, ITEM],
    ['more digests, disclosed', { _sd: [sha256(disclosure('_sd', []))] }, disclosure('_sd', [])],
    ['a claim without a name', { _sd: [sha256(disclosure('', 1))] }, disclosure('', 1)],
    ['what is no disclosure', { _sd: ['x'] }, disclosure(1, 2, 3)],
    ['an unknown way of hashing', { _sd_alg: 'md5' }],
    ['a name that objects have by birth', JSON.parse('{"a":{"__proto__":{"exp":1}}}') as Claims],
  ])('is refused with %s', async (_, claims, ...disclosures) => {
    await expect(said(claims, ...disclosures)).rejects.toThrow();
  });
});
