import { createHmac } from 'node:crypto';
import { hex, utf8 } from '../bytes.js';
import { testCrypto } from '../testing/index.js';
import { hmac, markOf } from './checkpoint.js';

const { sha256 } = testCrypto;

describe('the mark of an entry', () => {
  it('is made by the HMAC of RFC 4231', () => {
    const found = hmac(sha256, utf8('Jefe'), utf8('what do ya want for nothing?'));
    expect(hex(found)).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
  });

  it('is that of the revision, in digits, under the key of the stream', () => {
    const key = sha256(utf8('a key'));
    expect(markOf(sha256, key, 12)).toBe(createHmac('sha256', key).update('12').digest('base64url'));
  });
});
