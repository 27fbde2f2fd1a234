import type { Answer } from '#agent';
import type { Booking, List, Mandate, Order } from '../support/answers.js';
import { A_DATE, A_TICKET, AN_ID, AN_INSTANT } from '../support/matchers.js';
import { bodyOf, brl, GOOD_CARD, mandateNow } from '../support/purchase.js';
import { settled } from '../support/service.js';
import { SettingOnFiles } from '../support/setting.js';

const DEPARTURE = { departureDate: A_DATE, departureAt: AN_INSTANT };

/** What comes back of the fares of the shipped catalogue, in words too. */
const conditions = (description: string, ...cancellation: readonly object[]) => {
  const rest = 'As taxas são devolvidas. Comprando 7 dias ou mais antes, desistir em até 24 horas devolve tudo.';
  return { cancellation, taxesRefundable: true, withdrawal: true, description: `${description} ${rest}` };
};
const LIGHT = conditions('Se a viagem for cancelada, a tarifa não é devolvida.');
const CLASSIC = conditions(
  'Cancelar custa 20% da tarifa até 24 horas antes da partida; depois, a tarifa não é devolvida.',
  { until: 'PT24H', fee: { percent: 20 } },
);
const setting = new SettingOnFiles();
let search: Answer<List<unknown>>;
let quote: Answer<{ readonly options: readonly object[] }>;
let booking: Answer<Booking>;
let mandate: Answer<Mandate>;
let order: Answer<Order>;
let receipt: Answer<{ readonly receiptId: string }>;

/** One purchase, by an agent that knows only what it was answered before. */
beforeAll(async () => {
  const { ana, anyone } = setting;
  search = await anyone.get('/flights?q=noronha');
  quote = await anyone.get('/flights/al-4101/fares?budget=200000&passengers=2');
  booking = await ana.post('/bookings', { flightNumber: 'al 4101', fareCode: 'CLASSICA', passengers: 2 });
  mandate = await ana.post('/mandates', { limit: brl(300_000), durationMinutes: 30 });
  order = await ana.post('/orders', {
    bookingId: booking.body.id,
    mandateId: mandate.body.id,
    buyer: { name: 'Ana Souza', document: '123.456.789-09' },
    payment: GOOD_CARD,
  });
  receipt = await ana.get(`/orders/${order.body.id}/receipt`);
});

