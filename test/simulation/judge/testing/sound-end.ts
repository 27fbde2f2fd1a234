import { createHash } from 'node:crypto';
import { bookingsProjection } from '#booking/pure';
import { flightsProjection } from '#catalog/pure';
import { openCheckoutsProjection } from '#checkout/pure';
import { agentsProjection, mandatesProjection, openMandatesProjection } from '#mandate/pure';
import type { StoredEvent } from '#event-store';
import { ordersProjection } from '#order/pure';
import { type Projection, recorded } from '#read-models';
import { agentFactsProjection } from '#traffic/pure';
import { appendLeaf, EMPTY, entryBytes, leafHash, markOf, rootOf } from '#verifier';
import type { Draft } from '../../../audit/draft.js';
import type { Bodies, End } from '../../end.js';

const PROJECTIONS: readonly Projection<object>[] = [
  agentFactsProjection,
  agentsProjection,
  bookingsProjection,
  flightsProjection,
  mandatesProjection,
  openCheckoutsProjection,
  openMandatesProjection,
  ordersProjection,
];

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const keyOf = (stream: string): Uint8Array => sha256(Buffer.from(stream));

const folded = (projection: Projection<object>, log: readonly StoredEvent[]): Bodies => {
  const documents = new Map<string, object>();
  for (const stored of log) {
    if (!projection.from.some(({ category }) => stored.stream.startsWith(`${category}-`))) continue;
    const event = recorded(projection, stored);
    for (const id of projection.documentsOf(event)) {
      const next = projection.evolve(documents.get(id) ?? null, event, id);
      if (next) documents.set(id, structuredClone(next));
      else documents.delete(id);
    }
  }
  return documents;
};

export const placeOf = (log: readonly StoredEvent[], type: string, member: string, value: unknown): number =>
  log.findIndex((event) => event.type === type && event.data[member] === value);

/** Trees as they are sealed, at two sizes, and the tile that they fill. */
const sealedOf = (log: readonly StoredEvent[]): End['transparency'] => {
  const leaves = log.map(({ stream, revision, metadata }) =>
    leafHash(sha256, entryBytes({ mark: markOf(sha256, keyOf(stream), revision), hash: metadata.hash })),
  );
  const headOf = (size: number) => {
    const edge = leaves.slice(0, size).reduce((tree, leaf) => appendLeaf(sha256, tree, leaf), EMPTY);
    const root = Buffer.from(rootOf(sha256, edge)).toString('base64');
    return { size, root, position: log[size - 1]?.position ?? '' };
  };
  const hashes = Buffer.concat(leaves.slice(0, 256)).toString('base64');
  return { heads: [headOf(77), headOf(log.length)], tiles: new Map([['0-0', { hashes }]]), keyOf };
};

/** The end of a life in which everybody was answered at once, and nobody was told anything but what is so. */
export const endOf = (draft: Draft): End => {
  const { ledger } = draft;
  const log = logOf(draft);
  return {
    log,
    written: log.map((_, place) => place),
    captures: [...ledger]
      .flatMap(([orderId, { status }]) => {
        const places = [
          placeOf(log, 'MandateConsumed', 'orderId', orderId),
          placeOf(log, 'BookingTicketed', 'orderId', orderId),
        ];
        return status === 'captured' ? [{ orderId, at: Math.min(...places.filter((place) => place >= 0)) - 0.5 }] : [];
      })
      .sort((one, other) => one.at - other.at),
    documents: new Map([['payment-ledger', ledger]]),
    readModels: new Map(PROJECTIONS.map((projection) => [projection.name, folded(projection, log)])),
    answers: [],
    transparency: sealedOf(log),
    now: '2030-01-01T00:00:00.000Z',
  };
};

export const logOf = (draft: Draft): readonly StoredEvent[] =>
  draft.raw().map((event) => ({
    ...event,
    data: JSON.parse(event.data) as StoredEvent['data'],
    metadata: JSON.parse(event.metadata) as StoredEvent['metadata'],
  }));
