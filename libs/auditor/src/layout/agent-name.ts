import type { Agents } from '#delegation';
import type { Party } from '#kernel';
import { type Clients, travellersName } from '#oauth';

/** What an agent of a traveller is called, as its traveller reads it; null: it is not registered any more. */
export const agentNameOf = async (
  { holder, clientId }: Party,
  clients: Clients,
  agents: Agents,
): Promise<string | null> => {
  const client = await clients.find(clientId);
  if (!client) return null;
  const delegation = await agents.delegation(holder, clientId);
  const { redirectHosts = [] } = delegation.status === 'unknown' ? {} : delegation;
  return travellersName(client, ...redirectHosts);
};
