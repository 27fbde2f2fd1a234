import { inflateSync } from 'node:zlib';
import { compactVerify, calculateJwkThumbprint, importJWK, type JWK } from 'jose';
import { KEPT_CARDS } from '#ucp';
import {
  closedBy,
  rootMandate,
  sha256,
  SigningPlatform,
  testKey,
  type TestKey,
} from '../../libs/ucp/src/testing/index.js';
import { ANA, apiAt, BRUNO } from '../support/agent.js';
import { loggedIn } from '../support/challenge.js';
import { changesOf } from '../support/changes.js';
import type { Traveller } from '../support/consent.js';
import { book, DECLINED_CARD, giveBack, GOOD_CARD, order as ordered } from '../support/purchase.js';
import type { Mandate, Order } from '../support/answers.js';
import { SmallSetting } from '../support/setting.js';
import { failNextAppend, letPass } from '../support/service.js';
import { type Checkout, linkedTo, PlatformAgent } from '../support/ucp.js';

const WALLET = '/conta/carteira';
const AP2 = 'dev.ucp.shopping.ap2_mandate';

const setting = new SmallSetting({ UCP_AP2: 'on', LIMIT_PUBLIC_READS: '0', LIMIT_REFUSED_CARDS: '0' });
const agent = testKey('agent-1');
let platform: SigningPlatform;
let item = '';
let ana: TestKey;
/** A card of Ana's that is declined. */
let declined = '';

const now = () => Math.floor(Date.parse(setting.service.dependencies.clock.now()) / 1_000);
const codes = ({ messages }: Pick<Checkout, 'messages'>) => messages.map(({ code }) => code);

/** Keeps a card in a wallet, with this key or without; returns what mandates call it. */
const kept = async (
  who: Traveller,
  key: TestKey | null,
  card: Readonly<Record<keyof typeof GOOD_CARD, string>> = GOOD_CARD,
): Promise<string> => {
  const { browser, page } = await loggedIn(setting.origin + WALLET, who);
  const before = idsIn(page);
  const after = await browser.submit(page, { ...card, key: key ? JSON.stringify(key.jwk) : '' });
  return idsIn(after).find((id) => !before.includes(id)) ?? after.html;
};
const idsIn = ({ html }: { readonly html: string }) =>
  [...html.matchAll(/name="remove" value="([^"]+)"/g)].map(([, id = '']) => id);

beforeAll(async () => {
  platform = await SigningPlatform.open();
  platform.knows(AP2);
  item = await new PlatformAgent(() => setting.origin).item();
  const key = testKey('');
  ana = { ...key, kid: await kept(ANA, key) };
  declined = await kept(ANA, null, DECLINED_CARD);
});
afterAll(() => platform.close());

/** What the platform is answered, by its signature or by a token. */
const ask = async (method: string, path: string, content: object | null = null, token?: string, by = platform) => {
  const [url, body] = [`${setting.origin}/ucp/v1${path}`, content && JSON.stringify(content)];
  const headers =
    token === undefined
      ? by.headers(method, url, body, method === 'GET' ? {} : { idempotencyKey: crypto.randomUUID() })
      : {
          'ucp-agent': `profile="${by.profileUrl}"`,
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
        };
  const response = await fetch(url, { method, headers, body });
  return { ...((await response.json()) as Checkout), http: response.status };
};
const create = (quantity = 1, token?: string, by = platform) =>
  ask('POST', '/checkout-sessions', { line_items: [{ item: { id: item }, quantity }] }, token, by);

const totalOf = ({ totals, currency }: Checkout) => ({
  amount: totals.find(({ type }) => type === 'total')?.amount ?? 0,
  currency,
});
const us = () => ({ id: setting.origin, name: 'Alçada', website: setting.origin });

