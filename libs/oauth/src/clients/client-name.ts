import { isLoopback } from '#http';
import type { StoredClient } from './clients.js';

/** A client, by what its name is made of. */
type Named = Pick<StoredClient, 'name' | 'registration' | 'metadataUrl' | 'redirectUris'>;

/**
 * A client as pages and lists name it: one that nobody registered with the host that stands for it, since anybody may give
 * itself any name. That host is the one of its document, or else the one to which it has travellers return.
 */
export const shownName = (client: Named): string => {
  if (client.registration === undefined) return client.name;
  const host = hostOf(client);
  return client.name === host ? host : `${client.name} (${host})`;
};

const hostOf = ({ metadataUrl, redirectUris: [first = ''] }: Named): string => {
  const { host } = new URL(metadataUrl ?? first);
  return isLoopback(host) ? 'neste computador' : host;
};
