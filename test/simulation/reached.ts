import { idOf } from '#events';
import { DomainError } from '#kernel';
import type { Books } from '../support/books.js';

/** What lives are made for: a sweep that never comes by one of these proves nothing about it. */
export const SITUATIONS = [
  'an order was ended by a pause',
  'a mandate paid after a pause',
  'a mandate was narrowed over reserved money',
  'a charge was refused as mandate_paused',
  'a charge was refused as mandate_pending',
  'a charge was refused for maxOrders',
  'a charge was refused for maxPricePerSeat',
  'a mandate was asked for and approved',
  'a mandate was asked for and refused',
  'a mandate was asked for and lapsed',
  'a fourth mandate was asked for in vain',
  'a mandate that was asked for paid',
  'a mandate of a consent paid',
  'a consent was carried out in a second try',
] as const;
export type Situation = (typeof SITUATIONS)[number];

/** What a life came by, as its books and its refusals tell. */
export const reachedIn = ({ events }: Books, refusals: readonly unknown[]): ReadonlySet<Situation> => {
  const reached = new Set<Situation>();
  const asked = new Set<string>();
  const created = new Map<string, 'agent' | 'traveller'>();
  const resumed = new Set<string>();
  const reserved = new Map<string, number>();
  const grants = new Set<string>();
  for (const { type, data, stored } of events) {
    const id = idOf(stored.stream);
    switch (type) {
      case 'AgentAuthorized':
        if (grants.has(stored.stream + data.grantId)) reached.add('a consent was carried out in a second try');
        grants.add(stored.stream + data.grantId);
        break;
      case 'OrderFailed':
        if (data.failure === 'mandate_paused') reached.add('an order was ended by a pause');
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
        break;
      case 'MandateConsumed':
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
  const full = refusals.some((error) => error instanceof DomainError && error.code === 'rate_limited');
  if (full) reached.add('a fourth mandate was asked for in vain');
  return reached;
};
