import { readConfig } from '#config';
import { oauthSettings } from './dependencies.js';

describe('the settings of the authorization server', () => {
  it('make a guess at a password cost enough by default: scrypt at N = 2^15, r = 8, p = 3', () => {
    expect(oauthSettings(readConfig({})).passwordCost).toEqual({ N: 32_768, r: 8, p: 3 });
  });
});
