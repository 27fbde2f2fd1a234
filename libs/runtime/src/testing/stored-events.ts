import type { EventData } from '#events';

const AT = '2026-03-01T12:00:00.000Z';
const LATER = '2026-03-01T12:10:00.000Z';
const brl = (amount: number) => ({ amount, currency: 'BRL' });
const ana = { holder: 'ana', clientId: 'pilot' };
const fare = { code: 'LIGHT', name: 'Light', price: 50000, arrivalTime: '18:45', arrivalDayOffset: 0, baggage: 'none' };
const choice = { flightNumber: 'AL4012', fareCode: 'LIGHT', passengers: 1, total: brl(50000) };
const line = {
  description: 'Voo AL4012, GRU–REC (Recife), tarifa Light',
  flightNumber: 'AL4012',
  from: 'GRU',
  to: 'REC',
  departureDate: null,
  departureTime: '15:30',
  arrivalTime: '18:45',
  arrivalDayOffset: 0,
  fareCode: 'LIGHT',
  fareName: 'Light',
  baggage: 'none',
  passengers: 1,
  unitPrice: brl(50000),
  subtotal: brl(50000),
};
const checkout = (n: number) => ({
  ...ana,
  orderId: `o${n}`,
  bookingId: `b${n}`,
  mandateId: 'm1',
  mandateSelection: 'explicit',
  line,
  total: brl(50000),
  holdBefore: LATER,
});
const payment = {
  id: 'p1',
  processor: 'test',
  method: 'card',
  brand: 'visa',
  last4: '4242',
  amount: brl(50000),
  capturedAt: AT,
};
const mandate = (mandateId: string) => ({
  mandateId,
  ...ana,
  scope: ['order:write', 'payment:execute'],
  limit: brl(100000),
  minutes: 60,
  startsAt: AT,
  expiresAt: LATER,
  grantedBy: 'agent',
});
const opened = (mandateId: string) => ({ mandateId, limit: brl(100000), expiresAt: LATER, openedAt: AT });
const booking = (n: number): StoredEvent => [
  `booking-b${n}`,
  'BookingCreated',
  { bookingId: `b${n}`, ...ana, ...choice, createdAt: AT },
];
const started = (n: number): StoredEvent => [
  `booking-b${n}`,
  'BookingCheckoutStarted',
  { ...checkout(n), openedAt: AT },
];
const placed = (n: number): StoredEvent => [`order-o${n}`, 'OrderPlaced', { ...checkout(n), placedAt: AT }];
const challenged = { bookingId: 'b3', brand: 'visa', last4: '3220', expiresAt: LATER, challengedAt: AT };
const grant = { ...ana, grantId: 'g1' };

type StoredEvent = readonly [stream: string, type: string, data: EventData];