/** What somebody signs for the agent: what it may buy, and what that may cost. */
const opened = async (by: TestKey, constraints: readonly object[]) => {
  const times = { iat: now() - 60, exp: now() + 3_600, cnf: { jwk: agent.jwk } };
  const checkout = await rootMandate(
    {
      vct: 'mandate.checkout.open.1',
      constraints: [{ type: 'checkout.allowed_merchants', allowed: [us()] }],
      ...times,
    },
    by,
  );
  const reference = { type: 'payment.reference', conditional_transaction_id: sha256(checkout) };
  const payment = await rootMandate(
    { vct: 'mandate.payment.open.1', constraints: [...constraints, reference], ...times },
    by,
  );
  return { checkout, payment };
};
const UP_TO = (max: number) => [
  { type: 'payment.amount_range', currency: 'BRL', max },
  { type: 'payment.allowed_payees', allowed: [us()] },
];

/** The body of a completion, by what the agent closes for a checkout. */
const closed = async (
  session: Checkout,
  open: Awaited<ReturnType<typeof opened>>,
  instrument: string,
  nonce = session.id,
) => {
  const jwt = session.ap2?.checkout_jwt ?? '';
  const to = { claims: { aud: setting.origin, nonce, iat: now() } };
  const [checkout, payment] = await Promise.all([
    closedBy(agent, open.checkout, { vct: 'mandate.checkout.1', checkout_jwt: jwt, checkout_hash: sha256(jwt) }, to),
    closedBy(
      agent,
      open.payment,
      {
        vct: 'mandate.payment.1',
        transaction_id: sha256(jwt),
        payee: us(),
        payment_amount: totalOf(session),
        payment_instrument: { id: instrument, type: 'card' },
      },
      to,
    ),
  ]);
  const credential = { type: 'PAYMENT_GATEWAY', token: payment };
  return {
    payment: { instruments: [{ id: 'i1', handler_id: 'any', type: 'card', selected: true, credential }] },
    ap2: { checkout_mandate: checkout },
  };
};
const SEVERAL = (most: number, reais = 9_000) => [
  { type: 'payment.budget', currency: 'BRL', max: reais },
  { type: 'payment.agent_recurrence', frequency: 'ON_DEMAND', max_occurrences: most },
];
const valid = async (session: Checkout) => closed(session, await opened(ana, UP_TO(9_000_00)), ana.kid);

const complete = ({ id }: Checkout, body: object, token?: string, by = platform) =>
  ask('POST', `/checkout-sessions/${id}/complete`, body, token, by);

const keyOf = async (kid: string) => {
  const profile = (await (await fetch(`${setting.origin}/.well-known/ucp`)).json()) as { signing_keys: JWK[] };
  const found = profile.signing_keys.find((key) => key.kid === kid);
  if (!found) throw new Error(`no key ${kid}`);
  return importJWK(found, 'ES256');
};
/** What a JWS of ours says, verified by the keys of the profile. */
const said = async (jws = ''): Promise<unknown> => {
  const { payload } = await compactVerify(jws, ({ kid = '' }) => keyOf(kid));
  return JSON.parse(new TextDecoder().decode(payload));
};

interface StatusClaim {
  readonly status_list: { readonly idx: number; readonly uri: string };
}
/** What a list says of a token that has this claim. */
const stateBy = async ({ status_list: { idx, uri } }: StatusClaim) => {
  const response = await fetch(uri);
  expect(response.headers.get('content-type')).toBe('application/statuslist+jwt');
  const { sub, status_list: list } = (await said(await response.text())) as {
    readonly sub: string;
    readonly status_list: { readonly bits: number; readonly lst: string };
  };
  expect([sub, list.bits]).toEqual([uri, 2]);
  const bytes = inflateSync(Buffer.from(list.lst, 'base64url'));
  return ['valid', 'invalid', 'suspended'][((bytes[idx >> 2] ?? 0) >> ((idx & 3) * 2)) & 3];
};

