import type { Booking, List } from '../support/answers.js';
import { changesOf } from '../support/changes.js';
import { A_DATE, AN_ID, AN_INSTANT, anError } from '../support/matchers.js';
import {
  bodyOf,
  book,
  brl,
  buy,
  DECLINED_CARD,
  GOOD_CARD,
  grant,
  laterTrip,
  order,
  TRIP,
  TRIP_PRICE,
  wholeList,
} from '../support/purchase.js';
import { letPass } from '../support/service.js';
import { Setting } from '../support/setting.js';

const setting = new Setting();

const PRICED = {
  departureDate: A_DATE,
  departureAt: AN_INSTANT,
  line: expect.anything(),
  conditions: expect.anything(),
  expiresAt: AN_INSTANT,
};

/** PATCHes a booking; returns the booking after it, or the refusal's code, and how many events were written. */
const change = async ({ id }: Booking, changes?: unknown, api = setting.ana) => {
  let answered: unknown;
  const { events } = await changesOf(setting.service, async () => {
    const { status, body } = await api.call<{ error?: string }>('PATCH', `/bookings/${id}`, changes);
    answered = status === 200 ? body : `${status} ${body.error ?? ''}`;
  });
  return [answered, events.length];
};

describe('a new booking', () => {
  it('is an empty draft where nothing is said, with or without a body', async () => {
    const draft = {
      id: AN_ID,
      flightNumber: null,
      departureDate: null,
      departureAt: null,
      fareCode: null,
      passengers: 1,
      total: brl(0),
      currency: 'BRL',
      line: { base: brl(0), taxes: brl(0) },
      conditions: null,
      expiresAt: null,
      metadata: {},
    };
    expect(await setting.ana.post('/bookings')).toMatchObject({ status: 201, body: draft });
    expect(await book(setting.ana, {})).toEqual(draft);
    expect(
      await setting.ana.call('POST', '/bookings', undefined, { 'content-type': 'application/json' }),
    ).toMatchObject({ status: 201 });
  });

  it('may be a flight without a fare, which costs nothing yet', async () =>
    expect(await book(setting.ana, { flightNumber: 'AL1201' })).toMatchObject({ fareCode: null, total: brl(0) }));

  it('takes the flight number in any notation', async () =>
    expect(await book(setting.ana, { flightNumber: ' al-12 01', fareCode: 'LEVE' })).toMatchObject({
      flightNumber: 'AL1201',
      total: brl(279_90),
    }));

  it('may be for more people than there are seats: only orders take them', async () => {
    const nine = await book(setting.ana, { flightNumber: 'AL4201', fareCode: 'LEVE', passengers: 9 });
    const again = await book(setting.ana, { flightNumber: 'AL4201', fareCode: 'LEVE', passengers: 9 });
    expect([nine.total, again.total]).toEqual([brl(2609_10), brl(2609_10)]);
  });

  it('ignores what it does not know', async () =>
    expect(await book(setting.ana, { ...TRIP, colour: 'blue' })).toMatchObject({ fareCode: 'LEVE' }));
});

