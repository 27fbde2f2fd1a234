import { Injectable } from '@nestjs/common';
import { Clients, shownName } from '#oauth';
import { html, type Html } from '#site';

/** An agent as a page names it. */
export interface AgentName {
  readonly name: string;
  /** The pilot: everybody knows its secret. */
  readonly pilot: boolean;
}

/** What the agents are called. One that is no longer registered goes by its client id. */
@Injectable()
export class AgentNames {
  constructor(private readonly clients: Clients) {}

  async of(clientId: string): Promise<AgentName> {
    const client = await this.clients.find(clientId);
    return { name: client ? shownName(client) : clientId, pilot: client?.pilot ?? false };
  }

  /** Looks up each of these once; the answer names any of them. */
  async ofAll(clientIds: readonly string[]): Promise<(clientId: string) => AgentName> {
    const known = new Map<string, AgentName>();
    for (const clientId of new Set(clientIds)) known.set(clientId, await this.of(clientId));
    return (clientId) => known.get(clientId) ?? { name: clientId, pilot: false };
  }
}

/** The mark of the pilot; nothing for any other agent. */
export const pilotBadge = ({ pilot }: AgentName): Html | false =>
  pilot && html`<span class="badge">cliente piloto de testes</span>`;
