import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DocumentUnread, type RemoteDocument, RemoteDocuments, spelled } from '#remote';
import { hashOf } from '#identity';
import { Clock, millisecondsOf, strangerId } from '#kernel';
import { OAuthError } from '../oauth-error.js';
import { OAuthSettings } from '../oauth-settings.js';
import { describedIn } from './client-metadata.js';
import { type Client, Clients, keptAs } from './clients.js';

/** The longest address of a document: the consent page shows all of it. */
const LONGEST_ADDRESS = 500;
const HOUR = 3_600_000;
/** How long (ms) a client is what its document last said, while its host does not answer. */
const LASTS = 24 * HOUR;

/** Where all of them come from: one that was forgotten is known again as soon as its document is read. */
const DOCUMENTS = 'documents';

/** Finds the client that a request names: by its id, or by the address of its metadata document. */
@Injectable()
export class ClientLookup {
  constructor(
    private readonly clients: Clients,
    private readonly documents: RemoteDocuments,
    private readonly settings: OAuthSettings,
    private readonly clock: Clock,
  ) {}

  /** The client with this id, or null. A self-registered one counts as used. @throws OAuthError `client_document_refused` */
  async find(sent: string): Promise<Client | null> {
    const client = sent.startsWith('https://') ? await this.at(sent) : await this.clients.find(sent);
    // One with a document goes by its address alone, so that the document is read.
    if (!client || (client.metadataUrl ?? sent) !== sent) return null;
    if (client.registration) await this.clients.use(client, this.clock.now());
    return client;
  }

  /** The client whose metadata are at this address (draft-ietf-oauth-client-id-metadata-document-03). */
  private async at(url: string): Promise<Client | null> {
    if (!this.settings.metadataClients) return null;
    const clientId = strangerId('metadata', hashOf(url));
    const known = await this.clients.find(clientId);
    try {
      const read = clientIn(url, clientId, await this.documents.get(url));
      // One that was let in before goes on as it is spelled.
      if (!known && spelled(url) !== url) throw new OAuthError('client_metadata_flawed');
      if (!known) await this.clients.admit(read, this.clock.now(), DOCUMENTS);
      // Another process may have read it later than this one did.
      if (!known || !isNews(read, known)) return known ?? read;
      await this.clients.reread(read);
      return { ...read, ...keptAs(known) };
    } catch (cause) {
      if (!(cause instanceof DocumentUnread || cause instanceof OAuthError)) throw cause;
      // Whoever takes a document back, or writes what is none in its place, ends its client with it.
      const isWithdrawn = cause instanceof OAuthError || cause.reason === 'gone';
      if (isWithdrawn) throw new OAuthError('client_document_refused', { cause });
      const age = known?.readAt === undefined ? LASTS : millisecondsOf(this.clock.now()) - millisecondsOf(known.readAt);
      if (age < LASTS) return known;
      throw new OAuthError('client_document_refused', { cause });
    }
  }
}

/** @throws OAuthError where the document, or its address, breaks the rules of the draft (§3, §4.1) */
const clientIn = (url: string, clientId: string, { body, fetchedAt }: RemoteDocument): Client => {
  // In its one spelling: no `..`, no other case of the host, no port that goes without saying.
  const isSpelled = url.length <= LONGEST_ADDRESS && new URL(url).href === url;
  if (!isSpelled || body['client_id'] !== url) throw new OAuthError('client_metadata_flawed');
  const hasSecret = 'client_secret' in body || 'client_secret_expires_at' in body;
  const { name, redirectUris, method, keys, demands } = describedIn(body);
  if (hasSecret || (method !== 'none' && method !== 'private_key_jwt')) throw new OAuthError('client_metadata_flawed');
  return {
    clientId,
    name: name ?? new URL(url).host,
    secretHash: null,
    redirectUris,
    pilot: false,
    ...keys,
    ...demands,
    registration: 'metadata',
    metadataUrl: url,
    readAt: fetchedAt,
  };
};

/** Whether a document was read after what is stored, and says something else or was read in a later hour. */
const isNews = (read: Client, known: Client): boolean => {
  const { readAt: now = '', ...said } = read;
  const { readAt: before = '', keptUntil: _kept, askingSince: _asking, ...stored } = known;
  return now > before && (now.slice(0, 13) > before.slice(0, 13) || !isDeepStrictEqual(said, stored));
};
