import { CURRENCIES, ERROR_CODES, SCOPES } from '#kernel';
import { currency, errorCode, scopes } from './schema.js';

describe('the closed lists of the event schemas', () => {
  it('hold everything that the API writes today', () => {
    for (const code of CURRENCIES) expect(currency.safeParse(code).success).toBe(true);
    for (const code of ERROR_CODES) expect(errorCode.safeParse(code).success).toBe(true);
    expect(scopes.safeParse(SCOPES).success).toBe(true);
  });

  it('lose no code that was ever stored', () => {
    expect(new Set(errorCode.options).size).toBeGreaterThanOrEqual(70);
  });

  it('hold nothing else', () => {
    expect(currency.safeParse('ARS').success).toBe(false);
    expect(errorCode.safeParse('unheard_of').success).toBe(false);
    expect(scopes.safeParse(['everything']).success).toBe(false);
  });
});
