import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Money } from '#kernel';
import { Ap2Error } from './ap2-error.js';
import { verifyChain } from './mandate-chain.js';
import { authorizedBy, type SignedCheckout } from './merchant-authorization.js';
import type { Claims } from './sd-jwt.js';
import {
  closedBy,
  edited,
  forged,
  type Minting,
  rootMandate,
  sha256,
  testKey,
  type TestKey,
} from './testing/test-platform.js';
import { type Purchase, verifyMandates } from './verify-mandates.js';

const NOW = new Date('2026-11-27T12:00:00Z');
const SECOND = NOW.getTime() / 1_000;
const DAY = 86_400;
const US = { id: 'alcada', name: 'Alçada', website: 'https://voos.example' };
const TOTAL: Money = { amount: 64_990, currency: 'BRL' };

const merchant = testKey('merchant-1');
const traveller = testKey('traveller-1');
const agent = testKey('agent-1');
const stranger = testKey('traveller-1');
const [other, platform] = [testKey('traveller-2'), testKey('platform-1')];

const FARE = 'AL4011:2026-12-12:LEVE';
const CHECKOUT = {
  id: 'chk-1',
  status: 'ready_for_complete',
  currency: 'BRL',
  line_items: [{ id: 'li-1', item: { id: FARE, title: 'Leve', price: 64_990 }, quantity: 1 }],
  totals: [{ type: 'total', amount: 64_990 }],
};

const OPEN_CHECKOUT: Claims = {
  vct: 'mandate.checkout.open.1',
  constraints: [
    { type: 'checkout.allowed_merchants', allowed: [{ id: 'other', name: 'Outra' }, US] },
    {
      type: 'checkout.line_items',
      items: [{ id: 'r', acceptable_items: [{ id: FARE, title: 'Leve' }], quantity: 1 }],
    },
  ],
  cnf: { jwk: agent.jwk },
  iat: SECOND - 60,
  exp: SECOND + DAY,
};
const RANGE = { type: 'payment.amount_range', currency: 'BRL', max: 70_000, min: 100 };
const BUDGET = { type: 'payment.budget', currency: 'BRL', max: 1_500.5 };
const ON_DEMAND = { type: 'payment.agent_recurrence', frequency: 'ON_DEMAND' };
const PAYEES = { type: 'payment.allowed_payees', allowed: [US] };

/** What of a purchase is another than usual. */
interface Case {
  readonly checkout?: SignedCheckout;
  readonly now?: Date;
  readonly signedBy?: TestKey;
  readonly closedWith?: TestKey;
  /** Who signed the mandate of the payment, where it is somebody else. */
  readonly paidBy?: TestKey;
  readonly openCheckout?: Claims;
  readonly openPayment?: Claims;
  readonly constraints?: readonly Claims[];
  /** What the agent restricts further as it passes the payment on to itself. */
  readonly passedOn?: readonly Claims[];
  readonly closedCheckout?: Claims;
  readonly closedPayment?: Claims;
  readonly open?: Minting;
  readonly closed?: Minting;
  /** What the agent lets be seen of the open mandate of the checkout. */
  readonly redacted?: (open: string) => string;
  /** What becomes of the mandate of the checkout on its way. */
  readonly onItsWay?: (mandate: string) => string;
  readonly total?: Money;
}

const FRAME: Minting = { frame: { constraints: { 0: { allowed: { _sd: [0, 1] } } } } };

