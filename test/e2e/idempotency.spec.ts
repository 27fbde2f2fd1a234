import { LEDGER } from '#checkout';
import type { Api } from '#agent';
import { agentAt } from '../support/agent.js';
import type { Booking, List, Mandate, Order, Refused } from '../support/answers.js';
import { again, newKey, post, refusal, seen } from '../support/keyed.js';
import {
  bodyOf,
  book,
  brl,
  buy,
  DECLINED_CARD,
  GOOD_CARD,
  grant,
  mandateNow,
  TRIP,
  TRIP_PRICE,
} from '../support/purchase.js';
import { Setting } from '../support/setting.js';

interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>;
}
interface Operation {
  readonly parameters: readonly object[];
  readonly responses: Readonly<Record<number, { readonly content: Content }>>;
}
interface Content {
  readonly 'application/json': { readonly examples?: object };
}

const setting = new Setting();

const countOf = async (api: Api, path: string): Promise<number> =>
  bodyOf(await api.get<List<unknown>>(path), 200).count;
const charges = (): Promise<number> => setting.service.dependencies.documents.count(LEDGER.name, { where: [] });
const orderOf = ({ id: bookingId }: Booking, { id: mandateId }: Mandate, payment: object = GOOD_CARD) => ({
  bookingId,
  mandateId,
  payment,
});

describe('POST with one Idempotency-Key twice (rule 21)', () => {
  it('makes one booking, and shows it as it was first, also after a change', async () => {
    const { ana } = setting;
    const key = newKey();
    const count = await countOf(ana, '/bookings');
    const first = await post<Booking>(ana, '/bookings', TRIP, key);
    expect(seen(first)).toMatchObject({ status: 201, replayed: null });
    bodyOf(await ana.call('PATCH', `/bookings/${first.body.id}`, { passengers: 3 }), 200);
    expect(seen(await post(ana, '/bookings', TRIP, key))).toEqual(again(first));
    expect(await countOf(ana, '/bookings')).toBe(count + 1);
  });

  it('makes one booking without a body', async () => {
    const key = newKey();
    const first = await post(setting.ana, '/bookings', undefined, key);
    expect(seen(await post(setting.ana, '/bookings', undefined, key))).toEqual(again(first));
    expect(refusal(await post(setting.ana, '/bookings', {}, key))).toBe('422 idempotency_conflict');
  });

  it('makes one mandate, and shows it as it was first, also spent and revoked', async () => {
    const { ana } = setting;
    const key = newKey();
    const count = await countOf(ana, '/mandates');
    const first = await post<Mandate>(ana, '/mandates', { limit: brl(TRIP_PRICE * 2) }, key);
    await buy(ana, await book(ana), first.body);
    bodyOf(await ana.call('DELETE', `/mandates/${first.body.id}`), 200);
    expect(seen(await post(ana, '/mandates', { limit: brl(TRIP_PRICE * 2) }, key))).toEqual(again(first));
    expect(await countOf(ana, '/mandates')).toBe(count + 1);
  });

  it('places one order and charges it once', async () => {
    const { ana } = setting;
    const [booking, mandate] = [await book(ana), await grant(ana, TRIP_PRICE * 2)];
    const key = newKey();
    const before = await charges();
    const first = await post<Order>(ana, '/orders', orderOf(booking, mandate), key);
    expect(seen(first)).toMatchObject({ status: 201, location: first.body.url, replayed: null });
    expect(seen(await post(ana, '/orders', orderOf(booking, mandate), key))).toEqual(again(first));
    expect(refusal(await post(ana, '/orders', orderOf(booking, mandate), newKey()))).toBe(
      '409 booking_already_ordered',
    );
    expect(await charges()).toBe(before + 1);
    expect((await mandateNow(ana, mandate)).consumed).toEqual(brl(TRIP_PRICE));
  });

  it('answers the first decline again, and charges the next card under another key', async () => {
    const { ana } = setting;
    const [booking, mandate] = [await book(ana), await grant(ana, TRIP_PRICE)];
    const key = newKey();
    const before = await charges();
    const declined = () => post<Refused>(ana, '/orders', orderOf(booking, mandate, DECLINED_CARD), key);
    const first = await declined();
    const second = await declined();
    expect([refusal(first), refusal(second)]).toEqual(['402 payment_declined', '402 payment_declined']);
    expect([seen(first).replayed, seen(second).replayed]).toEqual([null, 'true']);
    expect(await charges()).toBe(before + 1);
    expect(refusal(await post(ana, '/orders', orderOf(booking, mandate), key))).toBe('422 idempotency_conflict');
    bodyOf(await post(ana, '/orders', orderOf(booking, mandate), newKey()), 201);
  });

  it('asks the traveller once: a challenge releases the key, and the retry stands before the same challenge', async () => {
    const { ana } = setting;
    const [booking, mandate] = [await book(ana), await grant(ana, TRIP_PRICE)];
    const key = newKey();
    const challenged = { ...GOOD_CARD, cardNumber: '4000000000003220' };
    const ask = () =>
      post<Refused & { challenge: { id: string } }>(ana, '/orders', orderOf(booking, mandate, challenged), key);
    const [first, second] = [await ask(), await ask()];
    expect([refusal(first), refusal(second)]).toEqual(Array(2).fill('402 payment_challenge_required'));
    expect(second.body.challenge).toEqual(first.body.challenge);
    expect(seen(second).replayed).toBeNull();
  });
});

