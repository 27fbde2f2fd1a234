import { idOf } from '#events';
import type { BookedEvent } from '../../support/books.js';

/** What ends an order, or happens to a mandate beside its orders: the first event that tells it. */
export const happeningsOf = (
  events: readonly BookedEvent[],
): ReadonlyMap<string, Readonly<Record<string, unknown>>> => {
  const documents = new Map<string, Readonly<Record<string, unknown>>>();
  for (const event of events) {
    const { type, data, stored } = event;
    const { actor, occurredAt, party = actor.clientId === null ? undefined : actor } = stored.metadata;
    const isRefusal = type === 'MandateChargeRefused' && data.orderId === null;
    const id = happeningId(event, party?.holder ?? null);
    if (id === null || documents.has(id) || !(party ?? isRefusal)) continue;
    documents.set(id, {
      ...{ holder: party?.holder ?? null, clientId: party?.clientId ?? null, type, subject: idOf(stored.stream) },
      ...{ revision: stored.revision, isByAgent: actor.clientId !== null },
      at: type === 'OrderPaid' ? data.payment.capturedAt : occurredAt,
      ...(isRefusal && { refused: data, refusedAt: data.refusedAt }),
    });
  }
  return documents;
};

const happeningId = ({ type, data, stored }: BookedEvent, holder: string | null): string | null => {
  const place = `${idOf(stored.stream)}@${stored.revision}`;
  switch (type) {
    case 'MandateApproved':
    case 'MandateCreated':
      return `${idOf(stored.stream)}@permitted`;
    case 'MandatePaused':
    case 'MandateResumed':
      return data.pause === undefined ? place : `${holder} ${type} ${data.pause}`;
    case 'MandateChargeRefused':
      return data.orderId === null ? place : null;
    case 'OrderPaid':
    case 'OrderFailed':
    case 'OrderCancelled':
    case 'MandateRequested':
    case 'MandateNarrowed':
    case 'MandateRevoked':
    case 'MandateExpired':
      return place;
    default:
      return null;
  }
};
