import { Injectable } from '@nestjs/common';
import { bookings } from '#booking';
import { Agents, mandates } from '#mandate';
import { EventStore } from '#event-store';
import { isId } from '#kernel';
import { Clients } from '#oauth';
import { orders } from '#order';
import type { AuditTarget } from '../layout/return-targets.js';

const ONE = { limit: 1, cursor: undefined };
const CLIENT_ID = /^[\w.-]{1,64}$/;

/** What an id names: the streams that it names by itself, and by the list of agents those who have none of their own. */
@Injectable()
export class Subjects {
  constructor(
    private readonly events: EventStore,
    private readonly agents: Agents,
    private readonly clients: Clients,
  ) {}

  /** What the log knows by this id: mandates, orders, bookings, travellers and agents; nothing else is searched. */
  async find(id: string): Promise<readonly AuditTarget[]> {
    const found = await Promise.all([...(isId(id) ? this.byUuid(id) : []), this.agent(id)]);
    return found.flatMap((target) => target ?? []);
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
