import type { Booking, Mandate, Order } from '../support/answers.js';
import { bodyOf, book, brl, buy, GOOD_CARD, grant, mandateNow, order, TRIP_PRICE } from '../support/purchase.js';
import { refusalOf, refused } from '../support/refusal.js';
import { letPass } from '../support/service.js';
import { Setting } from '../support/setting.js';

const setting = new Setting();
let booking: Booking;
let empty: Booking;
let ordered: Booking;
let crowd: Booking;
let foreign: Booking;
let ofOther: Booking;
let paid: Order;
const mandates = {} as Record<
  'good' | 'revoked' | 'expired' | 'exhausted' | 'small' | 'foreign' | 'ofOther' | 'dollars' | 'noCharge' | 'noOrder',
  Mandate
>;

beforeAll(async () => {
  const { ana, bruno, otherOfAna, service } = setting;
  const price = TRIP_PRICE;
  mandates.expired = await grant(ana, 10, { durationMinutes: 1, scope: ['receipt:read'] });
  letPass(service, 60_000);
  mandates.good = await grant(ana, price * 10);
  mandates.small = await grant(ana, price - 1);
  mandates.exhausted = await grant(ana, price);
  mandates.noCharge = await grant(ana, price * 10, { scope: ['order:write'] });
  mandates.noOrder = await grant(ana, 1, { scope: ['payment:execute', 'receipt:read'] });
  mandates.foreign = await grant(bruno, price * 10);
  mandates.ofOther = await grant(otherOfAna, 1, { scope: ['receipt:read'] });
  await otherOfAna.call('DELETE', `/mandates/${mandates.ofOther.id}`);
  const dollars = { limit: { amount: 1, currency: 'USD' } };
  mandates.dollars = bodyOf(await ana.post<Mandate>('/mandates', dollars), 201);
  mandates.revoked = await grant(ana, 1, { durationMinutes: 1, scope: ['receipt:read'] });
  await ana.call('DELETE', `/mandates/${mandates.revoked.id}`);
  letPass(service, 60_000);

  booking = await book(ana);
  empty = await book(ana, {});
  ordered = await book(ana);
  paid = await buy(ana, ordered, mandates.exhausted);
  crowd = await book(ana, { flightNumber: 'AL4201', fareCode: 'LEVE', passengers: 9 });
  await buy(ana, await book(ana, { flightNumber: 'AL4201', fareCode: 'LEVE' }), mandates.good);
  foreign = await book(bruno);
  ofOther = await book(otherOfAna);
});

const BAD_CARD = { ...GOOD_CARD, cardNumber: '4242424242424241' };
const placed = (request: object) => refusalOf(setting.service, () => setting.ana.post('/orders', request));

describe('the body of an order', () => {
  const id = crypto.randomUUID();
  const whole = { bookingId: id, mandateId: id, payment: GOOD_CARD };
  const paying = (changes: object) => ({ ...whole, payment: { ...GOOD_CARD, ...changes } });

  it.each([
    [undefined, 422, 'invalid_body'],
    [{}, 422, 'invalid_booking'],
    [{ ...whole, bookingId: 1 }, 422, 'invalid_booking'],
    [{ ...whole, mandateId: 1 }, 422, 'invalid_mandate'],
    [{ ...whole, buyer: 'Ana' }, 422, 'invalid_body'],
    [{ ...whole, buyer: { name: 'x'.repeat(121) } }, 422, 'invalid_body'],
    [{ ...whole, buyer: { name: 'Ana\u0000' } }, 422, 'invalid_body'],
    [{ ...whole, buyer: { document: 'x'.repeat(41) } }, 422, 'invalid_body'],
    [{ ...whole, buyer: { document: 12 } }, 422, 'invalid_body'],
    [{ ...whole, expectedTotal: 100 }, 422, 'invalid_body'],
    [{ ...whole, expectedTotal: { amount: '100', currency: 'BRL' } }, 422, 'invalid_body'],
    [{ ...whole, acceptUpTo: { amount: 1.5, currency: 'BRL' } }, 422, 'invalid_body'],
    [{ ...whole, payment: undefined }, 422, 'invalid_payment'],
    [{ ...whole, payment: [] }, 422, 'invalid_payment'],
    [paying({ cardNumber: undefined }), 422, 'invalid_payment'],
    [paying({ cardNumber: 4242424242424242 }), 422, 'invalid_payment'],
    [paying({ expiry: null }), 422, 'invalid_payment'],
    [paying({ cvc: 123 }), 422, 'invalid_payment'],
    [{ bookingId: 1, mandateId: 1, buyer: 1, payment: 1 }, 422, 'invalid_booking'],
    [{ ...whole, mandateId: 1, buyer: 1, payment: 1 }, 422, 'invalid_mandate'],
    [{ ...whole, buyer: 1, payment: 1 }, 422, 'invalid_body'],
    [{ ...whole, buyer: { name: 'x'.repeat(65 * 1024) } }, 413, 'payload_too_large'],
  ])('%.70j answers %i %s', async (body, status, error) =>
    expect(await refusalOf(setting.service, () => setting.ana.post('/orders', body))).toEqual(refused(status, error)),
  );
});

