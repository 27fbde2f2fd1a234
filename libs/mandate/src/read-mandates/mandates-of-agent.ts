import { Injectable } from '@nestjs/common';
import type { AgentListItem } from '../delegation/agents.projection.js';
import { delegations } from '../delegation/delegation.decider.js';
import { Aggregates, EventStore, type StoredEvent } from '#event-store';
import type { Instant, Money, Party } from '#kernel';
import { decodeCursor, encodeCursor } from '#read-models';
import { mandates } from '../mandate.decider.js';
import type { GrantedMandate } from '../mandate.state.js';

export interface Charged {
  readonly orderId: string;
  readonly amount: Money;
  readonly chargedAt: Instant;
}

export interface MandateUse {
  readonly mandate: GrantedMandate;
  /** The newest charges, newest first, at most 5; `mandate.paidOrders` counts all. */
  readonly charges: readonly Charged[];
}

export interface MandatesOfAgentPage {
  readonly items: readonly MandateUse[];
  /** null: there are no older ones. */
  readonly nextCursor: string | null;
}

const MANDATES_A_PAGE = 10;
const CHARGES_SHOWN = 5;
/** How many events of a stream are read at once, and how often for one page, so that a page costs the same however long the stream is. */
const WINDOW = 200;
const MOST_WINDOWS = 10;

/** What a traveller's agent was granted, however long ago, and what it did with it: read from the ends of the streams. */
@Injectable()
export class MandatesOfAgent {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly events: EventStore,
  ) {}

  /** @throws DomainError `invalid_cursor` */
  async page(party: Party, cursor: string | undefined): Promise<MandatesOfAgentPage> {
    const { holder, clientId } = party;
    const list = { mandatesOf: `${holder}.${clientId}` };
    const { revision } = await this.aggregates.load(delegations, party);
    const end = cursor === undefined ? revision + 1 : Number(decodeCursor(list, cursor).value);
    const { opened, rest } = await this.openedBefore(delegations.streamOf(party), end);
    const uses = await Promise.all(opened.map((mandateId) => this.useOf(mandateId)));
    const nextCursor = rest > 0 ? encodeCursor(list, { value: rest, id: clientId }) : null;
    return { items: uses.flatMap((use) => use ?? []), nextCursor };
  }

  /** Those of a traveller's agents that were let in before an instant, and never had a mandate. */
  async withoutAny(agents: readonly AgentListItem[], letInBefore: Instant): Promise<readonly AgentListItem[]> {
    const idle: AgentListItem[] = [];
    for (const agent of agents) {
      if (agent.revokedAt !== null || agent.authorizedAt >= letInBefore) continue;
      const { openMandates, closed } = agent.delegation;
      // The list says of most that they had some; the log is read for the others alone.
      if (Object.keys(openMandates).length + closed.length > 0) continue;
      if (!(await this.hadAny(agent))) idle.push(agent);
    }
    return idle;
  }

  /** Whether an agent was ever granted a mandate, or did so much that nobody looks. */
  private async hadAny(party: Party): Promise<boolean> {
    const { revision } = await this.aggregates.load(delegations, party);
    const { opened, rest } = await this.openedBefore(delegations.streamOf(party), revision + 1);
    for (const mandateId of opened)
      if ((await this.aggregates.load(mandates, mandateId)).state.kind === 'granted') return true;
    return rest > 0;
  }

  /** The mandates opened last before this revision, newest first; `rest`: before which revision older ones may stand, or 0. */
  private async openedBefore(stream: string, end: number): Promise<{ opened: readonly string[]; rest: number }> {
    const opened: { readonly mandateId: string; readonly revision: number }[] = [];
    let rest = end;
    for (let read = 0; rest > 0 && read < MOST_WINDOWS && opened.length <= MANDATES_A_PAGE; read += 1) {
      for (const { revision, event } of (await this.window(delegations, stream, rest)).toReversed()) {
        if (event.type === 'MandateOpened') opened.push({ mandateId: event.data.mandateId, revision });
      }
      rest = Math.max(0, rest - WINDOW);
    }
    const shown = opened.slice(0, MANDATES_A_PAGE);
    const last = opened.length > shown.length ? shown.at(-1) : undefined;
    return { opened: shown.map(({ mandateId }) => mandateId), rest: last?.revision ?? rest };
  }

  /** null: it was opened and never created. */
  private async useOf(mandateId: string): Promise<MandateUse | null> {
    const { state: mandate, revision } = await this.aggregates.load(mandates, mandateId);
    if (mandate.kind !== 'granted') return null;
    const last = mandate.paidOrders > 0 ? await this.window(mandates, mandates.streamOf(mandateId), revision + 1) : [];
    const charges = last.flatMap(({ event }): readonly Charged[] => {
      if (event.type !== 'MandateConsumed') return [];
      const { orderId, amount, consumedAt: chargedAt } = event.data;
      return [{ orderId, amount, chargedAt }];
    });
    return { mandate, charges: charges.toReversed().slice(0, CHARGES_SHOWN) };
  }

  /** The events of a stream right before this revision, oldest first. */
  private async window<Event>(
    { decode }: { readonly decode: (stored: StoredEvent) => Event },
    stream: string,
    end: number,
  ): Promise<{ readonly revision: number; readonly event: Event }[]> {
    const found: { readonly revision: number; readonly event: Event }[] = [];
    for await (const stored of this.events.readStream(stream, Math.max(0, end - WINDOW))) {
      if (stored.revision >= end) break;
      found.push({ revision: stored.revision, event: decode(stored) });
    }
    return found;
  }
}