describe('a purchase that mandates of AP2 authorize', () => {
  it('is paid by the card that they name, by one mandate of ours, and proven by receipts', async () => {
    const session = await create();
    expect(session).toMatchObject({ status: 'ready_for_complete', http: 201 });
    const { ap2, ...terms } = session;
    expect(await said(ap2?.checkout_jwt)).toMatchObject({ id: terms.id, totals: terms.totals, merchant: us() });
    const body = await closed(session, await opened(ana, UP_TO(totalOf(session).amount)), ana.kid);
    let result = session;
    const { events } = await changesOf(setting.service, async () => {
      result = await complete(session, body);
    });
    expect(JSON.stringify(result)).toContain('completed');
    const orderId = result.order?.id ?? '';
    const reference = (text: string) => sha256(text.split('~~').at(-1)?.split('~')[0] ?? '');
    const [checkoutReference, paymentReference] = [
      reference(body.ap2.checkout_mandate),
      reference(body.payment.instruments[0]?.credential.token ?? ''),
    ];
    expect(await said(result.ap2?.checkout_receipt)).toMatchObject({
      ...{ iss: setting.origin, status: 'Success', order_id: orderId, reference: checkoutReference },
    });
    expect(await said(result.ap2?.payment_receipt)).toMatchObject({ status: 'Success', reference: paymentReference });
    const placed = events.find(({ type }) => type === 'OrderPlaced')?.data as { readonly ap2: object };
    expect(placed.ap2).toMatchObject({
      checkout: { reference: checkoutReference },
      payment: { reference: paymentReference },
    });
    const created = events.find(({ type }) => type === 'MandateCreated')?.data;
    expect(created).toMatchObject({
      scope: ['payment:execute'],
      grantedBy: 'traveller',
      constraints: { maxOrders: 1 },
    });
    expect(JSON.stringify(events)).not.toContain('4242424242');
  });

  it('is told of by lists, as its order and its mandate stand', async () => {
    const session = await create();
    const open = await opened(ana, [...UP_TO(9_000_00), ...SEVERAL(3)]);
    const { ap2, order } = await complete(session, await closed(session, open, ana.kid));
    const ofReceipt = ((await said(ap2?.checkout_receipt)) as { readonly token_status: StatusClaim }).token_status;
    const { id, status: ofMandate } = ap2?.mandate ?? { id: '', status: ofReceipt };
    const states = async () => Promise.all([ofReceipt, ofMandate].map(stateBy));
    expect(await states()).toEqual(['valid', 'valid']);
    const { browser, page } = await loggedIn(`${setting.origin}/conta/mandatos/${id}`, ANA);
    await browser.press(page, `/conta/mandatos/${id}/pausar`);
    expect(await states()).toEqual(['valid', 'suspended']);
    const end = `/conta/mandatos/${id}/revogar`;
    await browser.press(await browser.open(end), end);
    expect(await states()).toEqual(['valid', 'invalid']);
    const api = apiAt(setting.origin, await linkedTo(setting.service, platform.profileUrl, ANA));
    await giveBack(api, { id: order?.id ?? '' } as Order);
    expect(await states()).toEqual(['invalid', 'invalid']);
    const none = await fetch(`${setting.origin}/status/999999`);
    expect([none.status, await none.json()]).toMatchObject([404, { code: 'not_found' }]);
  });

  it('is one order, whatever number of times it is asked for at once, and each learns which', async () => {
    const session = await create();
    const body = await closed(session, await opened(ana, UP_TO(9_000_00)), ana.kid);
    const result: (typeof session)[] = [];
    const { events } = await changesOf(setting.service, async () => {
      result.push(...(await Promise.all(Array.from({ length: 40 }, () => complete(session, body)))));
      result.push(await complete(session, body));
    });
    expect(events.filter(({ type }) => type === 'OrderPlaced')).toHaveLength(1);
    for (const once of ['MandateOpened', 'MandateCreated', 'MandateReserved'])
      expect(events.filter(({ type }) => type === once)).toHaveLength(1);
    expect(new Set(result.flatMap(({ order }) => order?.id ?? []))).toEqual(new Set([result.at(-1)?.order?.id]));
    for (const { http, status, code } of result)
      expect([http, status, code].join()).toMatch(
        /^(200,completed,|200,complete_in_progress,|409,,checkout_in_progress|409,409,checkout_in_progress)$/,
      );
  });

  it('is paid by a mandate of ours that is opened once, whoever broke off before it was created', async () => {
    const session = await create();
    const body = await closed(session, await opened(ana, UP_TO(9_000_00)), ana.kid);
    const { events } = await changesOf(setting.service, async () => {
      failNextAppend(setting.service, 'mandate-');
      expect((await complete(session, body)).http).toBe(503);
      letPass(setting.service, 1_000);
      expect(await complete(session, body)).toMatchObject({ status: 'completed' });
    });
    const of = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
    const [first, created] = [of('MandateOpened'), of('MandateCreated')] as { readonly expiresAt: string }[][];
    expect([first, created]).toMatchObject([[{ expiresAt: created?.[0]?.expiresAt }], [{}]]);
  });

  it('is paid by another mandate of ours, one for a hundred at once, where the first was given up before it was created', async () => {
    const session = await create();
    const body = await closed(session, await opened(ana, UP_TO(9_000_00)), ana.kid);
    const { events } = await changesOf(setting.service, async () => {
      failNextAppend(setting.service, 'mandate-');
      expect((await complete(session, body)).http).toBe(503);
      const { browser, page } = await loggedIn(`${setting.origin}/conta/pausa`, ANA);
      await browser.press(await browser.press(page, '/conta/pausa'), '/conta/pausa/retomar');
      await Promise.all(Array.from({ length: 100 }, () => complete(session, body)));
      expect(await complete(session, body)).toMatchObject({ status: 'completed' });
    });
    const of = (name: string) => events.filter(({ type }) => type === name);
    expect(of('MandateAbandoned')).toHaveLength(1);
    expect([of('MandateCreated'), of('OrderPlaced')]).toMatchObject([[{}], [{}]]);
    expect(of('MandateOpened')).toHaveLength(2);
  });

  it('is refused once for all with what was refused once: another try is of other mandates', async () => {
    const session = await create();
    const open = await opened(ana, [...UP_TO(9_000_00), ...SEVERAL(2)]);
    const refused = await closed(session, open, declined);
    const first = await complete(session, refused);
    expect(codes(first)).toEqual(['payment_failed']);
    const { payment_id: orderId } = (await said(first.ap2?.payment_receipt)) as { readonly payment_id: string };
    expect(await said(first.ap2?.payment_receipt)).toMatchObject({
      ...{ status: 'Error', error: 'payment_declined' },
    });
    const again = await complete(session, refused);
    expect(again.messages).toMatchObject([
      { code: 'mandate_redeemed', content: expect.stringContaining(orderId) as unknown },
    ]);
    expect(await complete(session, await closed(session, open, ana.kid))).toMatchObject({ status: 'completed' });
  });

  it('counts in the mandate of ours that stands for the open one, which pays nothing else', async () => {
    const price = totalOf(await create()).amount;
    const open = await opened(ana, [...UP_TO(price), ...SEVERAL(3, (2 * price) / 100)]);
    const outcomes: unknown[] = [];
    const { events } = await changesOf(setting.service, async () => {
      for (let n = 0; n < 3; n += 1) {
        const session = await create();
        const { status, messages, ap2 } = await complete(session, await closed(session, open, ana.kid));
        outcomes.push(status, ...messages.map(({ code }) => code));
        if (n === 2)
          for (const receipt of [ap2?.checkout_receipt, ap2?.payment_receipt])
            expect(await said(receipt)).toMatchObject({ status: 'Error', error: 'mandate_limit_exceeded' });
      }
    });
    expect(outcomes).toEqual(['completed', 'completed', 'ready_for_complete', 'mandate_limit_exceeded']);
    const created = events.filter(({ type }) => type === 'MandateCreated').map(({ data }) => data);
    expect(created).toHaveLength(1);
    const [{ mandateId = '' } = {}] = created as readonly { readonly mandateId?: string }[];
    const api = apiAt(setting.origin, await linkedTo(setting.service, platform.profileUrl, ANA));
    expect((await ordered(api, await book(api), { id: mandateId } as Mandate)).body).toMatchObject({
      error: 'mandate_scope_insufficient',
    });
  });

  it('is paid by one mandate of ours, whichever platform brings the open one', async () => {
    const other = await SigningPlatform.open();
    other.knows(AP2);
    const price = totalOf(await create()).amount;
    const open = await opened(ana, [...UP_TO(price), ...SEVERAL(3, price / 100)]);
    const { events } = await changesOf(setting.service, async () => {
      const theirs = await create(1, undefined, other);
      const refused = await complete(theirs, await closed(theirs, open, 'no card'), undefined, other);
      expect(refused).toMatchObject({ code: 'mandate_scope_mismatch' });
      const session = await create();
      expect(await complete(session, await closed(session, open, ana.kid))).toMatchObject({ status: 'completed' });
      const again = await complete(theirs, await closed(theirs, open, ana.kid), undefined, other);
      expect([again.status, codes(again)]).toEqual(['ready_for_complete', ['mandate_client_mismatch']]);
    }).finally(() => other.close());
    for (const once of ['MandateCreated', 'OrderPlaced'])
      expect(events.filter(({ type }) => type === once)).toHaveLength(1);
  });

  it('is authorized by the key of a platform for the traveller of its token alone, as far as they let it', async () => {
    const own = { ...testKey(''), ...platform.signingKey };
    const open = await opened(own, UP_TO(9_000_00));
    const [ofAna, ofBruno] = [await kept(ANA, null), await kept(BRUNO, null)];
    const unlinked = await create();
    expect(await complete(unlinked, await closed(unlinked, open, ofBruno))).toMatchObject({
      code: 'agent_missing_key',
    });
    const token = await linkedTo(setting.service, platform.profileUrl, BRUNO);
    const reads = await linkedTo(setting.service, platform.profileUrl, BRUNO, ['receipt:read']);
    expect(await complete(unlinked, await closed(unlinked, open, ofBruno), reads)).toMatchObject({
      ...{ http: 403, code: 'insufficient_scope' },
    });
    const session = await create(1, token);
    const other = await closed(session, open, ofAna);
    expect(await complete(session, other, token)).toMatchObject({ code: 'mandate_scope_mismatch' });
    const body = await closed(session, open, ofBruno);
    const asking = await complete(session, body, token);
    expect([asking.status, codes(asking)]).toEqual(['requires_escalation', ['mandate_pending']]);
    const { browser, page } = await loggedIn(`${setting.origin}/conta`, BRUNO);
    const [, path = ''] = /href="(\/conta\/mandatos\/[^"]+\/decidir)"/.exec(page.html) ?? [];
    await browser.submit(await browser.open(path), { decision: 'approve' });
    expect(await complete(session, body, token)).toMatchObject({ status: 'completed' });
  });

  it.each<[string, string, (session: Checkout) => Promise<object>, receipts?: number]>([
    ['no mandate', '422 mandate_required', () => Promise.resolve({}), 0],
    [
      'an instrument alone',
      '422 mandate_required',
      async (session) => ({ payment: (await valid(session)).payment }),
      1,
    ],
    [
      'a mandate of the checkout alone',
      '422 mandate_required',
      async (session) => ({ ap2: (await valid(session)).ap2 }),
      1,
    ],
    [
      'what is no mandate',
      '422 mandate_invalid_signature',
      () => Promise.resolve({ ap2: { checkout_mandate: 'not.a.chain~' } }),
      0,
    ],
    ['mandates of another checkout', '422 mandate_scope_mismatch', async () => valid(await create())],
    [
      'a checkout that has changed since',
      '422 mandate_scope_mismatch',
      async (session) => {
        const body = await valid(session);
        const changed = { line_items: [{ item: { id: item }, quantity: 2 }] };
        expect((await ask('PUT', `/checkout-sessions/${session.id}`, changed)).http).toBe(200);
        return body;
      },
    ],
    [
      "another traveller's card",
      '422 mandate_scope_mismatch',
      async (session) => closed(session, await opened(ana, UP_TO(9_000_00)), await kept(BRUNO, null)),
    ],
    [
      'a key that nobody registered',
      '422 agent_missing_key',
      async (session) => closed(session, await opened(testKey('x'), UP_TO(9_000_00)), ana.kid),
    ],
    [
      'a key that was removed',
      '422 agent_missing_key',
      async (session) => {
        const key = testKey('');
        const gone = { ...key, kid: await kept(ANA, key) };
        const { browser, page } = await loggedIn(setting.origin + WALLET, ANA);
        await browser.submit(page, { remove: gone.kid });
        return closed(session, await opened(gone, UP_TO(9_000_00)), ana.kid);
      },
    ],
    [
      'no end to what it may cost',
      '422 mandate_scope_mismatch',
      async (session) => closed(session, await opened(ana, []), ana.kid),
    ],
  ])('is not authorized by %s', async (_, expected, bodyOf, count = 2) => {
    const session = await create();
    const body = await bodyOf(session);
    const { events } = await changesOf(setting.service, async () => {
      const { http, code = '', ap2 } = await complete(session, body);
      expect(`${http} ${code}`).toBe(expected);
      const receipts = [ap2?.checkout_receipt, ap2?.payment_receipt].filter((one) => one !== undefined);
      for (const receipt of receipts) expect(await said(receipt)).toMatchObject({ status: 'Error' });
      expect(receipts).toHaveLength(count);
    });
    expect(events.filter(({ type }) => type !== 'BookingCreated')).toEqual([]);
    expect((await ask('GET', `/checkout-sessions/${session.id}`)).status).toBe('ready_for_complete');
  });

  it('is nothing that an unsigned request brings about, nor one of a platform that has forgotten AP2', async () => {
    const unproven = new PlatformAgent(() => setting.origin, platform.profileUrl);
    const begun = await unproven.create(item);
    // Whether somebody registered the key, its answer does not say.
    for (const by of [ana, testKey('x')]) {
      const body = await closed(begun, await opened(by, UP_TO(9_000_00)), ana.kid);
      const answer = await unproven.ask('POST', `/checkout-sessions/${begun.id}/complete`, body);
      expect([answer.status, answer.body.code]).toEqual([401, 'signature_missing']);
    }
    const session = await create();
    const { [AP2]: _, ...others } = platform.capabilities;
    platform.capabilities = others;
    letPass(setting.service, 601_000); // a profile is read again
    const { ap2, ...plain } = await ask('GET', `/checkout-sessions/${session.id}`);
    expect([plain.status, ap2]).toEqual(['ready_for_complete', undefined]);
    const paid = { payment: { instruments: [] } };
    expect(await complete(session, paid)).toMatchObject({ code: 'mandate_required' });
  });
});

