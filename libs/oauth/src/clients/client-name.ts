import { isLoopback } from '#http';
import type { StoredClient } from './clients.js';

type Named = Pick<StoredClient, 'name' | 'registration' | 'metadataUrl' | 'redirectUris'>;

/** A client's name; of one that nobody registered with its hosts, since anybody may give itself any name. */
export const shownName = (client: Named, ...redirectHosts: readonly string[]): string =>
  client.registration === undefined ? client.name : nameWith(client, hostsOf(client, redirectHosts));

/** The same for its traveller, with what they have to know wherever money is decided or shown: nobody has checked who it is. */
export const travellersName = (client: Named, ...redirectHosts: readonly string[]): string =>
  client.registration === undefined ? client.name : nameWith(client, [...hostsOf(client, redirectHosts), UNVERIFIED]);

export const UNVERIFIED = 'não verificado';

const nameWith = ({ name }: Named, marks: readonly string[]): string => {
  const others = marks.filter((mark) => mark !== name);
  return others.length === 0 ? name : `${name} (${others.join(', ')})`;
};

/** Where the codes of a client go that nobody registered, as far as that is known. */
export const hostsOf = ({ metadataUrl, redirectUris }: Named, known: readonly string[]): readonly string[] => {
  const document = metadataUrl === undefined ? [] : [new URL(metadataUrl).host];
  const any = document.length + known.length > 0 ? [] : redirectUris.map((uri) => new URL(uri).host);
  return [...new Set([...document, ...known, ...any].map((host) => (isLoopback(host) ? 'neste computador' : host)))];
};
