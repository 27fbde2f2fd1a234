import fc from 'fast-check';
import { Aggregates, type EventStore, type Position } from '#event-store';
import { type AnyEvent, categoryOf, type DelegationEvent, type StreamType } from '#events';
import { money, RandomIds, recorder, type Recording, systemContext } from '#kernel';
import { FixedClock } from '#testing';
import { type OpenMandate, openMandates } from './open-mandates.projection.js';
import { recorded } from '../projection.js';
import { delegations } from '#mandate';

/** Streams that take any event, also one that their type does not know. */
const anything: StreamType<string, null, Recording<AnyEvent>, AnyEvent> = {
  category: 'any',
  schemas: {},
  decider: recorder(),
  streamOf: (stream) => stream,
  versionOf: () => 1,
  partyOf: () => null,
  snapshotVersion: null,
  check: (event) => event,
  decode: (stored) => stored,
};

export class DelegationLog {
  private readonly aggregates: Aggregates;

  constructor(readonly store: EventStore) {
    this.aggregates = new Aggregates(store, new FixedClock(), new RandomIds());
  }

  /** Appends events to a stream; returns the position of the last. */
  async append(stream: string, ...facts: readonly AnyEvent[]): Promise<Position> {
    const { position } = await this.aggregates.handle(anything, stream, { facts }, systemContext('test'));
    if (position === null) throw new Error('nothing was appended');
    return position;
  }

  /** Appends events of agent `agent`; returns the position of the last. */
  appendTo(agent: number, ...events: readonly DelegationEvent[]): Promise<Position> {
    return this.append(delegations.streamOf({ holder: 'holder', clientId: `agent${agent}` }), ...events);
  }

  /** Appends a step, on mandates that belong to its round; returns its position. */
  take({ agent, mandate, isOpening }: Step, round: number): Promise<Position> {
    const id = `m${round}-${mandate}`;
    return this.appendTo(agent, isOpening ? opened(id) : closed(id, mandate));
  }

  /** The documents that the whole log folds to: what a clean run of the projection must leave, tombstones left out. */
  async folded(): Promise<Readonly<Record<string, OpenMandate>>> {
    const documents = new Map<string, OpenMandate>();
    for await (const stored of this.store.readAll(null)) {
      if (categoryOf(stored.stream) !== delegations.category) continue;
      const event = recorded(openMandates, stored);
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

/** One of a few agents opens or closes one of a few mandates. */
export interface Step {
  readonly agent: number;
  readonly mandate: number;
  readonly isOpening: boolean;
}

export const anySteps = fc.array(
  fc.record({
    agent: fc.integer({ min: 1, max: 3 }),
    mandate: fc.integer({ min: 1, max: 4 }),
    isOpening: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

export const opened = (mandateId: string, limit = 100_00): DelegationEvent => ({
  type: 'MandateOpened',
  data: { mandateId, limit: money(limit, 'BRL'), expiresAt: AT, openedAt: AT },
});

export const closed = (mandateId: string, consumed = 0): DelegationEvent => ({
  type: 'MandateClosed',
  data: { mandateId, consumed: money(consumed, 'BRL'), closedAt: AT },
});

export const foreign = (first: number) => ({
  type: 'TicketBlockLeased',
  data: { leaseId: 'l', first, last: first, leasedAt: AT },
});