/** At least one event of every type that is projected, as the first version of the type stored it. */
export const STORED_EVENTS: readonly StoredEvent[] = [
  [
    'flight-AL4012',
    'FlightScheduled',
    {
      flightNumber: 'AL4012',
      slug: 'gru-rec-al4012',
      from: 'GRU',
      fromCity: 'São Paulo',
      to: 'REC',
      toCity: 'Recife',
      departureTime: '15:30',
      departureDate: null,
      timeZone: null,
      durationMin: 195,
      seats: 9,
      currency: 'BRL',
      fares: [fare],
    },
  ],
  ['flight-AL4012', 'FaresRepriced', { fares: [{ ...fare, price: 51000 }] }],
  ['flight-AL4012', 'SeatsHeld', { orderId: 'o1', seats: 3, holdBefore: LATER, heldAt: AT }],
  ['flight-AL4012', 'SeatsReleased', { orderId: 'o1', seats: 1, holdBefore: LATER, releasedAt: AT }],
  ['delegation-ana.pilot', 'AgentAuthorized', { ...grant, scopes: ['order:write'], authorizedAt: AT }],
  ['delegation-ana.pilot', 'SpendingCapSet', { cap: brl(900000), ending: [], setAt: AT }],
  ['delegation-ana.pilot', 'MandateOpened', opened('m1')],
  ['delegation-ana.pilot', 'MandateOpened', opened('m2')],
  ['delegation-ana.pilot', 'MandateOpened', opened('m3')],
  ['delegation-ana.pilot', 'MandateOpened', opened('m4')],
  ['mandate-m1', 'MandateCreated', mandate('m1')],
  ['mandate-m2', 'MandateCreated', mandate('m2')],
  ['mandate-m3', 'MandateCreated', mandate('m3')],
  ['mandate-m5', 'MandateAbandoned', { mandateId: 'm5', abandonedAt: AT }],
  booking(1),
  ['booking-b1', 'BookingChanged', { ...choice, passengers: 2, total: brl(100000), changedAt: AT }],
  booking(2),
  booking(3),
  booking(4),
  started(1),
  started(2),
  started(3),
  started(4),
  placed(1),
  placed(2),
  placed(3),
  placed(4),
  ...[1, 2, 3].map((n): StoredEvent => {
    const reserved = { orderId: `o${n}`, bookingId: `b${n}`, amount: brl(20000), holdBefore: LATER, reservedAt: AT };
    return ['mandate-m1', 'MandateReserved', reserved];
  }),
  ['mandate-m1', 'MandateConsumed', { orderId: 'o1', amount: brl(20000), consumedAt: AT }],
  ['mandate-m1', 'MandateReleased', { orderId: 'o2', amount: brl(20000), holdBefore: LATER, releasedAt: AT }],
  [
    'mandate-m1',
    'MandateChargeRefused',
    { orderId: 'o4', reason: 'mandate_limit_exceeded', amount: brl(1), refusedAt: AT },
  ],
  ['order-o3', 'PaymentChallenged', challenged],
  ['order-o1', 'OrderPaid', { ticketCode: '9770000000014', payment, paidAt: AT }],
  ['order-o2', 'OrderFailed', { failure: 'payment_declined', failedAt: AT }],
  ['booking-b1', 'BookingTicketed', { orderId: 'o1', ticketCode: '9770000000014', ticketedAt: AT }],
  ['booking-b2', 'BookingCheckoutAbandoned', { orderId: 'o2', abandonedAt: AT }],
  ['mandate-m2', 'MandateRevoked', { revokedAt: AT }],
  ['mandate-m3', 'MandateExpired', { expiredAt: LATER }],
  ['delegation-ana.pilot', 'MandateClosed', { mandateId: 'm3', consumed: brl(0), closedAt: LATER }],
  ['delegation-ana.pilot', 'AgentRevoked', { openMandates: ['m1', 'm2', 'm4'], revokedAt: LATER }],
  ['security-2026-03-01', 'CodeReplayed', { ...grant, replayedAt: AT }],
  ['security-2026-03-01', 'RefreshReused', { ...grant, reusedAt: AT }],
  ['security-2026-03-01', 'TokenRevoked', { ...grant, kind: 'refresh_token', revokedAt: AT }],
  ['security-2026-03-01', 'LoginThrottled', { holder: 'ana', count: 5, throttledAt: AT }],
  [
    'security-2026-03-01',
    'CapRefused',
    { ...ana, mandateId: 'm6', limit: brl(100000), cap: brl(900000), used: brl(850000), refusedAt: AT },
  ],
  [
    'traffic-2026-03-01-s1',
    'AgentTrafficObserved',
    {
      minutes: [
        {
          start: AT,
          calls: [
            {
              family: 'claude',
              operation: 'placeOrder',
              outcomes: [
                { channel: 'rest', status: 201, error: null, count: 2 },
                { channel: 'mcp', status: 402, error: 'payment_declined', count: 1 },
              ],
              latencies: [10, 2, 12, 1],
            },
          ],
          agents: [{ family: 'claude', hashes: ['a1', 'b2'] }],
        },
      ],
    },
  ],
];
