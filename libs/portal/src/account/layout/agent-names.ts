import { Injectable } from '@nestjs/common';
import { Agents } from '#mandate';
import { isStrangerId, type Party } from '#kernel';
import { Clients, travellersName, UNVERIFIED } from '#oauth';
import { html, type Html } from '#site';

export interface AgentName {
  readonly name: string;
  /** The pilot: everybody knows its secret. */
  readonly pilot: boolean;
}

/** What a traveller's agents are called. One that is no longer registered goes by its client id. */
@Injectable()
export class AgentNames {
  constructor(
    private readonly clients: Clients,
    private readonly agents: Agents,
  ) {}

  async of({ holder, clientId }: Party): Promise<AgentName> {
    const client = await this.clients.find(clientId);
    if (!client) return { name: isStrangerId(clientId) ? `${clientId} (${UNVERIFIED})` : clientId, pilot: false };
    const delegation = client.registration && (await this.agents.delegation(holder, clientId));
    const { redirectHosts = [] } = delegation && delegation.status !== 'unknown' ? delegation : {};
    return { name: travellersName(client, ...redirectHosts), pilot: client.pilot };
  }

  /** Looks up each of these once; the answer names any of them. */
  async ofAll(holder: string, clientIds: readonly string[]): Promise<(clientId: string) => AgentName> {
    const known = new Map<string, AgentName>();
    for (const clientId of new Set(clientIds)) known.set(clientId, await this.of({ holder, clientId }));
    return (clientId) => known.get(clientId) ?? { name: clientId, pilot: false };
  }
}

export const pilotBadge = ({ pilot }: AgentName): Html | false =>
  pilot && html`<span class="badge">cliente piloto de testes</span>`;
