import type { MandateEvent } from '#events';
import { type Instant, latest } from '#kernel';
import type { GrantedMandate, Mandate } from './mandate.state.js';

/** Folds one event into a mandate's state. */
export const evolveMandate = (mandate: Mandate, event: MandateEvent): Mandate => {
  if (event.type === 'MandateCreated') return created(event.data);
  if (event.type === 'MandateAbandoned') return { kind: 'abandoned' };
  return mandate.kind === 'granted' ? evolveGranted(mandate, event) : mandate;
};

type Later = Exclude<MandateEvent, { type: 'MandateCreated' | 'MandateAbandoned' }>;

const evolveGranted = (mandate: GrantedMandate, event: Later): GrantedMandate => {
  switch (event.type) {
    case 'MandateReserved': {
      const { orderId, amount, reservedAt } = event.data;
      return advanced({ ...mandate, reservations: { ...mandate.reservations, [orderId]: amount.amount } }, reservedAt);
    }
    case 'MandateConsumed': {
      const { orderId, amount, consumedAt } = event.data;
      const consumed = mandate.consumed + amount.amount;
      return advanced({ ...mandate, reservations: without(mandate.reservations, orderId), consumed }, consumedAt);
    }
    case 'MandateReleased': {
      const { orderId, holdBefore, releasedAt } = event.data;
      const fences = { ...mandate.fences, [orderId]: holdBefore };
      return advanced({ ...mandate, reservations: without(mandate.reservations, orderId), fences }, releasedAt);
    }
    case 'MandateChargeRefused': {
      const hour = event.data.refusedAt.slice(0, 13);
      const count = hour === mandate.refusals.hour ? mandate.refusals.count + 1 : 1;
      return advanced({ ...mandate, refusals: { hour, count } }, event.data.refusedAt);
    }
    case 'MandateRevoked':
      return advanced({ ...mandate, revokedAt: event.data.revokedAt }, event.data.revokedAt);
    case 'MandateExpired':
      return advanced({ ...mandate, expiredAt: event.data.expiredAt }, event.data.expiredAt);
  }
};

const created = (terms: Extract<MandateEvent, { type: 'MandateCreated' }>['data']): GrantedMandate => ({
  kind: 'granted',
  ...terms,
  revokedAt: null,
  expiredAt: null,
  consumed: 0,
  reservations: {},
  fences: {},
  latestAt: terms.startsAt,
  refusals: { hour: '', count: 0 },
});

const without = (reservations: GrantedMandate['reservations'], orderId: string): GrantedMandate['reservations'] => {
  const { [orderId]: _, ...others } = reservations;
  return others;
};

/** The state at a later time, without the fences of orders that could reserve nothing anyway. */
const advanced = (mandate: GrantedMandate, at: Instant): GrantedMandate => {
  const latestAt = latest(mandate.latestAt, at);
  const standing = Object.entries(mandate.fences).filter(([, holdBefore]) => holdBefore >= latestAt);
  return { ...mandate, latestAt, fences: Object.fromEntries(standing) };
};
