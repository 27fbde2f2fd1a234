import {
  bookingEvents,
  delegationEvents,
  flightEvents,
  idOf,
  mandateEvents,
  orderEvents,
  pauseEvents,
  ticketStockEvents,
} from '#events';
import { DomainError, ERROR_CODES, type ErrorCode } from '#kernel';
import type { Books } from '../support/books.js';
import { FAULTS } from './faults.js';
import type { Tally } from './simulation.js';

/** What lives are made for: a sweep that never comes by one of these proves nothing about it. */
export const SITUATIONS = [
  'an order was ended by a pause',
  'an order was ended by a revocation',
  'an order failed that was never placed',
  'an order was released that had reserved nothing',
  'a challenge was approved and paid',
  'a challenge was denied or lapsed',
  'a challenge was approved and not completed',
  'a mandate paid after a pause',
  'a mandate was narrowed over reserved money',
  'a mandate was ended by a cap',
  'a charge was refused as mandate_paused',
  'a charge was refused as mandate_pending',
  'a charge was refused for maxOrders',
  'a charge was refused for maxPricePerSeat',
  'a charge was refused for orderTotal',
  'a mandate was asked for and approved',
  'a mandate was asked for and refused',
  'a mandate was asked for and lapsed',
  'a fourth mandate was asked for in vain',
  'a mandate that was asked for paid',
  'a mandate of a consent paid',
  'a consent was carried out in a second try',
  'an order paid less than was promised',
  'an order paid more than was promised',
  'an order was cancelled',
  'a cancellation was carried out by recovery',
  'a mandate paid with what came back',
  'an order was paid that says who flies',
  'a day was opened',
  'a session was bought by its platform',
  'a session was bought under a key',
  'a session was bought on its page',
  'a session was kept from another by its purchase',
] as const;
export type Situation = (typeof SITUATIONS)[number];

const EVENTS = [
  bookingEvents,
  delegationEvents,
  flightEvents,
  mandateEvents,
  orderEvents,
  pauseEvents,
  ticketStockEvents,
].flatMap((events) => Object.keys(events));
/** Events of no such stream; the others of `security-` come of tokens, logins and keys, which are HTTP's. */
const OTHER_EVENTS = ['CapRefused'];

const HTTP = 'answered before a command is made, by the parser, the guards or the check of a body: npm run fuzz';
const READS = 'answered to a question alone, which changes nothing: npm run fuzz';

/** The refusals that no life can come by, each with the reason. */
export const BEYOND_LIVES: Readonly<Partial<Record<ErrorCode, string>>> = {
  malformed_json: HTTP,
  mandate_redeemed: 'lives know no mandates of AP2: test/e2e/ucp-ap2.spec.ts',
  unknown_tool: HTTP,
  invalid_arguments: HTTP,
  invalid_idempotency_key: HTTP,
  cancellation_expired: 'lives confirm what was quoted just before: test/scenarios/cancelling.spec.ts',
  webhook_not_found: 'lives have no webhooks: test/e2e/webhooks.spec.ts',
  invalid_webhook: 'lives have no webhooks: test/e2e/webhooks.spec.ts',
  cursor_too_old: READS,
  token_missing: HTTP,
  insufficient_scope: HTTP,
  origin_forbidden: HTTP,
  invalid_signature: HTTP,
  route_not_found: HTTP,
  method_not_allowed: HTTP,
  request_timeout: HTTP,
  payload_too_large: HTTP,
  unsupported_media_type: HTTP,
  invalid_body: HTTP,
  unknown_member: HTTP,
  invalid_passengers: HTTP,
  invalid_currency: HTTP,
  invalid_mandate_scope: HTTP,
  invalid_constraints: HTTP,
  invalid_metadata: HTTP,
  invalid_payment: HTTP,
  invalid_budget: HTTP,
  invalid_query: READS,
  invalid_cursor: READS,
  invalid_window: READS,
  flight_not_found: READS,
  ticket_not_found: READS,
  internal_error: 'a defect: every one that a life comes by is a finding',
};

/** A call that is made less often than this may never have been the last of a process, by chance. */
const OFTEN = 20_000;

/** Everything that lives have to come by; of the calls, those that are made often have to be a place of death as well. */
const wanted = (tally: Tally): readonly string[] => [
  ...FAULTS.map((fault) => `fault: ${fault}`),
  ...[...EVENTS, ...OTHER_EVENTS].map((type) => `event: ${type}`),
  ...ERROR_CODES.filter((code) => !BEYOND_LIVES[code]).map((code) => `refusal: ${code}`),
  ...SITUATIONS.map((situation) => `situation: ${situation}`),
  ...[...tally].flatMap(([name, times]) =>
    name.startsWith('call: ') && times >= OFTEN ? [name.replace('call: ', 'crash: ')] : [],
  ),
];

export const missedBy = (tally: Tally): readonly string[] => wanted(tally).filter((name) => !tally.get(name));