describe('a changed booking', () => {
  it('costs what its flight, fare and passengers cost now', async () => {
    const booking = await book(setting.ana, laterTrip());
    const line = { base: brl(723_57), taxes: brl(116_13) };
    const forThree = { ...booking, ...PRICED, passengers: 3, total: brl(839_70), line };
    expect(await change(booking, { passengers: 3 })).toEqual([forThree, 1]);
    const dearer = { ...PRICED, total: brl(1079_70), line: { ...line, base: brl(963_57) } };
    const classica = { ...forThree, fareCode: 'CLASSICA', ...dearer };
    expect(await change(booking, { fareCode: 'CLASSICA' })).toEqual([classica, 1]);
    expect(bodyOf(await setting.ana.get(`/bookings/${booking.id}`), 200)).toEqual(classica);
  });

  it('keeps the fare code on a new flight that has it', async () => {
    const booking = await book(setting.ana, laterTrip());
    const moved = { ...booking, ...PRICED, flightNumber: 'AL2101', total: brl(219_90) };
    expect(await change(booking, { flightNumber: 'AL2101' })).toEqual([moved, 1]);
  });

  it('keeps its old flight where the new one has not that fare', async () => {
    const booking = await book(setting.ana, laterTrip());
    expect(await change(booking, { flightNumber: 'AL2301' })).toEqual(['422 invalid_fare', 0]);
    const moved = { ...booking, ...PRICED, flightNumber: 'AL2301', fareCode: 'CLASSICA', total: brl(459_90) };
    expect(await change(booking, { flightNumber: 'AL2301', fareCode: 'CLASSICA' })).toEqual([moved, 1]);
  });

  it('is written where something is named, since its price is promised anew', async () => {
    const booking = await book(setting.ana, { ...laterTrip(), passengers: 2 });
    expect(await change(booking, {})).toEqual([booking, 0]);
    const warnings = [expect.objectContaining({ in: 'body', field: 'colour' })];
    expect(await change(booking, { colour: 1 })).toEqual([{ ...booking, warnings }, 0]);
    letPass(setting.service, 1_000);
    expect(await change(booking, { passengers: 2 })).toEqual([{ ...booking, expiresAt: AN_INSTANT }, 1]);
    const now = bodyOf(await setting.ana.get<Booking>(`/bookings/${booking.id}`), 200);
    expect(String(now.expiresAt) > String(booking.expiresAt)).toBe(true);
  });

  it('turns a draft into a trip, of which nothing can be taken away again', async () => {
    const draft = await book(setting.ana, {});
    expect(await change(draft, { fareCode: 'LEVE' })).toEqual(['422 invalid_fare', 0]);
    const trip = { ...draft, ...PRICED, flightNumber: 'AL1201', fareCode: 'LEVE', total: brl(279_90) };
    expect(await change(draft, { flightNumber: 'AL1201', fareCode: 'LEVE' })).toEqual([trip, 1]);
    for (const field of ['flightNumber', 'fareCode', 'passengers'])
      expect(await change(draft, { [field]: null })).toEqual(['422 invalid_change', 0]);
  });

  it('needs a body', async () => {
    const booking = await book(setting.ana, laterTrip());
    expect(await change(booking)).toEqual(['422 invalid_change', 0]);
    expect(await change(booking, [])).toEqual(['422 invalid_body', 0]);
  });

  it('is changed by no other client, which may read it', async () => {
    const booking = await book(setting.ana, laterTrip());
    expect(await change(booking, { passengers: 2 }, setting.otherOfAna)).toEqual(['422 invalid_change', 0]);
    expect(await change(booking, {}, setting.otherOfAna)).toEqual(['422 invalid_change', 0]);
    expect(bodyOf(await setting.otherOfAna.get(`/bookings/${booking.id}`), 200)).toEqual(booking);
  });

  it('is locked once there is a ticket, and free after an order that failed', async () => {
    const booking = await book(setting.ana, laterTrip());
    const mandate = await grant(setting.ana, 1000_00);
    expect(await order(setting.ana, booking, mandate, DECLINED_CARD)).toMatchObject({ status: 402 });
    expect(await change(booking, { passengers: 2 })).toMatchObject([{ passengers: 2 }, 1]);
    await buy(setting.ana, booking, mandate);
    expect(await change(booking, { passengers: 1 })).toEqual(['422 booking_locked', 0]);
  });
});

describe("another holder's booking", () => {
  it('reads as one that nobody knows', async () => {
    const booking = await book(setting.ana);
    const read = async (id: string) => {
      const { status, body } = await setting.bruno.get<object>(`/bookings/${id}`);
      return { status, ...body, requestId: '' };
    };
    expect(await read(booking.id)).toMatchObject({ status: 404, error: 'booking_not_found' });
    expect(await read(crypto.randomUUID())).toEqual(await read(booking.id));
    expect(await read('1')).toEqual(await read(booking.id));
    expect(await change(booking, { passengers: 2 }, setting.bruno)).toEqual(['404 booking_not_found', 0]);
  });
});