const presented = async (of: Case) => {
  const { checkout_jwt: jwt } = await authorizedBy(CHECKOUT, merchant);
  const { signedBy = traveller, closedWith = agent, paidBy = signedBy } = of;
  const wholeOpen = await rootMandate({ ...OPEN_CHECKOUT, ...of.openCheckout }, signedBy, { ...FRAME, ...of.open });
  const openCheckout = (of.redacted ?? String)(wholeOpen);
  const reference = { type: 'payment.reference', conditional_transaction_id: sha256(openCheckout) };
  const openPayment = await rootMandate(
    {
      vct: 'mandate.payment.open.1',
      constraints: [...(of.constraints ?? [RANGE, PAYEES]), reference],
      cnf: { jwk: agent.jwk },
      iat: SECOND - 60,
      exp: SECOND + DAY,
      ...of.openPayment,
    },
    paidBy,
  );
  const hop = { vct: 'mandate.payment.open.1', constraints: of.passedOn, cnf: { jwk: agent.jwk } };
  const toClose = of.passedOn
    ? await closedBy(agent, openPayment, hop, { header: { typ: 'kb+sd-jwt+kb' } })
    : openPayment;
  const checkoutContent = {
    vct: 'mandate.checkout.1',
    checkout_jwt: jwt,
    checkout_hash: sha256(jwt),
    ...of.closedCheckout,
  };
  const paymentContent = {
    vct: 'mandate.payment.1',
    transaction_id: sha256(jwt),
    payee: US,
    payment_amount: TOTAL,
    payment_instrument: { id: 'card-1', type: 'card' },
    ...of.closedPayment,
  };
  const closed = { frame: { _sd: ['checkout_jwt'] }, ...of.closed };
  return {
    checkout: (of.onItsWay ?? String)(await closedBy(closedWith, openCheckout, checkoutContent, closed)),
    payment: await closedBy(closedWith, toClose, paymentContent, { ...of.closed, frame: {} }),
  };
};

const SIGNERS = [
  { holder: 'ana', platform: null, key: traveller },
  { holder: 'bia', platform: null, key: other },
  { holder: 'ana', platform: 'https://plataforma.example', key: platform },
];

const purchaseOf = ({ checkout = CHECKOUT, total = TOTAL }: Case): Purchase => ({
  checkout: checkout as Purchase['checkout'],
  total,
  us: US,
  ourKeys: new Map([[merchant.kid, merchant.jwk]]),
});

const verifyingAt = ({ now = NOW }: Case) => ({
  hasPlatformKey: true,
  signerOf: (kid: string) =>
    Promise.resolve(SIGNERS.find(({ key }) => kid === key.kid) ?? null).then(
      (known) => known && { ...known, key: known.key.jwk },
    ),
  audiences: ['https://voos.example', 'alcada'],
  nonce: 'n-1',
  now,
});

const verified = async (of: Case) => verifyMandates(await presented(of), purchaseOf(of), verifyingAt(of));

const encoded = (disclosure: readonly unknown[]) => Buffer.from(JSON.stringify(disclosure)).toString('base64url');

/** Without what says this text, and is disclosed. */
const without = (text: string) => (open: string) =>
  edited(open, ([jwt = '', ...parts]) => [
    jwt,
    ...parts.filter((part) => {
      const said = Buffer.from(part, 'base64url').toString();
      return !said.includes(text) || said.includes('mandate.checkout.open.1');
    }),
  ]);

const withClosedJwt = (text: string, edit: (jwt: string) => string) => {
  const [open = '', closed = ''] = text.split('~~');
  return `${open}~~${edited(closed, ([jwt = '', ...parts]) => [edit(jwt), ...parts])}`;
};

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The same 64 bytes of a signature as another text. */
const withSpareBits = (jwt: string) => jwt.slice(0, -1) + (BASE64URL[BASE64URL.indexOf(jwt.slice(-1)) + 1] ?? '');

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The other signature that verifies wherever this one does: anybody can make it. */
const withOtherSignature = (jwt: string) => {
  const [header = '', payload = '', signature = ''] = jwt.split('.');
  const hex = Buffer.from(signature, 'base64url').toString('hex');
  const other = (ORDER - BigInt(`0x${hex.slice(64)}`)).toString(16).padStart(64, '0');
  return [header, payload, Buffer.from(hex.slice(0, 64) + other, 'hex').toString('base64url')].join('.');
};

/** A code of the agent's public key, as if that were a secret. */
const withMac = (jwt: string) => {
  const signed = forged(jwt, { alg: 'HS256' }).split('.').slice(0, 2).join('.');
  return `${signed}.${createHmac('sha256', JSON.stringify(agent.jwk)).update(signed).digest('base64url')}`;
};

/** A claim disclosed that is there already, or may not be. */
const claiming = (name: string): Case => {
  const disclosure = encoded(['salt', name, 'alcada']);
  return { closed: { claims: { _sd: [sha256(disclosure)] } }, onItsWay: (text) => `${text}${disclosure}~` };
};