/** What lives came by, kind by kind, for people to read: how often each thing came up, and what never did. */
export const summaryOf = (tally: Tally): string => {
  const kinds = new Map<string, string[]>();
  for (const [name, times] of [...tally].sort(([, one], [, other]) => other - one)) {
    const [kind = '', what = ''] = name.split(': ');
    if (kind !== 'call') kinds.set(kind, [...(kinds.get(kind) ?? []), `${String(times).padStart(9)}  ${what}`]);
  }
  const reached = [...kinds].sort().flatMap(([kind, lines]) => [`${kind} (${lines.length})`, ...lines]);
  const missed = missedBy(tally).map((name) => `${'never'.padStart(9)}  ${name}`);
  return [...reached, ...missed].join('\n');
};

/** What a life came by, as its books and its refusals tell. */
export const reachedIn = ({ events }: Books, refusals: readonly unknown[]): ReadonlySet<Situation> => {
  const reached = new Set<Situation>();
  const asked = new Set<string>();
  const created = new Map<string, 'agent' | 'traveller'>();
  const resumed = new Set<string>();
  const reserved = new Map<string, number>();
  const challenged = new Set<string>();
  const grants = new Set<string>();
  const refunded = new Set<string>();
  const promised = new Map<string, number>();
  const named = new Set<string>();
  for (const [place, { type, data, stored }] of events.entries()) {
    const id = idOf(stored.stream);
    switch (type) {
      case 'DaysOpened':
        if (stored.revision > 0) reached.add('a day was opened');
        break;
      case 'BookingCreated':
      case 'BookingChanged':
        promised.set(id, data.total.amount);
        break;
      case 'BookingCheckoutStarted':
        if (data.total.amount < (promised.get(id) ?? 0)) reached.add('an order paid less than was promised');
        if (data.accepted) reached.add('an order paid more than was promised');
        if (data.named) named.add(data.orderId);
        break;
      case 'AgentAuthorized':
        if (grants.has(stored.stream + data.grantId)) reached.add('a consent was carried out in a second try');
        grants.add(stored.stream + data.grantId);
        break;
      case 'SpendingCapSet':
        if (data.ending.length > 0) reached.add('a mandate was ended by a cap');
        break;
      case 'PaymentChallenged':
        challenged.add(id);
        break;
      case 'OrderPaid':
        if (challenged.has(id)) reached.add('a challenge was approved and paid');
        if (named.has(id)) reached.add('an order was paid that says who flies');
        break;
      case 'OrderFailed':
        if (data.failure === 'mandate_paused') reached.add('an order was ended by a pause');
        if (data.failure === 'mandate_revoked') reached.add('an order was ended by a revocation');
        if (data.failure === 'payment_challenge_failed') reached.add('a challenge was denied or lapsed');
        if (data.failure === 'payment_not_completed') reached.add('a challenge was approved and not completed');
        if (events[place - 1]?.stored.stream === stored.stream) reached.add('an order failed that was never placed');
        break;
      case 'MandateRequested':
        asked.add(id);
        break;
      case 'MandateCreated':
        created.set(id, data.grantedBy);
        if (asked.has(id)) reached.add('a mandate was asked for and approved');
        break;
      case 'MandateRevoked':
        if (asked.has(id) && !created.has(id)) reached.add('a mandate was asked for and refused');
        break;
      case 'MandateResumed':
        resumed.add(id);
        break;
      case 'MandateNarrowed':
        if ((reserved.get(id) ?? 0) > 0) reached.add('a mandate was narrowed over reserved money');
        break;
      case 'MandateReserved':
        reserved.set(id, (reserved.get(id) ?? 0) + 1);
        break;
      case 'MandateReleased':
        if (data.amount.amount > 0) reserved.set(id, (reserved.get(id) ?? 0) - 1);
        else reached.add('an order was released that had reserved nothing');
        break;
      case 'OrderCancelled':
        reached.add('an order was cancelled');
        if (stored.metadata.actor.holder === null) reached.add('a cancellation was carried out by recovery');
        break;
      case 'MandateRefunded':
        refunded.add(id);
        break;
      case 'MandateConsumed':
        if (refunded.has(id)) reached.add('a mandate paid with what came back');
        reserved.set(id, (reserved.get(id) ?? 0) - 1);
        if (resumed.has(id)) reached.add('a mandate paid after a pause');
        if (asked.has(id)) reached.add('a mandate that was asked for paid');
        else if (created.get(id) === 'traveller') reached.add('a mandate of a consent paid');
        break;
      case 'MandateChargeRefused':
        for (const situation of SITUATIONS)
          if (situation.endsWith(` ${data.constraint ?? data.reason}`)) reached.add(situation);
    }
  }
  const lapsed = [...asked].some((id) => !created.has(id));
  if (lapsed) reached.add('a mandate was asked for and lapsed');
  if (refusals.some(isFourth)) reached.add('a fourth mandate was asked for in vain');
  return reached;
};

const isFourth = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'rate_limited' && !!error.details && isLimitOfThree(error.details);

const isLimitOfThree = (details: object): boolean => 'limit' in details && details.limit === 3;
