import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Collection, Documents } from '#documents';
import { hashOf, newSecret } from '#identity';
import { Clock, CURRENCIES, type Instant, plus, SCOPES } from '#kernel';
import { z } from 'zod';
import { WaitingPlaces } from '../clients/waiting-places.js';
import { OAuthError } from '../oauth-error.js';
import { LIFETIMES } from '../oauth-settings.js';
import { RESOURCES } from '../requested-access.js';
import { storedDetail } from './authorization-details.js';

/** The prompts that a client may request (OpenID Connect Core §3.1.2.1): no page at all, a login, a consent page. */
export const PROMPTS = ['none', 'login', 'consent'] as const;
export type Prompt = (typeof PROMPTS)[number];

const storedApproval = z.object({
  holder: z.string(),
  at: z.string(),
  grantId: z.string(),
  /** The cap they set; null: none, absent: it stays as it was. */
  cap: z
    .object({ amount: z.int(), currency: z.enum(CURRENCIES) })
    .nullable()
    .optional(),
  /** Whether the agent asks for each further mandate; absent: that stays as it was. */
  asksFirst: z.boolean().optional(),
  details: z.array(storedDetail).readonly(),
});
export type Approval = z.infer<typeof storedApproval>;

/** Who granted what; when, and under which id, differs from one click to the next. */
const grantedIn = ({ holder, cap, asksFirst, details }: Approval) => ({ holder, cap, asksFirst, details });

/** An authorization request that passed every check. It stays here, pages have its id: consent is to what was shown. */
const storedAuthorizationRequest = z.object({
  clientId: z.string(),
  redirectUri: z.string(),
  state: z.string().nullable(),
  codeChallenge: z.string(),
  scopes: z.array(z.enum(SCOPES)).readonly(),
  /** The names of UCP by which it asks for some of them; absent: none. */
  ucpNames: z.array(z.string()).readonly().optional(),
  resources: z.array(z.enum(RESOURCES)).readonly(),
  /** Thumbprint of the key whose proof must redeem the code (RFC 9449 §10); absent: any. */
  dpopJkt: z.string().optional(),
  /** The pages that the client wants shown in any case (OpenID Connect Core §3.1.2.1). */
  prompt: z.array(z.enum(PROMPTS)).readonly(),
  /** A login before this instant does not count; null: any login does. */
  loginSince: z.string().nullable(),
  /** The mandates that it asks for (RFC 9396), each with the id that it will have. */
  details: z.array(storedDetail).readonly().default([]),
  /** Until when its request URI leads to it (RFC 9126 §2.2); absent: no client has pushed it. */
  pushedUntil: z.string().optional(),
  /** The host that is known to have signed it, as its client's; absent: none is. */
  signedBy: z.string().optional(),
  /** What its traveller decided, once they did: carrying it out again does the same. */
  approval: storedApproval.nullable().default(null),
});
export type AuthorizationRequest = z.infer<typeof storedAuthorizationRequest>;

/** How many of one process wait, since strangers store them. */
const MOST = 10_000;

/** The authorization requests that wait for a traveller: a quarter of an hour each, decided once. */
@Injectable()
export class AuthorizationRequests {
  private readonly stored: Collection<AuthorizationRequest>;
  private readonly places = new WaitingPlaces(MOST);

  constructor(
    documents: Documents,
    private readonly clock: Clock,
  ) {
    const spec = { name: 'authorization-requests', indexes: [] };
    this.stored = new Collection(documents, spec, storedAuthorizationRequest);
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  /** Stores a request that came from an address (null: one without limits); returns its id. */
  keep(request: AuthorizationRequest, address: string | null): Promise<string> {
    return this.store(request, plus(this.clock.now(), LIFETIMES.authorizationRequest), address);
  }

  /** Stores a request that its client has pushed; returns its id, which nobody but the client knows (RFC 9126 §7.1). */
  push(request: AuthorizationRequest, address: string | null): Promise<string> {
    const pushedUntil = plus(this.clock.now(), LIFETIMES.pushedRequest);
    return this.store({ ...request, pushedUntil }, pushedUntil, address);
  }

  private async store(request: AuthorizationRequest, expiresAt: Instant, address: string | null): Promise<string> {
    const id = newSecret();
    const given = this.places.take(address, hashOf(id));
    if (given !== null) await this.giveUp(given);
    await this.stored.insert(hashOf(id), request, { expiresAt });
    return id;
  }

  private async giveUp(key: string): Promise<void> {
    const known = await this.stored.get(key);
    if (known && !known.body.approval) await this.stored.delete(key, known.version);
  }

  /** Begins a pushed request, at most one consent per URI (RFC 9126 §7.3). @throws OAuthError `request_uri_invalid` */
  async begin(id: string, clientId: string): Promise<void> {
    const now = this.clock.now();
    const isGood = (known: AuthorizationRequest) => known.clientId === clientId && now < (known.pushedUntil ?? '');
    const expiresAt = plus(now, LIFETIMES.authorizationRequest);
    const begun = await this.stored.update(hashOf(id), (known) => (known && isGood(known) ? known : null), {
      expiresAt,
    });
    if (!begun) throw new OAuthError('request_uri_invalid');
  }

  /** @throws OAuthError `authorization_request_gone` where it is unknown, decided or expired. */
  async find(id: string): Promise<AuthorizationRequest> {
    const document = await this.stored.get(hashOf(id));
    if (!document) throw new OAuthError('authorization_request_gone');
    return document.body;
  }

  /** Stores an approval once; returns the one stored first. @throws OAuthError `authorization_request_gone`, also if it differs */
  async approve(id: string, approval: Approval): Promise<AuthorizationRequest & { readonly approval: Approval }> {
    await this.stored.update(hashOf(id), (known) => (known && !known.approval ? { ...known, approval } : null));
    const request = await this.find(id);
    if (!request.approval || !isDeepStrictEqual(grantedIn(request.approval), grantedIn(approval)))
      throw new OAuthError('authorization_request_gone');
    return { ...request, approval: request.approval };
  }

  /** Ends a request whose approval was carried out; returns whether this was the one that ended it. */
  finish(id: string): Promise<boolean> {
    return this.stored.delete(hashOf(id));
  }

  /** Deletes the requests that a holder has approved and that were not carried out; returns how many there were. */
  async forgetAll(holder: string): Promise<number> {
    let deleted = 0;
    for await (const { id, body } of this.stored.every())
      if (body.approval?.holder === holder && (await this.stored.delete(id))) deleted += 1;
    return deleted;
  }

  /** Deletes all requests, pushed or waiting for a traveller; returns how many there were. */
  dropEvery(): Promise<number> {
    return this.stored.clear();
  }

  /** Takes a request to decide it, once; one approved beside it stays so. @throws OAuthError `authorization_request_gone` */
  async take(id: string): Promise<AuthorizationRequest> {
    const read = await this.stored.get(hashOf(id));
    const isTaken = read && !read.body.approval && (await this.stored.delete(read.id, read.version));
    if (!isTaken) throw new OAuthError('authorization_request_gone');
    return read.body;
  }
}
