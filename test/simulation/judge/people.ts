import { idOf } from '#events';
import type { Books } from '../../support/books.js';
import type { Bodies, End } from '../end.js';

/** Of everybody who flies, and of nothing else. */
export const GIVEN_NAME = 'Açucena';

/** Who flies, and answers that are kept for a retry: both go with their traveller's erasure. */
const ERASABLE: readonly string[] = ['travellers', 'idempotency'];

interface Kept {
  readonly holder: string;
  readonly clientId: string;
  readonly travellers?: readonly { readonly familyName: string }[];
}

/** What is wrong with who flies: a paid order has as many as its request or its booking named, and nothing else tells of them (rule 27). */
export const peopleFindings = ({ documents, readModels, log }: End, { events }: Books): readonly string[] => {
  const found: string[] = [];
  const kept = (documents.get('travellers') ?? new Map()) as ReadonlyMap<string, Kept>;
  const named = new Map<string, { readonly bookingId: string; readonly passengers: number; readonly by: string }>();
  for (const { type, data, stored } of events) {
    const id = idOf(stored.stream);
    if (type === 'BookingCheckoutStarted' && data.named)
      named.set(data.orderId, {
        bookingId: id,
        passengers: data.line.passengers,
        by: `${data.holder} ${data.clientId}`,
      });
    const wanted = type === 'OrderPaid' ? named.get(id) : undefined;
    if (!wanted) continue;
    const { holder, clientId, travellers = [] } = kept.get(id) ?? { holder: null, clientId: null };
    const isRight =
      `${holder} ${clientId}` === wanted.by &&
      travellers.length === wanted.passengers &&
      travellers.every(({ familyName }) => familyName === wanted.bookingId);
    if (!isRight) found.push(`order ${id} was paid, and who flies is not kept as it was named`);
  }
  if (JSON.stringify(log).includes(GIVEN_NAME)) found.push('an event names who flies');
  const elsewhere = [...documents, ...readModels].filter(([name]) => !ERASABLE.includes(name));
  for (const [name, bodies] of elsewhere) if (isNamedIn(bodies)) found.push(`${name} names who flies`);
  return found;
};

const isNamedIn = (bodies: Bodies): boolean => JSON.stringify([...bodies.values()]).includes(GIVEN_NAME);