describe('the list of bookings', () => {
  it("has the holder's bookings of every client, newest first, a page at a time", async () => {
    const first = await book(setting.bruno);
    letPass(setting.service, 1_000);
    const second = await book(setting.bruno, {});
    letPass(setting.service, 1_000);
    const third = await book(setting.bruno, { ...TRIP, passengers: 9 });
    const { count, items, nextCursor } = bodyOf(await setting.bruno.get<List<Booking>>('/bookings?limit=2'), 200);
    expect([count, items, typeof nextCursor]).toEqual([3, [third, second], 'string']);
    const rest = await setting.bruno.get(`/bookings?limit=2&cursor=${nextCursor ?? ''}`);
    expect(bodyOf(rest, 200)).toEqual({ count: 3, items: [first], nextCursor: null });

    letPass(setting.service, 1_000);
    const byOther = await book(setting.otherOfAna);
    const ofAna = await wholeList<Booking>(setting.ana, '/bookings');
    expect(ofAna[0]).toEqual(byOther);
    expect(ofAna.map(({ id }) => id)).not.toContain(first.id);
  });

  it('shows a change at once', async () => {
    letPass(setting.service, 1_000);
    const booking = await book(setting.ana, laterTrip());
    const [changed] = await change(booking, { passengers: 4 });
    expect(bodyOf(await setting.ana.get<List<Booking>>('/bookings?limit=1'), 200).items).toEqual([changed]);
  });

  it.each(['cursor=x', 'cursor=', `cursor=${Buffer.from('{"list":"x","value":"x","id":"x"}').toString('base64url')}`])(
    'refuses %s',
    async (query) => expect(await setting.ana.get(`/bookings?${query}`)).toMatchObject(anError(422, 'invalid_cursor')),
  );

  it('refuses the cursor of another list', async () => {
    await book(setting.ana);
    const { nextCursor } = bodyOf(await setting.ana.get<List<Booking>>('/bookings?limit=1'), 200);
    expect(nextCursor).not.toBeNull();
    for (const [api, path] of [
      [setting.bruno, '/bookings'],
      [setting.ana, '/orders'],
      [setting.ana, '/mandates'],
    ] as const) {
      const answer = await api.get(`${path}?cursor=${nextCursor ?? ''}`);
      expect(answer).toMatchObject(anError(422, 'invalid_cursor'));
    }
  });
});

