import { join } from 'node:path';
import { IDEMPOTENCY } from '#http';
import Libsql from 'libsql';
import { agentAt } from '../support/agent.js';
import type { Booking, List, Mandate, Order } from '../support/answers.js';
import { newKey, post, refusal, seen } from '../support/keyed.js';
import { bodyOf, book, brl, GOOD_CARD, grant, TRIP, TRIP_PRICE } from '../support/purchase.js';
import { letPass } from '../support/service.js';
import { SettingOnFiles } from '../support/setting.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it reads the files of a folder');

/** As much of the OpenAPI document as is looked at. */
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

const setting = new SettingOnFiles();

describe('an Idempotency-Key (rule 21)', () => {
  it('belongs to one holder, client and path', async () => {
    const { ana, bruno, otherOfAna } = setting;
    const key = newKey();
    const bookings = [
      await post<Booking>(ana, '/bookings', TRIP, key),
      await post<Booking>(bruno, '/bookings', { ...TRIP, passengers: 2 }, key),
      await post<Booking>(otherOfAna, '/bookings', { ...TRIP, passengers: 3 }, key),
    ];
    const mandate = await post<Mandate>(ana, '/mandates', { limit: brl(TRIP_PRICE) }, key);
    expect([...bookings, mandate].map((answer) => seen(answer))).toEqual(
      Array(4).fill(expect.objectContaining({ status: 201, replayed: null })),
    );
    expect(new Set(bookings.map(({ body }) => body.id)).size).toBe(3);
  });

  it.each([
    ['empty', ''],
    ['with a space in it', 'a b'],
    ['not ASCII', 'ação'],
    ['of 256 characters', 'x'.repeat(256)],
  ])('is refused %s, before anything is created', async (_, key) => {
    const { ana } = setting;
    const bookings = async () => bodyOf(await ana.get<List<Booking>>('/bookings'), 200).count;
    const before = await bookings();
    expect(refusal(await post(ana, '/bookings', TRIP, key))).toBe('400 invalid_idempotency_key');
    expect(await bookings()).toBe(before);
  });

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

  it('leaves a record without card, key, token, person or address', async () => {
    const { ana } = setting;
    const key = newKey();
    const [booking, mandate] = [await book(ana), await grant(ana, TRIP_PRICE)];
    const buyer = { name: 'Ana Souza', document: '123.456.789-09' };
    const request = { bookingId: booking.id, mandateId: mandate.id, payment: GOOD_CARD, buyer };
    const placed = bodyOf(await post<Order>(ana, '/orders', request, key), 201);
    const file = new Libsql(join(setting.folder, 'documents.db'), { readonly: true });
    const rows = file.prepare(`SELECT * FROM c_${IDEMPOTENCY.name}`).all();
    file.close();
    const record = rows.map((row) => JSON.stringify(row)).find((row) => row.includes(placed.id));
    expect(record).toContain('{base_url}/orders/');
    for (const secret of [key, '4242 4242', '4242424242424242', '12/30', 'Ana Souza', '456.789', '://', 'Bearer']) {
      expect(record).not.toContain(secret);
    }
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

  it('is forgotten after 24 hours', async () => {
    const key = newKey();
    const first = bodyOf(await post<Booking>(setting.ana, '/bookings', TRIP, key), 201);
    letPass(setting.service, 86_400_000);
    const later = await agentAt(setting.origin); // the token of yesterday has expired
    const next = bodyOf(await post<Booking>(later, '/bookings', {}, key), 201);
    expect(next.id).not.toBe(first.id);
  });
});