describe("a traveller's wallet", () => {
  it('takes public keys alone, each once, and is nobody else’s', async () => {
    const key = testKey('');
    const id = await kept(ANA, key);
    expect(id).toBe(await calculateJwkThumbprint(key.jwk));
    const secret = { ...key, jwk: key.privateKey.export({ format: 'jwk' }) as typeof key.jwk };
    for (const [wrong, why] of [
      [key, 'já está cadastrada'],
      [secret, 'não é uma chave pública'],
      [{ ...key, jwk: { ...key.jwk, x: key.jwk.y } }, 'não é uma chave pública'],
    ] as const)
      expect(await kept(ANA, wrong)).toContain(why);
    const { browser, page } = await loggedIn(setting.origin + WALLET, BRUNO);
    expect(page.html).not.toContain(id);
    await browser.submit(page, { remove: id });
    letPass(setting.service, 301_000);
    const late = await browser.submit(page, { ...GOOD_CARD, key: '' });
    expect([late.status, late.html]).toEqual([403, expect.stringContaining('Confirme que é você')]);
    expect(idsIn((await loggedIn(setting.origin + WALLET, ANA)).page)).toContain(id);
    const kept_ = await setting.service.dependencies.documents.scan(KEPT_CARDS.name, null, 100);
    expect(JSON.stringify(kept_)).not.toContain('4242424242');
  });
});
