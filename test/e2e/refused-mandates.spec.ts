import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusalOf, refused } from '../support/refusal.js';
import { openSetting, type Setting } from '../support/setting.js';

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting();
});
afterAll(() => setting.close());

const limit = { amount: 100, currency: 'BRL' };
const amounts = [0, -1, 1.5, '100', 2 ** 53, 10 ** 12 + 1, null, true, [100], undefined];
const currencies = ['brl', 'GBP', '', null, 986, ['BRL'], undefined];
const minutes = [0, 10_081, -1, 1.5, '60', null, 2 ** 53];
const scopes = [[], ['order:write', 'nope'], ['order:write', 'order:write'], 'order:write', [null], null, {}];

describe('POST /mandates', () => {
  it.each([
    ['{', 400, 'malformed_json'],
    [undefined, 422, 'invalid_body'],
    [[], 422, 'invalid_body'],
    [{}, 422, 'invalid_limit'],
    [{ limit: null }, 422, 'invalid_limit'],
    [{ limit: 100 }, 422, 'invalid_limit'],
    [{ limit: [limit] }, 422, 'invalid_limit'],
    [{ limit: {} }, 422, 'invalid_limit'],
    ...amounts.map((amount) => [{ limit: { ...limit, amount } }, 422, 'invalid_limit'] as const),
    ...currencies.map((currency) => [{ limit: { ...limit, currency } }, 422, 'invalid_currency'] as const),
    ...minutes.map((durationMinutes) => [{ limit, durationMinutes }, 422, 'invalid_validity'] as const),
    ...scopes.map((scope) => [{ limit, scope }, 422, 'invalid_mandate_scope'] as const),
    [{ durationMinutes: 0, limit: { currency: 'X', amount: 0 }, scope: [] }, 422, 'invalid_mandate_scope'],
    [{ durationMinutes: 0, limit: { currency: 'X', amount: 0 } }, 422, 'invalid_limit'],
    [{ durationMinutes: 0, limit: { currency: 'X', amount: 1 } }, 422, 'invalid_currency'],
    [{ limit, scope: ['x'.repeat(65 * 1024)] }, 413, 'payload_too_large'],
  ])('with %.70j answers %i %s', async (body, status, error) =>
    expect(await refusalOf(setting.service, () => setting.ana.post('/mandates', body))).toEqual(refused(status, error)),
  );

  it('names every field that is wrong', async () => {
    const { body } = await setting.ana.post('/mandates', { durationMinutes: 0, limit: { currency: 'X', amount: 0 } });
    const fields = (body as { details: readonly { field: string }[] }).details.map(({ field }) => field);
    expect(fields).toEqual(['limit.amount', 'limit.currency', 'durationMinutes']);
  });
});
