import { packed } from './status-lists.js';
import { inflateSync } from 'node:zlib';

describe('a list of states', () => {
  it('has two bits a place, from the least significant on, as the specification shows', () => {
    // draft-ietf-oauth-status-list, Status List Encoding: statuses of two bits.
    const states = [1, 2, 0, 3, 0, 1, 0, 1, 1, 2, 3, 3].map((state, place) => [place, state] as const);
    const bytes = inflateSync(Buffer.from(packed(states, 12), 'base64url'));
    expect([...bytes]).toEqual([0xc9, 0x44, 0xf9]);
    expect(packed(states, 12)).toBe('eNo76fITAAPfAgc');
  });
});
