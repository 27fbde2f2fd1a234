import type { Constraints, MandateEvent } from '#events';
import type { HeldByAll } from './pause/pause.state.js';
import { type Fence, type Instant, latest, type Money, money, plus, type Scope, standing, withoutOrder } from '#kernel';

/** Money set aside for an order: cents, and the booking whose open checkout says how to finish it (rule 9). */
export interface Reservation {
  readonly orderId: string;
  readonly amount: number;
  readonly bookingId: string;
}

export type Approval = Extract<MandateEvent, { type: 'MandateApproved' }>['data'];

/** A mandate that was granted: totals, open reservations and fences, never every order (docs/consistency.md, rule 15). */
export interface GrantedMandate {
  readonly kind: 'granted';
  readonly mandateId: string;
  readonly holder: string;
  readonly clientId: string;
  readonly scope: readonly Scope[];
  readonly limit: Money;
  readonly minutes: number;
  readonly startsAt: Instant;
  readonly expiresAt: Instant;
  readonly grantedBy: Grantor;
  readonly constraints: Constraints;
  /** Not granted yet: what its traveller approved, which is being carried out, or null; absent: it is granted. */
  readonly pending?: { readonly approved: Approval | null };
  readonly pausedAt: Instant | null;
  /** The last pause of everything that reached it, beside its own; absent: none did. */
  readonly pauseOfAll?: HeldByAll;
  readonly revokedAt: Instant | null;
  readonly expiredAt: Instant | null;
  /** Cents captured that did not come back, and the number of orders that they were captured for. */
  readonly consumed: number;
  readonly paidOrders: number;
  /** Cents that came back: `consumed` is without them. */
  readonly refunded: number;
  /** The orders that they came back for, until some minutes after their flights have left. */
  readonly refunds: readonly Fence[];
  /** What is set aside, once for each order. */
  readonly reservations: readonly Reservation[];
  /** Orders that may reserve nothing any more. */
  readonly fences: readonly Fence[];
  /** Time of the latest event: nothing is decided in this stream at an earlier one (rule 16). */
  readonly latestAt: Instant;
  /** Charge refusals written in the hour of the last one (rule 18). */
  readonly refusals: { readonly hour: string; readonly count: number };
}

/** Who decides to open a mandate: the traveller, or the agent within what the traveller lets it do. */
export const GRANTORS = ['traveller', 'agent'] as const;
export type Grantor = (typeof GRANTORS)[number];

/** The state of `mandate-<id>`. */
export type Mandate = { readonly kind: 'none' } | { readonly kind: 'abandoned' } | GrantedMandate;

/** The mandate, where nothing else can be. */
export const grantedOf = (mandate: Mandate): GrantedMandate => {
  if (mandate.kind !== 'granted') throw new Error(`a mandate that has to be granted is ${mandate.kind}`);
  return mandate;
};

/** Status as the interface shows it (docs/decisions.md, Mandate). */
export const MANDATE_STATUSES = ['valid', 'pending', 'exhausted', 'paused', 'revoked', 'expired'] as const;
export type MandateStatus = (typeof MANDATE_STATUSES)[number];

/** Precedence: revoked, expired, pending, paused, exhausted, valid (rule 17). `exhausted` means that all of the limit was consumed. */
export const statusOf = (mandate: GrantedMandate, now: Instant): MandateStatus => {
  if (mandate.revokedAt !== null) return 'revoked';
  if (mandate.expiredAt !== null || now >= mandate.expiresAt) return 'expired';
  if (mandate.pending) return 'pending';
  if (isPaused(mandate)) return 'paused';
  return mandate.consumed === mandate.limit.amount ? 'exhausted' : 'valid';
};

/** Whether its traveller paused it, or everything. */
export const isPaused = ({ pausedAt, pauseOfAll }: Pick<GrantedMandate, 'pausedAt' | 'pauseOfAll'>): boolean =>
  pausedAt !== null || pauseOfAll?.isOn === true;

export const reservedOf = ({ reservations, limit }: GrantedMandate): Money =>
  money(
    reservations.reduce((sum, { amount }) => sum + amount, 0),
    limit.currency,
  );

/** What is left to reserve: `limit = consumed + reserved + remaining`, always. */
export const remainingOf = (mandate: GrantedMandate): Money =>
  money(mandate.limit.amount - mandate.consumed - reservedOf(mandate).amount, mandate.limit.currency);

export const evolveMandate = (mandate: Mandate, event: MandateEvent): Mandate => {
  if (event.type === 'MandateCreated') return created(event.data);
  if (event.type === 'MandateRequested') return requested(event.data);
  if (event.type === 'MandateAbandoned') return { kind: 'abandoned' };
  return mandate.kind === 'granted' ? evolveGranted(mandate, event) : mandate;
};

