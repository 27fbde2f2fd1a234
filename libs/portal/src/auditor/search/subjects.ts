import { Injectable } from '@nestjs/common';
import { bookings, bookingsProjection } from '#booking';
import { ReadModelStore } from '#documents';
import { EventStore } from '#event-store';
import { Accounts } from '#identity';
import { isId } from '#kernel';
import { Agents, agentsProjection, mandates, mandatesProjection } from '#mandate';
import { Clients } from '#oauth';
import { orders, ordersProjection } from '#order';
import { type Projection, ReadModels } from '#read-models';
import type { AuditTarget } from '../layout/return-targets.js';
import { TicketedOrders } from './ticketed-orders.js';

const ONE = { limit: 1, cursor: undefined };
const CLIENT_ID = /^[\w.-]{1,64}$/;
/** As many characters of an id as distinguish it, or more; a whole one is looked up as such. */
const BEGINNING = /^(?:[0-9a-f]{6,8}|[0-9a-f]{8}-[0-9a-f-]{0,26})$/;
/** So many are named of what begins alike. */
const NAMED = 10;

const LISTS: readonly (readonly [AuditTarget['kind'], Projection<object>])[] = [
  ['mandate', mandatesProjection],
  ['order', ordersProjection],
  ['booking', bookingsProjection],
  ['traveller', agentsProjection],
];

/** Where an address of a traveller is looked up; the accounts of this module are the auditors' own. */
export abstract class TravellerAccounts extends Accounts {}

/** What is printed on a ticket, or an id, names: the streams of that id, and by the list of agents those who have none of their own. */
@Injectable()
export class Subjects {
  constructor(
    private readonly events: EventStore,
    private readonly agents: Agents,
    private readonly clients: Clients,
    private readonly tickets: TicketedOrders,
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  /** What is known by this text: mandates, orders, bookings, travellers and agents; nothing else is searched. */
  async find(text: string): Promise<readonly AuditTarget[]> {
    const id = text.toLowerCase();
    const [ticketed, ...found] = await Promise.all([
      this.tickets.orderOf(text),
      ...(isId(id) ? this.byUuid(id) : []),
      this.agent(text),
    ]);
    const named = [ticketed === null ? null : ({ kind: 'order', id: ticketed } as const), ...found];
    const beginning = BEGINNING.test(id) ? await this.beginningWith(id) : [];
    return [...named.flatMap((target) => target ?? []), ...beginning];
  }

  /** What begins so, of each kind some. */
  private async beginningWith(id: string): Promise<readonly AuditTarget[]> {
    const lists = await Promise.all(
      LISTS.map(async ([kind, projection]) => {
        const collection = await this.readModels.upToDate(projection);
        const found = await this.store.scan<object>(collection, id, NAMED);
        const ids = found.map((one) => (kind === 'traveller' ? (one.id.split('.', 1)[0] ?? '') : one.id));
        return [...new Set(ids)].filter((one) => one.startsWith(id)).map((one) => ({ kind, id: one }));
      }),
    );
    return lists.flat();
  }

  private byUuid(id: string): readonly Promise<AuditTarget | null>[] {
    const streams = [
      ['mandate', mandates.streamOf(id)],
      ['order', orders.streamOf(id)],
      ['booking', bookings.streamOf(id)],
    ] as const;
    return [...streams.map(([kind, stream]) => this.ofStream({ kind, id }, stream)), this.traveller(id)];
  }

  private async ofStream(target: AuditTarget, stream: string): Promise<AuditTarget | null> {
    for await (const _ of this.events.readStream(stream)) return target;
    return null;
  }

  private async traveller(id: string): Promise<AuditTarget | null> {
    const { count } = await this.agents.ofTraveller(id, ONE);
    return count > 0 ? { kind: 'traveller', id } : null;
  }

  private async agent(id: string): Promise<AuditTarget | null> {
    if (!CLIENT_ID.test(id)) return null;
    const { count } = await this.agents.travellersOf(id, ONE);
    return count > 0 || (await this.clients.find(id)) ? { kind: 'agent', id } : null;
  }
}