describe('metadata of bookings, mandates and orders', () => {
  const metadata = { viagem: 'Congresso', cliente: '4711' };
  const shown = async (path: string, id: string, api = setting.ana) => {
    const one = bodyOf(await api.get<Noted>(`${path}/${id}`), 200);
    const [listed] = (await wholeList<Noted>(api, path)).filter((item) => item.id === id);
    return [one.metadata, listed?.metadata];
  };
  interface Noted {
    readonly id: string;
    readonly metadata: object;
  }

  it('makes a page shorter where there is too much of it for one answer, and leaves nothing out', async () => {
    const long = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`nome ${n}`, 'é'.repeat(500)]));
    const made: string[] = [];
    for (let n = 0; n < 12; n += 1) made.unshift((await book(setting.otherOfAna, { metadata: long })).id);
    const listed: string[] = [];
    for (let cursor = ''; listed.length < made.length;) {
      const page = bodyOf<List<Booking & { metadata: object }>>(
        await setting.otherOfAna.get(`/bookings?limit=500${cursor}`),
        200,
      );
      const ours = page.items.filter(({ id }) => made.includes(id));
      expect(ours.length).toBeLessThan(made.length);
      for (const { id, metadata: noted } of ours) expect([id, noted]).toEqual([id, long]);
      listed.push(...ours.map(({ id }) => id));
      cursor = `&cursor=${page.nextCursor ?? ''}`;
    }
    expect(listed).toEqual(made);
  });

  it('is shown to the agent that noted it, by itself and in lists, and to no other one', async () => {
    const booking = await book(setting.ana, { ...TRIP, metadata });
    const mandate = await grant(setting.ana, TRIP_PRICE, { metadata });
    const request = { bookingId: booking.id, mandateId: mandate.id, payment: GOOD_CARD, metadata };
    const order = bodyOf(await setting.ana.post<Noted>('/orders', request), 201);
    for (const [path, created] of [
      ['/bookings', booking],
      ['/mandates', mandate],
      ['/orders', order],
    ] as const) {
      expect(created).toMatchObject({ metadata });
      expect(await shown(path, created.id)).toEqual([metadata, metadata]);
      expect(await shown(path, created.id, setting.otherOfAna)).toEqual([{}, {}]);
    }
    const revoked = await setting.ana.call('DELETE', `/mandates/${mandate.id}`);
    expect(revoked).toMatchObject({ status: 200, body: { metadata } });
  });

  it('costs a list one read more, and one where somebody is named', async () => {
    await book(setting.ana, { metadata });
    const { documents } = setting.service.dependencies;
    const getMany = documents.getMany.bind(documents);
    let reads = 0;
    const counted: typeof getMany = (...asked) => {
      reads += 1;
      return getMany(...asked);
    };
    Object.assign(documents, { getMany: counted });
    const read = async (...paths: readonly string[]) => {
      reads = 0;
      for (const path of paths) bodyOf(await setting.ana.get(path), 200);
      return reads;
    };
    expect(await read('/bookings', '/mandates', '/orders')).toBe(3);
    const contact = { email: 'ana@example.com' };
    const { id } = await book(setting.ana, { ...TRIP, contact });
    expect([await read('/bookings'), await read(`/bookings/${id}`)]).toEqual([2, 2]);
    Object.assign(documents, { getMany });
  });

  it('of a booking is changed name by name, without an event, and goes with an empty text', async () => {
    const booking = await book(setting.ana, { ...laterTrip(), metadata });
    const more = { cliente: '', assento: 'janela' };
    const after = { viagem: 'Congresso', assento: 'janela' };
    expect(await change(booking, { metadata: more })).toEqual([{ ...booking, metadata: after }, 0]);
    expect(await change(booking, { passengers: 2, metadata: { viagem: '' } })).toEqual([
      { ...booking, ...PRICED, passengers: 2, total: brl(2 * TRIP_PRICE), metadata: { assento: 'janela' } },
      1,
    ]);
    expect(await change(booking, { metadata: null })).toEqual(['422 invalid_change', 0]);
    expect(await change(booking, { fareCode: 'NENHUMA', metadata: { viagem: 'x' } })).toEqual(['422 invalid_fare', 0]);
    expect(await shown('/bookings', booking.id)).toEqual([{ assento: 'janela' }, { assento: 'janela' }]);
    expect(await change(booking, { metadata: { a: 'b' } }, setting.otherOfAna)).toEqual(['422 invalid_change', 0]);
  });

  it('is another request with the same Idempotency-Key, and comes again with the same one', async () => {
    const keyed = (body: object) => setting.ana.call('POST', '/bookings', body, { 'idempotency-key': 'com-metadados' });
    const first = await keyed({ ...TRIP, metadata });
    expect(await keyed({ ...TRIP, metadata })).toMatchObject({ status: 201, body: first.body });
    expect(await keyed({ ...TRIP, metadata: { viagem: 'outra' } })).toMatchObject(anError(422, 'idempotency_conflict'));
  });

  const names = (count: number, name = (n: number) => `nome-${n}`) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), 'x']));
  it.each<[string, unknown]>([
    ['no object', 'texto'],
    ['null', null],
    ['a list', [{ a: 'b' }]],
    ['51 names', names(51)],
    ['a name of 41 characters', { ['n'.repeat(41)]: 'x' }],
    ['an empty name', { '': 'x' }],
    ['a name with a control character', { 'a\nb': 'x' }],
    ['a text of 501 characters', { a: 'x'.repeat(501) }],
    ['a number', { a: 1 }],
    ['an object within', { a: {} }],
    ['half a character', { a: '\ud83d' }],
  ])('is refused where it is %s', async (_, wrong) => {
    for (const [path, body] of [
      ['/bookings', {}],
      ['/mandates', { limit: brl(1) }],
      ['/orders', { bookingId: 'x', payment: GOOD_CARD }],
    ] as const)
      expect(await setting.ana.post(path, { ...body, metadata: wrong })).toMatchObject(
        anError(422, 'invalid_metadata', { details: [{ field: 'metadata' }] }),
      );
  });

  it('may be as long as it may be, in any script', async () => {
    const most = { ...names(49), ['😀'.repeat(40)]: '🛫'.repeat(500) };
    expect(await book(setting.ana, { metadata: most })).toMatchObject({ metadata: most });
    const full = await book(setting.ana, { ...TRIP, metadata: names(50) });
    expect(await change(full, { passengers: 2, metadata: { mais: 'um' } })).toEqual(['422 invalid_metadata', 0]);
    const strange = { constructorX: 'a', toString: 'b', $gt: 'c', 'a.b': 'd', '10': 'e', texto: 'duas\nlinhas \u0000' };
    expect(await book(setting.ana, { metadata: strange })).toMatchObject({ metadata: strange });
  });
});
