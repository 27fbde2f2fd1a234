import { Injectable } from '@nestjs/common';
import { Collection, Documents } from '#documents';
import { Clock, covers, plus, SCOPES } from '#kernel';
import { z } from 'zod';
import { type Client, methodOf } from '../clients/clients.js';
import { LIFETIMES } from '../oauth-settings.js';
import { RESOURCES } from '../requested-access.js';
import type { AuthorizationRequest } from './authorization-requests.js';

const storedConsent = z.object({
  holder: z.string(),
  clientId: z.string(),
  scopes: z.array(z.enum(SCOPES)).readonly(),
  resources: z.array(z.enum(RESOURCES)).readonly(),
  /** Which words of the pages it was given to; absent: the first ones. */
  words: z.int().optional(),
});
type StoredConsent = z.infer<typeof storedConsent>;

/** The second words of `order:write` name that it cancels: before, nobody consented to that. */
const WORDS = 2;

/** Consents not to ask for again, only of clients that nobody can impersonate (RFC 6749 §10.2, RFC 8252 §8.6). Caps stay. */
@Injectable()
export class Consents {
  private readonly stored: Collection<StoredConsent>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
  ) {
    const indexes = [{ fields: ['holder'] }, { fields: ['clientId'] }];
    this.stored = new Collection(documents, { name: 'consents', indexes }, storedConsent);
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  /** Remembers what the traveller consented to on the page. The caller has forgotten what was remembered before. */
  async remember(request: AuthorizationRequest, client: Client, holder: string): Promise<void> {
    if (!isRemembered(request, client)) return;
    const { clientId, scopes, resources } = request;
    const expiresAt = plus(this.clock.now(), LIFETIMES.consent);
    // Of two pages that are approved at the same moment, one is remembered.
    await this.stored.insertIfAbsent(
      idOf(holder, clientId),
      { holder, clientId, scopes, resources, words: WORDS },
      { expiresAt },
    );
  }

  async cover(request: AuthorizationRequest, client: Client, holder: string): Promise<boolean> {
    if (!isRemembered(request, client)) return false;
    const consent = await this.stored.get(idOf(holder, client.clientId));
    if (!consent) return false;
    const { scopes, resources, words } = consent.body;
    if (request.scopes.includes('order:write') && words !== WORDS) return false;
    return covers(scopes, request.scopes) && request.resources.every((one) => resources.includes(one));
  }

  async forget(holder: string, clientId: string): Promise<void> {
    await this.stored.delete(idOf(holder, clientId));
  }

  forgetEvery(): Promise<number> {
    return this.stored.clear();
  }

  /** Forgets the consents of a traveller or client that was removed; returns how many there were. */
  forgetAll(of: 'holder' | 'clientId', id: string): Promise<number> {
    return this.stored.deleteAll(of, id);
  }
}

const idOf = (holder: string, clientId: string): string => `${holder}.${clientId}`;

const isRemembered = ({ redirectUri }: AuthorizationRequest, client: Client): boolean =>
  methodOf(client) !== 'none' &&
  !client.pilot &&
  client.registration === undefined &&
  new URL(redirectUri).protocol === 'https:';
