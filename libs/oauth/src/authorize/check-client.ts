import type { Client } from '../clients/client.js';
import type { Clients } from '../clients/clients.js';
import { OAuthError } from '../oauth-error.js';
import type { Parameters } from '#identity';

/** `client_id` names a registered client. @throws OAuthError `client_unknown`, `parameter_flawed` */
export const checkClient = async (parameters: Parameters, clients: Clients): Promise<Client> => {
  const clientId = parameters.optional('client_id');
  const client = clientId === undefined ? null : await clients.find(clientId);
  if (!client) throw new OAuthError('client_unknown');
  return client;
};
