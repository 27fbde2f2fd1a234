import { compactVerify, decodeProtectedHeader, importJWK } from 'jose';
import { canonicalJson } from '#kernel';
import { Ap2Error } from './ap2-error.js';
import { authorizedBy, merchantAuthorization, verifyMerchantAuthorization } from './merchant-authorization.js';
import { checkoutReceipt, paymentReceipt } from './receipts.js';
import { testKey } from './testing/test-platform.js';

const NOW = new Date('2026-11-27T12:00:00.900Z');
const key = testKey('merchant-1');
const KEYS = new Map([[key.kid, key.jwk]]);
const CHECKOUT = { currency: 'BRL', id: 'chk-1', totals: [{ type: 'total', amount: 1 }], title: 'São Paulo', n: 1e21 };

const said = async (jws: string): Promise<unknown> => {
  const { payload } = await compactVerify(jws, await importJWK(key.jwk, 'ES256'));
  return JSON.parse(new TextDecoder().decode(payload));
};

describe('the authorization of a checkout', () => {
  it('is a detached JWS over its canonical form, without what is of AP2', async () => {
    const jws = await merchantAuthorization({ ...CHECKOUT, ap2: { merchant_authorization: 'before' } }, key);
    expect(jws).toMatch(/^[A-Za-z0-9_-]+\.\.[A-Za-z0-9_-]{86}$/);
    expect(decodeProtectedHeader(jws)).toEqual({ alg: 'ES256', kid: 'merchant-1' });
    expect(canonicalJson(CHECKOUT)).toBe(
      '{"currency":"BRL","id":"chk-1","n":1e+21,"title":"São Paulo","totals":[{"amount":1,"type":"total"}]}',
    );
    expect(await said(jws.replace('..', `.${Buffer.from(canonicalJson(CHECKOUT)).toString('base64url')}.`))).toEqual(
      CHECKOUT,
    );
    const other = {
      ap2: { merchant_authorization: jws, later: 1 },
      ...Object.fromEntries(Object.entries(CHECKOUT).reverse()),
    };
    await expect(verifyMerchantAuthorization(other, KEYS)).resolves.toBeUndefined();
  });

  it('is in what a mandate takes in', async () => {
    const { merchant_authorization: jws, checkout_jwt: jwt } = await authorizedBy(CHECKOUT, key);
    expect(await said(jwt)).toEqual({ ...CHECKOUT, ap2: { merchant_authorization: jws } });
  });

  it('is not that of another checkout, key or form, and never missing', async () => {
    const jws = await merchantAuthorization(CHECKOUT, key);
    const verify = (checkout: object, authorization?: unknown) =>
      verifyMerchantAuthorization({ ...checkout, ap2: { merchant_authorization: authorization } }, KEYS);
    await expect(verify({ ...CHECKOUT, id: 'chk-2' }, jws)).rejects.toThrow('merchant_authorization_invalid');
    await expect(verify(CHECKOUT, await merchantAuthorization(CHECKOUT, testKey('merchant-1')))).rejects.toThrow(
      '_invalid',
    );
    await expect(verify(CHECKOUT, await merchantAuthorization(CHECKOUT, testKey('merchant-2')))).rejects.toThrow(
      '_invalid',
    );
    await expect(verify(CHECKOUT, `${jws}.`)).rejects.toThrow('merchant_authorization_invalid');
    await expect(verify(CHECKOUT, 1)).rejects.toThrow('merchant_authorization_invalid');
    await expect(verify(CHECKOUT)).rejects.toThrow('merchant_authorization_missing');
  });
});

describe('a receipt', () => {
  const OF = { iss: 'https://voos.example', reference: 'hash', now: NOW, log: 'c2sp.org/tlog-proof@v1' };
  const SAID = {
    iss: 'https://voos.example',
    reference: 'hash',
    iat: NOW.getTime() / 1_000 - 0.9,
    log: 'c2sp.org/tlog-proof@v1',
  };

  it('of a checkout says its order, or why there is none', async () => {
    expect(await said(await checkoutReceipt(OF, { orderId: 'o-1' }, key))).toEqual({
      ...SAID,
      status: 'Success',
      order_id: 'o-1',
    });
    const { refused } = new Ap2Error('mandate_scope_mismatch', 'Detalhe.', { isUnresolved: true });
    expect(await said(await checkoutReceipt({ ...OF, log: undefined }, refused, key))).toEqual({
      iss: SAID.iss,
      reference: 'hash',
      iat: SAID.iat,
      status: 'Error',
      error: 'unresolved_constraint',
      error_description: 'O mandato não autoriza esta compra. Detalhe.',
    });
  });

  it('of a payment says its charge, or why there is none, and which attempt it was', async () => {
    expect(await said(await paymentReceipt(OF, 'p-1', { confirmationId: 'c-1' }, key))).toEqual({
      ...SAID,
      status: 'Success',
      payment_id: 'p-1',
      psp_confirmation_id: 'c-1',
      network_confirmation_id: 'c-1',
    });
    const refused = await said(await paymentReceipt(OF, 'p-1', new Ap2Error('mandate_expired').refused, key));
    expect(refused).toMatchObject({ status: 'Error', payment_id: 'p-1', error: 'invalid_mandate' });
  });
});
