import { randomInt } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { Controller, Get, Header, Injectable, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CompactSign } from 'jose';
import { Collection, type CollectionSpec, Documents } from '#documents';
import { Aggregates } from '#event-store';
import { type BaseUrls, CurrentBaseUrls, ErrorsAs, LimitedBy, Public } from '#http';
import { Clock, millisecondsOf } from '#kernel';
import { mandates, statusOf } from '#mandate';
import { MessageKeys } from '#oauth';
import { orders } from '#order';
import { z } from 'zod';
import { UcpError, ucpErrors } from '../ucp-error.js';

/** Which place of which list says how a receipt's order, or a mandate, stands. The id of one is that of its place. */
export const STATUS_PLACES: CollectionSpec = {
  name: 'status-places',
  indexes: [{ fields: ['list'] }, { fields: ['subject'] }],
};

const storedPlace = z.object({ list: z.string(), subject: z.string(), kind: z.enum(['order', 'mandate']) });
type StoredPlace = z.infer<typeof storedPlace>;
export type Subject = Omit<StoredPlace, 'list'>;

/** How many places a list has, and how many are tried at random before the next list is: none says how many there are. */
const [PLACES, TRIES] = [256, 16];
/** For how long (s) a list may be kept, and for how long it is right at all. */
const [TTL, LASTS] = [300, 86_400];

/** The states of a token that it distinguishes (draft-ietf-oauth-status-list, Status Types). */
const [VALID, INVALID, SUSPENDED] = [0, 1, 2];
const BITS = 2;

/** Claim of a token that a list says something of. */
export interface StatusClaim {
  readonly status_list: { readonly idx: number; readonly uri: string };
}

/** Lists of how receipts and mandates stand (draft-ietf-oauth-status-list). Methods throw DocumentsUnavailable. */
@Injectable()
export class StatusLists {
  private readonly stored: Collection<StoredPlace>;
  /** Lists before it are full. */
  private current = 0;

  constructor(
    documents: Documents,
    private readonly aggregates: Aggregates,
    private readonly keys: MessageKeys,
    private readonly clock: Clock,
  ) {
    this.stored = new Collection(documents, STATUS_PLACES, storedPlace);
  }

  /** The claim of what is about this order or mandate: a place of its own, the same from the first time on. */
  async claimOf(subject: Subject, site: string): Promise<StatusClaim> {
    const { id } = (await this.placeOf(subject)) ?? (await this.taken(subject));
    const [list = '', idx = ''] = id.split('.');
    return { status_list: { idx: Number(idx), uri: `${site}/status/${list}` } };
  }

  /** A list as a JWT; null: there is none of that number. */
  async tokenOf(list: string, site: string): Promise<string | null> {
    const places = await this.stored.find({
      where: [{ field: 'list', equals: list }],
      sort: { field: 'list', direction: 'ascending' },
      limit: PLACES,
    });
    if (places.length === 0) return null;
    const states = await Promise.all(
      places.map(async ({ id, body }) => [Number(id.split('.')[1]), await this.stateOf(body)] as const),
    );
    const iat = Math.floor(millisecondsOf(this.clock.now()) / 1_000);
    const claims = {
      ...{ sub: `${site}/status/${list}`, iat, exp: iat + LASTS, ttl: TTL },
      status_list: { bits: BITS, lst: packed(states) },
    };
    const { kid, privateKey } = await this.keys.current();
    return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'ES256', typ: 'statuslist+jwt', kid })
      .sign(privateKey);
  }

  private async placeOf({ subject }: Subject) {
    const [place] = await this.stored.find({
      where: [{ field: 'subject', equals: subject }],
      sort: { field: 'subject', direction: 'ascending' },
      limit: 1,
    });
    return place ?? null;
  }

  /** Two at once take two places, of which both say the same, and the first in order is found from then on. */
  private async taken(subject: Subject): Promise<{ readonly id: string }> {
    for (;;) {
      const list = String(this.current);
      for (let n = 0; n < TRIES; n += 1) {
        const id = `${list}.${randomInt(PLACES)}`;
        if (await this.stored.insertIfAbsent(id, { list, ...subject })) return (await this.placeOf(subject)) ?? { id };
      }
      this.current += 1;
    }
  }

  private async stateOf({ kind, subject }: StoredPlace): Promise<number> {
    if (kind === 'order') {
      const { state } = await this.aggregates.load(orders, subject);
      return state.kind === 'paid' ? VALID : INVALID;
    }
    const { state } = await this.aggregates.load(mandates, subject);
    if (state.kind !== 'granted') return INVALID;
    const status = statusOf(state, this.clock.now());
    if (status === 'paused' || status === 'pending') return SUSPENDED;
    return status === 'revoked' || status === 'expired' ? INVALID : VALID;
  }
}

/** Two bits a place, from the least significant of a byte on, compressed (draft-ietf-oauth-status-list, Compressed Byte Array). */
export const packed = (states: readonly (readonly [place: number, state: number])[], places = PLACES): string => {
  const bytes = Buffer.alloc((places * BITS) / 8);
  for (const [place, state] of states) {
    const at = place * BITS;
    bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (state << (at & 7));
  }
  return deflateSync(bytes, { level: 9 }).toString('base64url');
};

/** `GET {site_url}/status/{list}`: how the receipts and mandates of that list stand, for everybody. */
@ApiExcludeController()
@Public()
@ErrorsAs(ucpErrors)
@Controller('status')
export class StatusListsController {
  constructor(private readonly lists: StatusLists) {}

  @Get(':list')
  @Header('content-type', 'application/statuslist+jwt')
  @Header('cache-control', `public, max-age=${TTL}`)
  @LimitedBy('publicReads', 20)
  async list(@CurrentBaseUrls() { site }: BaseUrls, @Param('list') list: string): Promise<string> {
    const token = /^\d{1,6}$/.test(list) ? await this.lists.tokenOf(list, site) : null;
    if (token === null) throw new UcpError(404, 'not_found', 'Não há uma lista com este número.');
    return token;
  }
}