/** Each row is wrong in everything that is judged later, too: so the order of the rows is that of the refusals. */
describe('an order is refused for', () => {
  it.each([
    ['a booking nobody knows', () => crypto.randomUUID(), 422, 'invalid_booking'],
    ['what is no id', () => 'booking', 422, 'invalid_booking'],
    ["another holder's booking", () => foreign.id, 422, 'invalid_booking'],
    ["another client's booking", () => ofOther.id, 422, 'invalid_booking'],
    ['an empty booking', () => empty.id, 422, 'booking_empty'],
    ['a booking with a ticket', () => ordered.id, 409, 'booking_already_ordered'],
    ['more seats than are left', () => crowd.id, 422, 'seats_unavailable'],
  ])('%s, before the mandate is looked at', async (_, bookingId, status, error) => {
    const request = { bookingId: bookingId(), mandateId: crypto.randomUUID(), payment: BAD_CARD };
    expect(await placed(request)).toEqual(refused(status, error));
  });

  it('another total than the one expected, before the seats are counted', async () => {
    const request = { bookingId: crowd.id, mandateId: crypto.randomUUID(), payment: BAD_CARD };
    for (const expectedTotal of [brl(crowd.total.amount - 1), { ...crowd.total, currency: 'USD' }])
      expect(await placed({ ...request, expectedTotal })).toEqual(refused(422, 'total_changed'));
    expect(await placed({ ...request, expectedTotal: crowd.total })).toEqual(refused(422, 'seats_unavailable'));
    expect(await placed({ ...request, bookingId: ordered.id, expectedTotal: brl(1) })).toEqual(
      refused(409, 'booking_already_ordered'),
    );
  });

  it.each([
    ['that nobody knows', () => crypto.randomUUID(), 422, 'invalid_mandate', false],
    ['that is no id', () => 'mandate', 422, 'invalid_mandate', false],
    ['of another holder', () => mandates.foreign.id, 422, 'invalid_mandate', false],
    ['of another client, revoked', () => mandates.ofOther.id, 422, 'mandate_client_mismatch', false],
    ['revoked, and expired since', () => mandates.revoked.id, 409, 'mandate_revoked', true],
    ['expired, and for no charges', () => mandates.expired.id, 409, 'mandate_expired', true],
    ['without order:write, and too small', () => mandates.noOrder.id, 422, 'mandate_scope_insufficient', true],
    ['without payment:execute', () => mandates.noCharge.id, 422, 'mandate_scope_insufficient', true],
    ['in another currency, and too small', () => mandates.dollars.id, 422, 'currency_mismatch', true],
    ['too small by one cent', () => mandates.small.id, 422, 'mandate_limit_exceeded', true],
    ['that is exhausted', () => mandates.exhausted.id, 422, 'mandate_limit_exceeded', true],
  ])('a mandate %s, before the card is looked at', async (_, mandateId, status, error, isRecorded) => {
    const request = { bookingId: booking.id, mandateId: mandateId(), payment: BAD_CARD };
    expect(await placed(request)).toEqual(refused(status, error, isRecorded ? ['MandateChargeRefused'] : []));
  });

  it.each([
    ['failing Luhn', { cardNumber: '4242424242424241' }, 'payment_card_invalid'],
    ['of letters', { cardNumber: 'quatro dois' }, 'payment_card_invalid'],
    ['good to month 13', { expiry: '13/30' }, 'payment_card_invalid'],
    ['with a cvc of two digits', { cvc: '12' }, 'payment_card_invalid'],
    ['expired', { expiry: '01/20' }, 'payment_card_expired'],
  ])('a card %s', async (_, wrong, error) => {
    const request = { bookingId: booking.id, mandateId: mandates.good.id, payment: { ...GOOD_CARD, ...wrong } };
    expect(await placed(request)).toEqual(refused(402, error));
  });

  it('want of a mandate, where its holder has none', async () => {
    const ofBruno = await book(setting.bruno);
    await setting.bruno.call('DELETE', `/mandates/${mandates.foreign.id}`);
    const call = () => setting.bruno.post<never>('/orders', { bookingId: ofBruno.id, payment: GOOD_CARD });
    expect(await refusalOf(setting.service, call)).toEqual(refused(422, 'mandate_required'));
  });
});

describe('a refused order', () => {
  it('changed nothing: the booking can still be ordered, the mandates hold what they held', async () => {
    for (const name of ['small', 'noCharge', 'noOrder', 'dollars', 'revoked', 'expired'] as const)
      expect(await mandateNow(setting.ana, mandates[name])).toMatchObject({
        consumed: { amount: 0 },
        reserved: { amount: 0 },
      });
    expect((await order(setting.ana, booking, mandates.good)).status).toBe(201);
  });

  it('over the ceiling says what it needs and what is left', async () => {
    const { body } = await order(setting.ana, await book(setting.ana), mandates.small);
    expect(body).toMatchObject({ details: { required: brl(TRIP_PRICE), remaining: brl(TRIP_PRICE - 1) } });
  });

  it('of a booking with a ticket names its order', async () => {
    const { body } = await order(setting.ana, ordered, mandates.good);
    expect(body).toMatchObject({ order: { id: paid.id, status: 'paid', url: paid.url } });
  });

  it('leaves in the mandate why, and no order', async () => {
    const path = `/mandates/${mandates.dollars.id}/events`;
    const { items } = bodyOf(await setting.ana.get<{ items: readonly object[] }>(path), 200);
    expect(items.at(-1)).toMatchObject({ type: 'MandateChargeRefused', orderId: null, reason: 'currency_mismatch' });
  });
});
