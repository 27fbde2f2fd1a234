import { Injectable } from '@nestjs/common';
import { Collection, Documents, type Filter } from '#documents';
import { OAuthError } from '../oauth-error.js';
import { WaitingPlaces } from './waiting-places.js';
import { hashOf } from '#identity';
import { type Instant, millisecondsOf, plus } from '#kernel';
import { z } from 'zod';
import { type ClientKeys, clientKeys } from './client-keys.js';

/** An agent that may ask travellers for access. The document's id is the client id. */
const storedClient = z.object({
  name: z.string(),
  /** SHA-256 of the secret; null: it has none (`methodOf`). */
  secretHash: z.string().nullable(),
  /** The keys one of which signs its assertions (RFC 7523); absent: it sends none. */
  jwks: clientKeys.optional(),
  /** Where such keys are, at an https address of the client's; absent: they are in `jwks`, or there are none. */
  jwksUri: z.string().optional(),
  /** Compared exactly; a leading `{auth_url}` or `{site_url}` stands for that address. */
  redirectUris: z.array(z.string()).readonly(),
  /** Its secret is published, so it counts as public in every decision and says so on the consent page. */
  pilot: z.boolean(),
  /** false: the client gets no refresh token, and its access ends with its access token. */
  refresh: z.literal(false).optional(),
  /** true: its authorization requests are pushed (RFC 9126 §6), and any other is refused. */
  requirePar: z.literal(true).optional(),
  /** true: its tokens are bound to a key, and a token request without a proof is refused (RFC 9449 §5.2). */
  requireDpop: z.literal(true).optional(),
  /** Nobody registered it: it is what its document says (a metadata document), or what it said of itself (RFC 7591). */
  registration: z.enum(['metadata', 'dynamic']).optional(),
  /** The address of its metadata document, which it sends as its client id. */
  metadataUrl: z.string().optional(),
  readAt: z.string().optional(),
  /** When it is forgotten if it is not used; absent: never. */
  keptUntil: z.string().optional(),
  /** Since when it waits for the first traveller who lets it in; absent: one has, or it was registered by an operator. */
  askingSince: z.string().optional(),
});
export type StoredClient = z.infer<typeof storedClient>;

/** How a client authenticates. Each has one method, so that the weakest never decides. */
export const methodOf = ({ secretHash, jwks, jwksUri }: StoredClient): 'secret' | 'private_key_jwt' | 'none' => {
  if (jwks !== undefined || jwksUri !== undefined) return 'private_key_jwt';
  return secretHash === null ? 'none' : 'secret';
};

export interface Client extends StoredClient {
  readonly clientId: string;
}

/** What whoever registers a client may require of it, and the keys that it may sign with. */
type Options = Pick<StoredClient, 'jwks' | 'jwksUri' | 'requirePar' | 'requireDpop'>;

/** A client known from configuration. `secret` null: it signs, or is a public client. */
export interface ClientRegistration extends Options, Pick<Client, 'clientId' | 'name' | 'redirectUris'> {
  readonly secret: string | null;
  readonly pilot: boolean;
  readonly refresh?: false;
}

/** A client as an operator registers it. One that is public cannot keep a secret, and gets none. */
export interface NewClient extends Options, Pick<Client, 'clientId' | 'name' | 'redirectUris'> {
  readonly isPublic: boolean;
}

/** How long (ms) a client that nobody registered is kept without being used: before a traveller lets it in, and afterwards. */
const KEPT = { asking: 86_400_000, approved: 90 * 86_400_000 } as const;
/** How many of those that no traveller has let in are kept. */
const MOST_ASKING = 1_000;
const ASKING: Filter = { where: [{ field: 'askingSince', atLeast: '' }] };

const SPEC = { name: 'clients', indexes: [{ fields: ['name'] }, { fields: ['askingSince'] }] };

@Injectable()
export class Clients {
  private readonly stored: Collection<StoredClient>;
  private readonly places = new WaitingPlaces(2 * MOST_ASKING);
  /** One at a time, however many ask for it. */
  private makingRoom: Promise<void> | null = null;