type Later = Exclude<MandateEvent, { type: 'MandateCreated' | 'MandateRequested' | 'MandateAbandoned' }>;

const evolveGranted = (mandate: GrantedMandate, event: Later): GrantedMandate => {
  switch (event.type) {
    case 'MandateReserved': {
      const { orderId, bookingId, amount, reservedAt } = event.data;
      const reservations = [...mandate.reservations, { orderId, amount: amount.amount, bookingId }];
      return advanced(mandate, reservedAt, { reservations });
    }
    case 'MandateConsumed': {
      const { orderId, amount, consumedAt } = event.data;
      const consumed = mandate.consumed + amount.amount;
      const paidOrders = mandate.paidOrders + 1;
      const reservations = withoutOrder(mandate.reservations, orderId);
      return advanced(mandate, consumedAt, { reservations, consumed, paidOrders });
    }
    case 'MandateReleased': {
      const { orderId, holdBefore, releasedAt } = event.data;
      const fences = [...mandate.fences, { orderId, holdBefore }];
      return advanced(mandate, releasedAt, { reservations: withoutOrder(mandate.reservations, orderId), fences });
    }
    case 'MandateRefunded': {
      const { orderId, amount, departsAt, refundedAt } = event.data;
      const refunds = [...mandate.refunds, { orderId, holdBefore: rememberedUntil(departsAt, refundedAt) }];
      const [consumed, refunded] = [mandate.consumed - amount.amount, mandate.refunded + amount.amount];
      return advanced(mandate, refundedAt, { refunds, consumed, refunded, paidOrders: mandate.paidOrders - 1 });
    }
    case 'MandateChargeRefused': {
      const hour = event.data.refusedAt.slice(0, 13);
      const count = hour === mandate.refusals.hour ? mandate.refusals.count + 1 : 1;
      return advanced(mandate, event.data.refusedAt, { refusals: { hour, count } });
    }
    case 'MandateApproved':
      return advanced(mandate, event.data.startsAt, { pending: { approved: event.data } });
    case 'MandateNarrowed': {
      const { limit, expiresAt, narrowedAt } = event.data;
      return advanced(mandate, narrowedAt, { limit, expiresAt });
    }
    case 'MandatePaused': {
      const { pause, pausedAt } = event.data;
      return advanced(mandate, pausedAt, pause === undefined ? { pausedAt } : { pauseOfAll: { pause, isOn: true } });
    }
    case 'MandateResumed': {
      const { pause, resumedAt } = event.data;
      return advanced(
        mandate,
        resumedAt,
        pause === undefined ? { pausedAt: null } : { pauseOfAll: { pause, isOn: false } },
      );
    }
    case 'MandateRevoked':
      return advanced(mandate, event.data.revokedAt, { revokedAt: event.data.revokedAt });
    case 'MandateExpired':
      return advanced(mandate, event.data.expiredAt, { expiredAt: event.data.expiredAt });
  }
};

/** How long (ms) a refund is remembered after its flight has left: longer than a command for it may take (rule 36). */
const REMEMBERED = 600_000;

export const rememberedUntil = (departsAt: Instant | null, at: Instant): Instant =>
  plus(departsAt === null ? at : latest(departsAt, at), REMEMBERED);

const created = ({
  constraints = {},
  ...terms
}: Extract<MandateEvent, { type: 'MandateCreated' }>['data']): GrantedMandate => ({
  kind: 'granted',
  ...terms,
  constraints,
  pausedAt: null,
  revokedAt: null,
  expiredAt: null,
  consumed: 0,
  paidOrders: 0,
  refunded: 0,
  refunds: [],
  reservations: [],
  fences: [],
  latestAt: terms.startsAt,
  refusals: { hour: '', count: 0 },
});

/** What is asked for: over at the instant at which it lapses, until the traveller answers. */
const requested = ({
  requestedAt: startsAt,
  lapsesAt: expiresAt,
  ...terms
}: Extract<MandateEvent, { type: 'MandateRequested' }>['data']): GrantedMandate => ({
  ...created({ ...terms, startsAt, expiresAt, grantedBy: 'traveller' }),
  pending: { approved: null },
});

/** The state at a later time, changed, and without the fences of orders that could reserve nothing anyway. */
const advanced = (mandate: GrantedMandate, at: Instant, changes: Partial<GrantedMandate>): GrantedMandate => {
  const latestAt = latest(mandate.latestAt, at);
  const fences = standing(changes.fences ?? mandate.fences, latestAt);
  return { ...mandate, ...changes, latestAt, fences, refunds: standing(changes.refunds ?? mandate.refunds, latestAt) };
};
