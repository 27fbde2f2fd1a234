import type { Booking } from '../support/answers.js';
import { bodyOf, book, TRIP } from '../support/purchase.js';
import { refusalOf, refused } from '../support/refusal.js';
import { SmallSetting } from '../support/setting.js';

const setting = new SmallSetting();
let booking: Booking;
beforeAll(async () => {
  booking = await book(setting.ana);
});

/** What both POST and PATCH refuse. A string is sent as it stands. */
const WRONG: readonly (readonly [body: unknown, status: number, error: string])[] = [
  ['{"passengers": 1,}', 400, 'malformed_json'],
  [[], 422, 'invalid_body'],
  ['null', 422, 'invalid_body'],
  [{ passengers: 0 }, 422, 'invalid_passengers'],
  [{ passengers: 10 }, 422, 'invalid_passengers'],
  ['{"passengers": 1e400}', 422, 'invalid_passengers'],
  [{ flightNumber: 1201 }, 422, 'invalid_flight'],
  [{ flightNumber: '' }, 422, 'invalid_flight'],
  [{ flightNumber: 'XX9999' }, 422, 'invalid_flight'],
  [{ ...TRIP, fareCode: 7 }, 422, 'invalid_fare'],
  [{ ...TRIP, fareCode: '' }, 422, 'invalid_fare'],
  [{ ...TRIP, fareCode: 'leve' }, 422, 'invalid_fare'],
  [{ passengers: 0, fareCode: 7, flightNumber: 1201 }, 422, 'invalid_flight'],
  [{ passengers: 0, fareCode: 7 }, 422, 'invalid_fare'],
  [{ flightNumber: 'XX9999', passengers: 0 }, 422, 'invalid_passengers'],
  [{ flightNumber: 'x'.repeat(65 * 1024) }, 413, 'payload_too_large'],
];

describe('POST /bookings', () => {
  it.each([
    ...WRONG,
    [{ flightNumber: null }, 422, 'invalid_flight'] as const,
    [{ fareCode: null }, 422, 'invalid_fare'] as const,
    [{ passengers: null }, 422, 'invalid_passengers'] as const,
    [{ fareCode: 'LEVE' }, 422, 'invalid_fare'] as const,
  ])('with %.60j answers %i %s', async (body, status, error) =>
    expect(await refusalOf(setting.service, () => setting.ana.post('/bookings', body))).toEqual(refused(status, error)),
  );

  it('names every field that is wrong', async () => {
    const answer = await setting.ana.post('/bookings', { passengers: 0, flightNumber: 1 });
    expect(answer.body).toMatchObject({
      error: 'invalid_flight',
      details: [
        { field: 'flightNumber', message: 'deve ser um texto' },
        { field: 'passengers', message: 'deve ser um inteiro de 1 a 9' },
      ],
    });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded'])('of type %s is 415', async (type) => {
    const call = () => setting.ana.call<never>('POST', '/bookings', JSON.stringify(TRIP), { 'content-type': type });
    expect(await refusalOf(setting.service, call)).toEqual(refused(415, 'unsupported_media_type'));
  });

  it('drops prototype keys and books without them', async () => {
    const body = '{"__proto__":{"passengers":9},"constructor":{"prototype":{"passengers":9}},"flightNumber":"AL1201"}';
    const { passengers, flightNumber } = bodyOf(await setting.ana.post<Booking>('/bookings', body), 201);
    expect([passengers, flightNumber]).toEqual([1, 'AL1201']);
    expect(Object.prototype).not.toHaveProperty('passengers');
  });
});

describe('PATCH /bookings/{id}', () => {
  it.each([
    ...WRONG,
    [{ flightNumber: null }, 422, 'invalid_change'] as const,
    [{ fareCode: null }, 422, 'invalid_change'] as const,
    [{ passengers: null }, 422, 'invalid_change'] as const,
    [undefined, 422, 'invalid_change'] as const,
  ])('with %.60j answers %i %s, and the booking stays', async (body, status, error) => {
    const call = () => setting.ana.call<never>('PATCH', `/bookings/${booking.id}`, body);
    expect(await refusalOf(setting.service, call)).toEqual(refused(status, error));
    expect(bodyOf(await setting.ana.get(`/bookings/${booking.id}`), 200)).toEqual(booking);
  });

  it('judges the body before it looks for the booking', async () => {
    const path = `/bookings/${crypto.randomUUID()}`;
    const wrong = () => setting.ana.call<never>('PATCH', path, { passengers: 0 });
    expect(await refusalOf(setting.service, wrong)).toEqual(refused(422, 'invalid_passengers'));
    const unknown = () => setting.ana.call<never>('PATCH', path, { passengers: 1 });
    expect(await refusalOf(setting.service, unknown)).toEqual(refused(404, 'booking_not_found'));
  });
});

const limit = { amount: 100, currency: 'BRL' };
const amounts = [0, 1.5, '100', 10 ** 12 + 1, undefined];
const currencies = ['brl', 'GBP', 986, undefined];
const minutes = [0, 10_081, '60'];
const scopes = [[], ['order:write', 'nope'], ['order:write', 'order:write'], 'order:write', [null]];

describe('POST /mandates', () => {
  it.each([
    [undefined, 422, 'invalid_body'],
    [{}, 422, 'invalid_limit'],
    [{ limit: [limit] }, 422, 'invalid_limit'],
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