describe('a purchase, from search to receipt', () => {
  it('finds the flight', () => {
    expect(search.status).toBe(200);
    expect(search.body).toEqual({
      count: 1,
      items: [
        expect.objectContaining({
          flightNumber: 'AL4101',
          seats: 70,
          url: `${setting.origin}/voos/recife-rec-fernando-de-noronha-fen-al4101`,
        }),
      ],
      nextCursor: null,
    });
  });

  it('quotes its fares for the whole party under the budget', () => {
    const classica = {
      fareCode: 'CLASSICA',
      fareName: 'Clássica',
      baggage: 'checked',
      hasCheckedBag: true,
      arrivesSameDay: true,
      arrivalTime: '12:45',
      arrivalDayOffset: 0,
      unitPrice: brl(1139_90),
      passengers: 2,
      total: brl(2279_80),
      line: { base: brl(2210_44), taxes: brl(69_36) },
      conditions: CLASSIC,
      fitsBudget: false,
      budgetDelta: brl(-279_80),
      reasons: ['over_budget'],
    };
    const leve = {
      ...classica,
      fareCode: 'LEVE',
      fareName: 'Leve',
      baggage: 'none',
      hasCheckedBag: false,
      unitPrice: brl(899_90),
      total: brl(1799_80),
      line: { base: brl(1730_44), taxes: brl(69_36) },
      conditions: LIGHT,
      fitsBudget: true,
      budgetDelta: brl(200_20),
      reasons: ['no_checked_bag'],
    };
    expect(quote.status).toBe(200);
    expect(quote.body).toEqual({ budget: brl(2000_00), options: [leve, classica], bestByConstraints: classica });
  });

  it('creates the booking', () => {
    expect(booking.status).toBe(201);
    expect(booking.headers.get('location')).toBe(`${setting.ana.base}/bookings/${booking.body.id}`);
    expect(booking.body).toEqual({
      id: AN_ID,
      flightNumber: 'AL4101',
      ...DEPARTURE,
      fareCode: 'CLASSICA',
      passengers: 2,
      total: brl(2279_80),
      currency: 'BRL',
      line: { base: brl(2210_44), taxes: brl(69_36) },
      conditions: CLASSIC,
      expiresAt: AN_INSTANT,
      metadata: {},
    });
  });

  it('grants the mandate', () => {
    const { id } = mandate.body;
    const { startsAt, expiresAt } = mandate.body.duration;
    expect(mandate.status).toBe(201);
    expect(mandate.headers.get('location')).toBe(`${setting.ana.base}/mandates/${id}`);
    expect(mandate.body).toEqual({
      id: AN_ID,
      status: 'valid',
      scope: ['order:write', 'payment:execute'],
      limit: brl(300_000),
      consumed: brl(0),
      reserved: brl(0),
      refunded: brl(0),
      remaining: brl(300_000),
      constraints: {},
      grantedBy: 'agent',
      duration: { minutes: 30, startsAt: AN_INSTANT, expiresAt: AN_INSTANT, remainingSeconds: expect.any(Number) },
      revocation: {
        method: 'DELETE',
        path: `/mandates/${id}`,
        url: `${setting.ana.base}/mandates/${id}`,
        revokedAt: null,
      },
      metadata: {},
    });
    expect(Date.parse(expiresAt) - Date.parse(startsAt)).toBe(30 * 60_000);
  });

  it('orders: charged and ticketed', () => {
    expect(order.status).toBe(201);
    expect(order.headers.get('location')).toBe(order.body.url);
    expect(order.body).toEqual({
      id: AN_ID,
      status: 'paid',
      flightNumber: 'AL4101',
      ...DEPARTURE,
      fareName: 'Clássica',
      grandTotal: brl(2279_80),
      ticketCode: A_TICKET,
      locator: expect.stringMatching(/^[2-9A-HJ-NP-Z]{6}$/),
      tickets: [
        { ticketCode: order.body.ticketCode, traveller: null },
        { ticketCode: A_TICKET, traveller: null },
      ],
      conditions: CLASSIC,
      createdAt: AN_INSTANT,
      url: `${setting.ana.base}/orders/${order.body.id}`,
      metadata: {},
    });
  });

  it('gives the receipt', () => {
    expect(receipt.status).toBe(200);
    expect(receipt.body).toEqual({
      receiptId: `R-${order.body.ticketCode ?? ''}`,
      ticketId: order.body.id,
      locator: order.body.locator,
      issuedAt: AN_INSTANT,
      ...DEPARTURE,
      line: {
        description: 'Voo AL4101, REC–FEN (Fernando de Noronha), tarifa Clássica',
        flightNumber: 'AL4101',
        from: 'REC',
        to: 'FEN',
        departureDate: A_DATE,
        departureTime: '10:30',
        arrivalTime: '12:45',
        arrivalDayOffset: 0,
        fareCode: 'CLASSICA',
        fareName: 'Clássica',
        baggage: 'checked',
        passengers: 2,
        unitPrice: brl(1139_90),
        subtotal: brl(2279_80),
        base: brl(2210_44),
        taxes: brl(69_36),
        ticketCode: order.body.ticketCode,
        ticketCodes: order.body.tickets.map(({ ticketCode }) => ticketCode),
      },
      total: brl(2279_80),
      payment: {
        id: AN_ID,
        processor: 'test',
        method: 'card',
        brand: 'visa',
        last4: '4242',
        amount: brl(2279_80),
        status: 'captured',
        capturedAt: AN_INSTANT,
        mandateId: mandate.body.id,
        mandateSelection: 'explicit',
      },
      note: expect.stringMatching(/processador de testes/),
    });
  });

  it('leaves the mandate with what was not spent, and the flight with the seats not sold', async () => {
    expect(await mandateNow(setting.ana, mandate.body)).toMatchObject({
      status: 'valid',
      consumed: brl(2279_80),
      reserved: brl(0),
      refunded: brl(0),
      remaining: brl(720_20),
    });
    await settled(setting.service);
    const flight = bodyOf(await setting.anyone.get<{ seats: number }>('/flights/AL4101'), 200);
    expect(flight.seats).toBe(68);
  });
});
