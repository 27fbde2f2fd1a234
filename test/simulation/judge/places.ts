import type { Books } from '../../support/books.js';
import type { Bodies, End } from '../end.js';

/** What keeps a place in the end that is due to nobody: of an order that is over, or a mandate that lapsed. */
export const placeFindings = ({ documents, readModels, now }: End, { ledger }: Books): readonly string[] => {
  const found: string[] = [];
  for (const [holder, body] of documents.get('challenge-slots') ?? NOTHING)
    for (const orderId of Object.keys(waitingIn(body)))
      found.push(`${holder} still has a place for the challenge of order ${orderId}`);
  for (const [holder, body] of documents.get('pending-mandates') ?? NOTHING)
    for (const [mandateId, place] of Object.entries(waitingIn(body))) {
      const { lapsesAt } = place as { readonly lapsesAt: string };
      if (lapsesAt > now) found.push(`${holder} still has a place for mandate ${mandateId}, until ${lapsesAt}`);
    }
  for (const orderId of documents.get('card-fingerprints')?.keys() ?? [])
    if (ledger.get(orderId)?.status !== 'challenged') found.push(`the card of order ${orderId} is still known`);
  for (const bookingId of readModels.get('open-checkouts')?.keys() ?? [])
    found.push(`recovery still has the checkout of booking ${bookingId} to finish`);
  for (const [mandateId, body] of readModels.get('open-mandates') ?? NOTHING) {
    const { dueAt } = body as { readonly dueAt: string };
    if (dueAt <= now) found.push(`recovery still has mandate ${mandateId} to end, since ${dueAt}`);
  }
  return found;
};

const NOTHING: Bodies = new Map();

const waitingIn = (body: unknown): Readonly<Record<string, unknown>> =>
  (body as { readonly waiting: Readonly<Record<string, unknown>> }).waiting;