  constructor(private readonly documents: Documents) {
    this.stored = new Collection(documents, SPEC, storedClient);
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  async find(clientId: string): Promise<Client | null> {
    const document = await this.stored.get(clientId);
    return document && { clientId, ...document.body };
  }

  /** @throws OAuthError `client_unknown` */
  async get(clientId: string): Promise<Client> {
    const client = await this.find(clientId);
    if (!client) throw new OAuthError('client_unknown');
    return client;
  }

  async *all(): AsyncIterable<Client> {
    for await (const { id: clientId, body } of this.stored.all('name')) yield { clientId, ...body };
  }

  add({ clientId, ...client }: Client): Promise<boolean> {
    return this.stored.insertIfAbsent(clientId, client);
  }

  /** Gives a client another secret. The previous one is invalid from now on. */
  async replaceSecret(clientId: string, secret: string): Promise<void> {
    await this.stored.update(clientId, (known) => known && { ...known, secretHash: hashOf(secret) });
  }

  /** Gives a client other keys. What the previous ones sign is invalid from now on. */
  async replaceKeys(clientId: string, jwks: ClientKeys): Promise<void> {
    await this.stored.update(clientId, (known) => known && { ...known, jwks });
  }

  remove(clientId: string): Promise<boolean> {
    return this.stored.delete(clientId);
  }

  async ensure({ clientId, secret, ...rest }: ClientRegistration): Promise<void> {
    const client: StoredClient = { ...rest, secretHash: secret === null ? null : hashOf(secret) };
    await this.stored.update(clientId, () => client);
  }

  /** Takes a client that nobody registered, until a traveller lets it in or it is forgotten. `address`: where it came from. */
  async admit({ clientId, ...client }: Client, now: Instant, address: string | null): Promise<void> {
    const keptUntil = plus(now, KEPT.asking);
    const body = { ...client, askingSince: now, keptUntil };
    if (await this.stored.insertIfAbsent(clientId, body, { expiresAt: keptUntil })) this.places.take(address, clientId);
    this.makingRoom ??= this.makeRoom().finally(() => (this.makingRoom = null));
    await this.makingRoom;
  }

  /** Forgets a client that no traveller let in: the oldest from the block with most waiting, or where none has two, of all. */
  private async makeRoom(): Promise<void> {
    let tooMany = (await this.documents.count(SPEC.name, ASKING, 2 * MOST_ASKING)) - MOST_ASKING;
    while (tooMany > 0) {
      const id = this.places.give();
      if (id === null) break;
      const known = await this.stored.get(id);
      if (known?.body.askingSince !== undefined && (await this.stored.delete(id, known.version))) tooMany -= 1;
    }
    if (tooMany <= 0) return;
    const sort = { field: 'askingSince', direction: 'ascending' } as const;
    const oldest = await this.stored.find({ ...ASKING, sort, limit: tooMany });
    // One that a traveller lets in meanwhile has another version, and stays.
    await Promise.all(oldest.map(({ id, version }) => this.stored.delete(id, version)));
  }

  async reread({ clientId, ...client }: Client): Promise<void> {
    await this.stored.update(clientId, (known) => known && { ...client, ...keptAs(known) });
  }

  /** A traveller lets a client in: one that nobody registered is kept from now on for as long as it is used. */
  async letIn({ clientId, registration }: Client, now: Instant): Promise<void> {
    if (registration) await this.keep(clientId, now, () => true);
  }

  /** A client that nobody registered is used: it is kept further, if half of its time is over. */
  async use(client: Client, now: Instant): Promise<void> {
    if (isHalfOver(client, now)) await this.keep(client.clientId, now, ({ askingSince }) => askingSince === undefined);
  }

  private async keep(clientId: string, now: Instant, isLetIn: (known: StoredClient) => boolean): Promise<void> {
    const read = await this.stored.get(clientId);
    if (!read) return;
    const { askingSince: _, ...client } = read.body;
    const isIn = isLetIn(read.body);
    const keptUntil = plus(now, isIn ? KEPT.approved : KEPT.asking);
    const body = isIn ? { ...client, keptUntil } : { ...read.body, keptUntil };
    // Somebody who was faster has kept it as well, or has read its document again: then the next use keeps it.
    if (!(await this.stored.replace(read, body, { expiresAt: keptUntil })) && isIn)
      await this.keep(clientId, now, isLetIn);
  }
}

export const keptAs = ({ keptUntil, askingSince }: StoredClient): Pick<StoredClient, 'keptUntil' | 'askingSince'> => ({
  ...(keptUntil !== undefined && { keptUntil }),
  ...(askingSince !== undefined && { askingSince }),
});

const isHalfOver = ({ keptUntil, askingSince }: StoredClient, now: Instant): boolean =>
  keptUntil !== undefined &&
  millisecondsOf(keptUntil) - millisecondsOf(now) < (askingSince === undefined ? KEPT.approved : KEPT.asking) / 2;
