import { Injectable } from '@nestjs/common';
import { Agents } from '#mandate';
import { isStrangerId, type Party } from '#kernel';
import { Clients, hostsOf, travellersName, UNVERIFIED } from '#oauth';
import { html, type Html } from '#site';

export interface AgentName {
  readonly name: string;
  /** The pilot: everybody knows its secret. */
  readonly pilot: boolean;
  /** What it calls itself alone, for a page that says the rest beside it; absent: as `name`. */
  readonly title?: string;
  /** The hosts to which its codes go. Absent: it was registered by the operator, who knows it. */
  readonly hosts?: readonly string[];
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
    if (!client && isStrangerId(clientId))
      return { name: `${clientId} (${UNVERIFIED})`, pilot: false, title: clientId, hosts: [] };
    if (!client) return { name: clientId, pilot: false };
    const delegation = client.registration && (await this.agents.delegation(holder, clientId));
    const { redirectHosts = [] } = delegation && delegation.status !== 'unknown' ? delegation : {};
    const name = { name: travellersName(client, ...redirectHosts), pilot: client.pilot };
    return client.registration ? { ...name, title: client.name, hosts: hostsOf(client, redirectHosts) } : name;
  }

  /** Looks up the agents of all of these once; the answer names any of them. */
  async ofAll(holder: string, all: readonly Pick<Party, 'clientId'>[]): Promise<(clientId: string) => AgentName> {
    const known = new Map<string, AgentName>();
    for (const clientId of new Set(all.map((one) => one.clientId)))
      known.set(clientId, await this.of({ holder, clientId }));
    return (clientId) => known.get(clientId) ?? { name: clientId, pilot: false };
  }
}

/** Whether anybody has checked who it is, for a line that has its name alone; '': somebody has. */
export const uncheckedText = ({ title }: AgentName): string => (title === undefined ? '' : UNVERIFIED);

export const pilotBadge = ({ pilot }: AgentName): Html | false =>
  pilot && html`<span class="badge">cliente piloto de testes</span>`;

/** Whether somebody has checked who an agent is. */
export const checkedMark = (name: AgentName): Html => {
  if (name.pilot) return html`${pilotBadge(name)}`;
  return name.hosts
    ? html`<span class="mark-warn">${UNVERIFIED}</span>`
    : html`<span class="mark-on">verificado</span>`;
};