describe('requests with one Idempotency-Key at once (rule 21)', () => {
  it('charge once: of 20 orders one is placed, the others are in flight or shown the first answer', async () => {
    const { ana } = setting;
    const [booking, mandate] = [await book(ana), await grant(ana, TRIP_PRICE * 20)];
    const key = newKey();
    const before = await charges();
    const orders = Array.from({ length: 20 }, () =>
      post<Partial<Order & Refused>>(ana, '/orders', orderOf(booking, mandate), key),
    );
    const answers = await Promise.all(orders);
    const first = answers.find((answer) => answer.status === 201 && seen(answer).replayed === null);
    for (const answer of answers) {
      if (answer === first) continue;
      if (answer.status === 201) expect(seen(answer)).toEqual(first && again(first));
      else {
        expect(refusal(answer)).toBe('409 idempotency_in_flight');
        expect(answer.headers.get('retry-after')).toBe('1');
      }
    }
    expect(await charges()).toBe(before + 1);
    expect((await mandateNow(ana, mandate)).consumed).toEqual(brl(TRIP_PRICE));
  });
});

describe('an Idempotency-Key (rule 21)', () => {
  it('is judged after the token and the scopes, before the body; its record after the body', async () => {
    const { ana, anyone, origin } = setting;
    const reader = await agentAt(origin, { scopes: ['receipt:read'] });
    expect(refusal(await post(anyone, '/bookings', TRIP, 'a b'))).toBe('401 token_missing');
    expect(refusal(await post(reader, '/bookings', TRIP, 'a b'))).toBe('403 insufficient_scope');
    expect(refusal(await post(ana, '/bookings', { passengers: 0 }, 'a b'))).toBe('400 invalid_idempotency_key');
    const key = newKey();
    await post(ana, '/bookings', TRIP, key);
    expect(refusal(await post(ana, '/bookings', { passengers: 0 }, key))).toBe('422 invalid_passengers');
  });

  it.each(['/bookings', '/mandates', '/orders'])('is documented, with what it is refused by: POST %s', async (path) => {
    const { paths } = bodyOf(await setting.anyone.get<OpenApi>('/openapi.json'), 200);
    const operation = paths[path]?.post;
    expect(operation?.parameters).toContainEqual(
      expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: false }),
    );
    const examplesOf = (status: number) =>
      Object.keys(operation?.responses[status]?.content['application/json'].examples ?? {});
    expect(examplesOf(400)).toContain('invalid_idempotency_key');
    expect(examplesOf(409)).toContain('idempotency_in_flight');
    expect(examplesOf(422)).toContain('idempotency_conflict');
  });
});