/** So many of these fares, each one or another. */
const wanting = (fares: readonly (readonly [string, number])[]): Case => ({
  open: { frame: {} },
  openCheckout: {
    constraints: [
      {
        type: 'checkout.line_items',
        items: fares.map(([ids, quantity], at) => ({
          id: `r-${String(at)}`,
          acceptable_items: ids.split(' or ').map((id) => ({ id, title: id })),
          quantity,
        })),
      },
    ],
  },
});

/** Under which code a case is refused, and what its receipt says. */
const refusalOf = async (of: Case): Promise<string> => {
  const refused = await verified(of).catch((error: unknown) => error);
  return refused instanceof Ap2Error
    ? `${refused.code} ${refused.refused.code}`
    : `accepted ${JSON.stringify(refused)}`;
};

const SIGNATURE = 'mandate_invalid_signature invalid_credential';
const SCOPE = 'mandate_scope_mismatch invalid_mandate';
const UNKNOWN = 'mandate_scope_mismatch unresolved_constraint';
const EXPIRED = 'mandate_expired invalid_mandate';

describe('the mandates of a purchase', () => {
  it('authorize it, and say whose they are, what they are redeemed by, and what the open one permits', async () => {
    const authorized = await verified({});
    expect(authorized).toMatchObject({
      signer: { holder: 'ana', platform: null },
      payment: { instrument: { id: 'card-1', type: 'card' } },
      open: { issuedAt: (SECOND - 60) * 1_000, endsAt: (SECOND + DAY) * 1_000, constraints: [RANGE, PAYEES, {}] },
    });
    expect(new Set([authorized.checkout, authorized.payment].flatMap(Object.values)).size).toBe(5);
  });

  it('permit what the traveller signed, whatever an agent adds that passes them on', async () => {
    const permitted = await verified({ passedOn: [{ ...RANGE, max: 64_990 }] });
    expect(permitted.open?.constraints).toMatchObject([RANGE, PAYEES, {}]);
  });

  it('authorize it with only those merchants disclosed that matter', async () => {
    expect(await refusalOf({ redacted: without('"other"') })).toContain('accepted {"signer"');
  });

  it('are the same open one however often, and the same closed one under any signature of it', async () => {
    const open = await rootMandate(OPEN_CHECKOUT, traveller);
    const closed = await closedBy(agent, open, { vct: 'mandate.checkout.1' });
    const first = await verifyChain(closed, verifyingAt({}));
    const resigned = await verifyChain(withClosedJwt(closed, withOtherSignature), verifyingAt({}));
    const second = await verifyChain(await closedBy(agent, open, { vct: 'mandate.checkout.1' }), verifyingAt({}));
    expect(resigned.redemption).toBe(first.redemption);
    expect(resigned.reference).not.toBe(first.reference);
    expect(second.redemption).not.toBe(first.redemption);
    expect(second.open[0]?.id).toBe(first.open[0]?.id);
  });

  it('are two open ones where two were signed together, of which each is shown alone', async () => {
    const together = { claims: { delegate_payload: [OPEN_CHECKOUT, { ...OPEN_CHECKOUT, exp: SECOND + 60 }] } };
    const [jwt = '', ...disclosures] = (await rootMandate({}, traveller, together)).split('~');
    const ids = disclosures.slice(0, -1).map(async (shown) => {
      const closed = await closedBy(agent, `${jwt}~${shown}~`, { vct: 'mandate.checkout.1' });
      return (await verifyChain(closed, verifyingAt({}))).open[0]?.id;
    });
    expect(new Set(await Promise.all(ids)).size).toBe(2);
  });

  it('pass from agent to agent, and to each only what the one before allows', async () => {
    const second = testKey('agent-2');
    const passed = (content: Claims = { cnf: { jwk: second.jwk } }, typ = 'kb+sd-jwt+kb') =>
      rootMandate(OPEN_CHECKOUT, traveller).then((open) =>
        closedBy(agent, open, { vct: 'mandate.checkout.open.1', constraints: [], ...content }, { header: { typ } }),
      );
    const closed = async (open: string, by = second) =>
      verifyChain(await closedBy(by, open, { vct: 'mandate.checkout.1' }), verifyingAt({}));
    expect((await closed(await passed())).open).toHaveLength(2);
    const twice = await closedBy(
      second,
      await passed(),
      { cnf: { jwk: second.jwk } },
      { header: { typ: 'kb+sd-jwt+kb' } },
    );
    const often = await closedBy(second, twice, { cnf: { jwk: second.jwk } }, { header: { typ: 'kb+sd-jwt+kb' } });
    const tooOften = await closedBy(second, often, { cnf: { jwk: second.jwk } }, { header: { typ: 'kb+sd-jwt+kb' } });
    expect((await closed(often)).open).toHaveLength(4);
    for (const wrong of [
      closed(tooOften),
      closed(await passed({})),
      closed(await passed({ cnf: { jwk: second.jwk } }, 'kb+sd-jwt')),
    ])
      await expect(wrong).rejects.toThrow('mandate_invalid_signature');
    await expect(closed(await passed(), agent)).rejects.toThrow('mandate_invalid_signature');
    const nobody = verifyChain(await passed(), verifyingAt({}));
    await expect(nobody).rejects.toThrow('mandate_invalid_signature'); // it was never closed
  });

  it('authorize it without an agent, where the traveller signed it and the key it names says for whom', async () => {
    const { checkout_jwt: jwt } = await authorizedBy(CHECKOUT, merchant);
    const direct = async (content: Claims) => {
      const root = await rootMandate({ ...content, cnf: { jwk: agent.jwk } }, traveller);
      const binding = new SignJWT({ aud: 'alcada', nonce: 'n-1', iat: SECOND, sd_hash: sha256(root) });
      return root + (await binding.setProtectedHeader({ alg: 'ES256', typ: 'kb+jwt' }).sign(agent.privateKey));
    };
    const checkout = await direct({ vct: 'mandate.checkout.1', checkout_jwt: jwt, checkout_hash: sha256(jwt) });
    const payment = await direct({
      vct: 'mandate.payment.1',
      transaction_id: sha256(jwt),
      payee: US,
      payment_amount: TOTAL,
      payment_instrument: { id: 'card-1', type: 'card' },
    });
    const both = { checkout, payment };
    await expect(verifyMandates(both, purchaseOf({}), verifyingAt({}))).resolves.toMatchObject({ open: null });
    const another = (await direct({ vct: 'x' })).split('~').at(-1) ?? '';
    const misbound = { ...both, checkout: checkout.slice(0, checkout.lastIndexOf('~') + 1) + another };
    await expect(verifyMandates(misbound, purchaseOf({}), verifyingAt({}))).rejects.toThrow(
      'mandate_invalid_signature',
    );
    const unbound = { ...both, checkout: checkout.slice(0, checkout.lastIndexOf('~') + 1) };
    await expect(verifyMandates(unbound, purchaseOf({}), verifyingAt({}))).rejects.toThrow('mandate_invalid_signature');
  });

  it.each<[string, string, Case]>([
    // Who signed it
    ['a key that nobody registered', 'agent_missing_key invalid_credential', { signedBy: testKey('nobody') }],
    ['another key under a registered name', SIGNATURE, { signedBy: stranger }],
    ['an agent that the open mandate does not name', SIGNATURE, { closedWith: testKey('agent-1') }],
    [
      'no signature at all',
      SIGNATURE,
      { onItsWay: (text) => withClosedJwt(text, (jwt) => forged(jwt, { alg: 'none' })) },
    ],
    ['a secret in place of a key', SIGNATURE, { openCheckout: { cnf: { jwk: { kty: 'oct', k: 'c2VjcmV0' } } } }],
    ['a private key', SIGNATURE, { openCheckout: { cnf: { jwk: { ...agent.jwk, d: 'AA' } } } }],
    [
      'a key of another curve than the algorithm',
      SIGNATURE,
      { openCheckout: { cnf: { jwk: testKey('a', 'P-384').jwk } } },
    ],
    ['HS256 over a public key', SIGNATURE, { onItsWay: (text) => withClosedJwt(text, withMac) }],
    ['an extension that must be understood', SIGNATURE, { closed: { header: { crit: ['b64'], b64: true } } }],
    ['a payment of another traveller', SCOPE, { paidBy: other }],
    ['a payment that another spoke for', SCOPE, { paidBy: platform }],
    // How it is bound
    ['no binding', SIGNATURE, { closed: { claims: { sd_hash: undefined } } }],
    [
      'a key bound after the chain',
      SIGNATURE,
      { onItsWay: (text) => text + (text.split('~~')[1]?.split('~')[0] ?? '') },
    ],
    [
      'two mandates in one',
      SIGNATURE,
      { closed: { claims: { delegate_payload: [{ vct: 'mandate.checkout.1' }, {}] } } },
    ],
    ['another open mandate', SIGNATURE, { closed: { claims: { sd_hash: sha256('another~') } } }],
    ['both ways of binding at once', SIGNATURE, { closed: { claims: { issuer_jwt_hash: 'x' } } }],
    ['a type that closes nothing', SIGNATURE, { closed: { header: { typ: 'example+sd-jwt' } } }],
    ['a closed mandate for somebody else to close', SIGNATURE, { closedCheckout: { cnf: { jwk: agent.jwk } } }],
    ['another audience', SCOPE, { closed: { claims: { aud: 'https://outra.example' } } }],
    ['the nonce of another checkout', SCOPE, { closed: { claims: { nonce: 'n-0' } } }],
    ['no nonce', SIGNATURE, { closed: { claims: { nonce: undefined } } }],
    ['no time of closing', SIGNATURE, { closed: { claims: { iat: undefined } } }],
    ['the open mandate alone', SIGNATURE, { onItsWay: (text) => `${text.split('~~')[0] ?? ''}~` }],
    ['the closed mandate alone', SIGNATURE, { onItsWay: (text) => text.split('~~')[1] ?? '' }],
    ['no mandate', SIGNATURE, { onItsWay: () => 'not.a.chain~' }],
    ['a longer text than any mandate', SIGNATURE, { onItsWay: (text) => text + '~'.repeat(65_536) }],
    // What is disclosed
    ['a disclosure less', SIGNATURE, { onItsWay: (text) => edited(text, (parts) => parts.toSpliced(-2, 1)) }],
    ['a disclosure more', SIGNATURE, { onItsWay: (text) => `${text}${encoded(['salt', 'note', 1])}~` }],
    ['a disclosure twice', SIGNATURE, { onItsWay: (text) => `${text}${text.split('~').at(-2) ?? ''}~` }],
    ['other spare bits in a signature', SIGNATURE, { onItsWay: (text) => withClosedJwt(text, withSpareBits) }],
    ['a claim that is disclosed and there', SIGNATURE, claiming('aud')],
    ['a digest that stands for a claim of ours', SIGNATURE, claiming('__proto__')],
    [
      'what may restrict it, undisclosed',
      SCOPE,
      { open: { frame: { constraints: { _sd: [1] } } }, redacted: without('line_items') },
    ],
    ['an end that is undisclosed', SCOPE, { open: { frame: { _sd: ['exp'] } }, redacted: without('"exp"') }],
    [
      'more levels than any mandate',
      SIGNATURE,
      { closedCheckout: { deep: JSON.parse('['.repeat(99) + ']'.repeat(99)) as unknown } },
    ],
    // When
    ['the open mandate past its end', EXPIRED, { openCheckout: { exp: SECOND } }],
    ['the open payment mandate past its end', EXPIRED, { openPayment: { exp: SECOND - 1 } }],
    ['the closed mandate past its end', EXPIRED, { closedCheckout: { exp: SECOND - 1 } }],
    ['a mandate of tomorrow', SIGNATURE, { closed: { claims: { nbf: SECOND + DAY } } }],
    ['a time that is no time', SIGNATURE, { openCheckout: { exp: 'tomorrow' } }],
    [
      'a state that would have to be asked for',
      SCOPE,
      { openPayment: { status: { status_list: { idx: 1, uri: 'https://x' } } } },
    ],
    // Of which checkout
    [
      'a checkout that costs something else',
      SCOPE,
      { checkout: { ...CHECKOUT, totals: [{ type: 'total', amount: 1 }] } },
    ],
    ['another checkout', SCOPE, { checkout: { ...CHECKOUT, id: 'chk-2' } }],
    ['other travellers', SCOPE, { checkout: { ...CHECKOUT, 'com.example.air': { passengers: ['Bia'] } } }],
    ['a hash of another checkout', SIGNATURE, { closedCheckout: { checkout_hash: sha256('x') } }],
    ['no checkout', SIGNATURE, { closedCheckout: { checkout_jwt: undefined } }],
    ['a later version of the form', SIGNATURE, { closedCheckout: { vct: 'mandate.checkout.2' } }],
    ['a payment mandate in its place', SIGNATURE, { closedCheckout: { vct: 'mandate.payment.1' } }],
    ['a payment of another checkout', SCOPE, { closedPayment: { transaction_id: sha256('x') } }],
    ['a payment of no checkout', SIGNATURE, { closedPayment: { transaction_id: '' } }],
    ['another payee', SCOPE, { constraints: [RANGE], closedPayment: { payee: { id: 'outra', name: 'Alçada' } } }],
    ['another amount', SCOPE, { closedPayment: { payment_amount: { amount: 64_989, currency: 'BRL' } } }],
    ['another currency', SCOPE, { closedPayment: { payment_amount: { amount: 64_990, currency: 'USD' } } }],
    ['part of a cent', SIGNATURE, { closedPayment: { payment_amount: { amount: 64_990.5, currency: 'BRL' } } }],
    ['somebody who initiates the payment', SCOPE, { closedPayment: { pisp: { legal_name: 'P' } } }],
    ['a payment of tomorrow', SCOPE, { closedPayment: { execution_date: '2026-11-28' } }],
    ['a day that is none', SCOPE, { closedPayment: { execution_date: 'soon' } }],
    // What the open mandates allow
    [
      'another shop alone',
      SCOPE,
      {
        openCheckout: {
          constraints: [{ type: 'checkout.allowed_merchants', allowed: [{ id: 'other', name: 'Outra' }] }],
        },
        open: { frame: {} },
      },
    ],
    [
      'no shop',
      SCOPE,
      { openCheckout: { constraints: [{ type: 'checkout.allowed_merchants', allowed: [] }] }, open: { frame: {} } },
    ],
    ['another flight', SCOPE, wanting([['AL1', 1]])],
    [
      'the flight and one more',
      SCOPE,
      wanting([
        [FARE, 1],
        ['AL1', 1],
      ]),
    ],
    ['two seats', SCOPE, wanting([[FARE, 2]])],
    [
      'a constraint that nobody knows',
      UNKNOWN,
      { constraints: [RANGE, { type: 'payment.moon_phase', phase: 'full' }] },
    ],
    [
      'a constraint of a flight that nobody knows',
      UNKNOWN,
      { openCheckout: { constraints: [{ type: 'checkout.cabin' }] }, open: { frame: {} } },
    ],
    ['a known constraint that says more', UNKNOWN, { constraints: [{ ...RANGE, per_day: true }] }],
    ['more than it may cost', SCOPE, { constraints: [{ ...RANGE, max: 64_989 }] }],
    ['less than it has to cost', SCOPE, { constraints: [{ ...RANGE, min: 64_991 }] }],
    ['an amount in another currency', SCOPE, { constraints: [{ ...RANGE, currency: 'USD' }] }],
    ['more than the budget', SCOPE, { constraints: [{ ...BUDGET, max: 649.89 }] }],
    ['a budget in another currency', SCOPE, { constraints: [{ ...BUDGET, currency: 'USD' }] }],
    ['a budget in a currency that nobody here knows', SCOPE, { constraints: [{ ...BUDGET, currency: 'JPY' }] }],
    ['other payees', SCOPE, { constraints: [{ ...PAYEES, allowed: [{ id: 'outra', name: 'Alçada' }] }] }],
    [
      'another card',
      SCOPE,
      { constraints: [{ type: 'payment.allowed_payment_instruments', allowed: [{ id: 'card-2', type: 'card' }] }] },
    ],
    ['initiators of payments', SCOPE, { constraints: [{ type: 'payment.allowed_pisps', allowed: [] }] }],
    ['days before', SCOPE, { constraints: [{ type: 'payment.execution_date', not_after: '2026-11-26' }] }],
    ['days to come', SCOPE, { constraints: [{ type: 'payment.execution_date', not_before: '2026-11-28' }] }],
    [
      'another checkout mandate',
      SCOPE,
      { constraints: [{ type: 'payment.reference', conditional_transaction_id: sha256('x') }] },
    ],
    ['a budget of the agent’s own', UNKNOWN, { passedOn: [BUDGET] }],
    ['a recurrence of the agent’s own', UNKNOWN, { passedOn: [ON_DEMAND] }],
    ['more than an agent passed on', SCOPE, { passedOn: [{ ...RANGE, max: 64_989 }] }],
    ['another payee said beforehand', SCOPE, { openPayment: { payee: { ...US, name: 'Outra' } } }],
    ['something else said beforehand', SCOPE, { openPayment: { promise: 'kept' } }],
    ['a total that changed since', SCOPE, { total: { amount: 64_991, currency: 'BRL' } }],
  ])('do not authorize it with %s', async (_, refusal, of) => {
    expect(await refusalOf(of)).toBe(refusal);
  });

  it.each<[string, Case]>([
    ['one of several flights', wanting([['AL1 or ' + FARE, 1]])],
    [
      'today as its last day',
      { constraints: [{ type: 'payment.execution_date', not_before: '2026-11-27', not_after: '2026-11-27' }] },
    ],
    [
      'this card',
      {
        constraints: [
          {
            type: 'payment.allowed_payment_instruments',
            allowed: [{ id: 'card-1', type: 'card', description: '4242' }],
          },
        ],
      },
    ],
    ['the amount said beforehand', { openPayment: { payment_amount: TOTAL, payee: US } }],
    ['a recurrence', { constraints: [RANGE, BUDGET, { type: 'payment.agent_recurrence', frequency: 'DAILY' }] }],
  ])('authorize it with %s', async (_, of) => {
    expect(await refusalOf(of)).toContain('accepted {"signer"');
  });

  it.each([
    ['merchant_authorization_missing', (checkout: SignedCheckout) => ({ ...checkout, ap2: {} })],
    ['merchant_authorization_invalid', (checkout: SignedCheckout) => ({ ...checkout, id: 'chk-2' })],
  ])('do not authorize what is %s', async (code, change) => {
    const signed = await authorizedBy(CHECKOUT, merchant);
    const whole = { ...CHECKOUT, ap2: { merchant_authorization: signed.merchant_authorization } };
    const jwt = await new SignJWT(change(whole))
      .setProtectedHeader({ alg: 'ES256', kid: merchant.kid })
      .sign(merchant.privateKey);
    expect(await refusalOf({ closedCheckout: { checkout_jwt: jwt, checkout_hash: sha256(jwt) } })).toContain(code);
  });

  it('do not authorize what another merchant signed, nor without both of them', async () => {
    const { checkout_jwt: jwt } = await authorizedBy(CHECKOUT, testKey(merchant.kid));
    const foreign = await refusalOf({ closedCheckout: { checkout_jwt: jwt, checkout_hash: sha256(jwt) } });
    expect(foreign).toContain('merchant_authorization_invalid');
    const { checkout, payment } = await presented({});
    for (const some of [{ checkout }, { payment }, {}])
      await expect(verifyMandates(some, purchaseOf({}), verifyingAt({}))).rejects.toThrow('mandate_required');
  });

  it('are not looked at for a platform without a key, and no mandate is blamed for what others fail in', async () => {
    const verify = (more: object, checkout = 'not.a.chain~') =>
      verifyMandates({ checkout }, purchaseOf({}), { ...verifyingAt({}), ...more });
    await expect(verify({ hasPlatformKey: false })).rejects.toThrow('agent_missing_key');
    await expect(verify({})).rejects.toThrow('mandate_invalid_signature');
    const signerOf = () => Promise.reject(new Error('the store does not answer'));
    await expect(verify({ signerOf }, (await presented({})).checkout)).rejects.toThrow('the store does not answer');
  });
});
