import { isLoopback } from '#http';
import type { StoredClient } from './clients.js';

/** A client, by what its name is made of. */
type Named = Pick<StoredClient, 'name' | 'registration' | 'metadataUrl' | 'redirectUris'>;

/**
 * A client as pages and lists name it: one that nobody registered with the hosts that stand for it, since anybody may give
 * itself any name. They are the one of its document, and the one to which its code went (`redirectHost`); where that is not
 * known, all to which it may have a code go.
 */
export const shownName = (client: Named, redirectHost?: string): string =>
  client.registration === undefined ? client.name : nameWith(client, hostsOf(client, redirectHost));

/** The same for its traveller, with what they have to know wherever money is decided or shown: nobody has checked who it is. */
export const travellersName = (client: Named, redirectHost?: string): string =>
  client.registration === undefined ? client.name : nameWith(client, [...hostsOf(client, redirectHost), UNVERIFIED]);

/** What pages call a client that nobody registered. */
export const UNVERIFIED = 'não verificado';

const nameWith = ({ name }: Named, marks: readonly string[]): string => {
  const others = marks.filter((mark) => mark !== name);
  return others.length === 0 ? name : `${name} (${others.join(', ')})`;
};

const hostsOf = ({ metadataUrl, redirectUris }: Named, redirectHost: string | undefined): readonly string[] => {
  const document = metadataUrl === undefined ? [] : [new URL(metadataUrl).host];
  const known = redirectHost === undefined ? [] : [redirectHost];
  const any = document.length + known.length > 0 ? [] : redirectUris.map((uri) => new URL(uri).host);
  return [...new Set([...document, ...known, ...any].map((host) => (isLoopback(host) ? 'neste computador' : host)))];
};
