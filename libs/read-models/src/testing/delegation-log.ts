import { Aggregates, type EventStore, type Position } from '#event-store';
import { type DelegationEvent, delegationStream } from '#events';
import { money, RandomIds, systemContext } from '#kernel';
import { FixedClock } from '#testing';
import { type OpenMandate, openMandates } from './open-mandates.projection.js';
import { recorded } from '../recorded-event.js';

interface Recorded {
  readonly type: string;
  readonly data: object;
}

/** Writes down what it is told. */
const record = {
  decide: ({ events }: { readonly events: readonly Recorded[] }) => events,
  evolve: () => null,
  initialState: () => null,
};

/** A log with events of delegations in it. */
export class DelegationLog {
  private readonly aggregates: Aggregates;

  constructor(readonly store: EventStore) {
    this.aggregates = new Aggregates(store, new FixedClock(), new RandomIds());
  }

  /** Appends events to a stream; answers the position of the last. */
  async append(stream: string, ...events: readonly Recorded[]): Promise<Position> {
    const { position } = await this.aggregates.handle(stream, record, { events }, systemContext('test'));
    if (position === null) throw new Error('nothing was appended');
    return position;
  }

  /** Appends events of agent `agent`; answers the position of the last. */
  appendTo(agent: number, ...events: readonly DelegationEvent[]): Promise<Position> {
    return this.append(delegationStream('holder', `agent${agent}`), ...events);
  }

  /** The documents that the whole log folds to: what a clean run of the projection must leave, tombstones left out. */
  async folded(): Promise<Readonly<Record<string, OpenMandate>>> {
    const documents = new Map<string, OpenMandate>();
    for await (const stored of this.store.readAll(null)) {
      const event = recorded(stored);
      for (const id of openMandates.documentsOf(event)) {
        const next = openMandates.evolve(documents.get(id) ?? null, event, id);
        if (next) documents.set(id, next);
        else documents.delete(id);
      }
    }
    return Object.fromEntries(documents);
  }
}

const AT = '2026-01-15T12:00:00.000Z';

export const opened = (mandateId: string, limit = 100_00): DelegationEvent => ({
  type: 'MandateOpened',
  data: { mandateId, limit: money(limit, 'BRL'), expiresAt: AT, openedAt: AT },
});

export const closed = (mandateId: string, consumed = 0): DelegationEvent => ({
  type: 'MandateClosed',
  data: { mandateId, consumed: money(consumed, 'BRL'), closedAt: AT },
});

/** An event of a category that the projection does not read. */
export const foreign = (first: number) => ({
  type: 'TicketBlockLeased',
  data: { leaseId: 'l', first, last: first, leasedAt: AT },
});
