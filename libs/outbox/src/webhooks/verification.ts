import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, DomainError, Ids, type Party, partyKey } from '#kernel';
import { DocumentUnread, RemotePosts } from '#remote';
import { signedHeaders, type SigningKey } from './signing.js';

/** How many addresses are asked for an agent side by side. */
export const MOST_LOOKS = 4;

/** Why nothing is sent to an address: it is of no form that is taken, did not answer, took too long, or did not repeat the challenge. */
export type Unverified = 'address' | 'connection_refused' | 'timeout' | 'challenge_failed';

/** Asks whether who is at an address wants messages (docs/interface.md, Webhooks). */
@Injectable()
export class Verification {
  /** By agent, how many addresses are being looked at. */
  private readonly looks = new Map<string, number>();

  constructor(
    private readonly posts: RemotePosts,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Why not; null: it repeated the challenge. @throws DomainError `rate_limited` */
  async faultOf(
    party: Party,
    url: string,
    keys: readonly SigningKey[],
    more: Readonly<Record<string, string>> = {},
  ): Promise<Unverified | null> {
    if (!this.posts.takes(url)) return 'address';
    const challenge = randomBytes(24).toString('base64url');
    const body = JSON.stringify({ type: 'verification', challenge });
    const id = `verification_${this.ids.next().replaceAll('-', '')}`;
    const headers = { ...signedHeaders({ id, body }, keys, this.clock.now()), ...more };
    try {
      const answer = await this.looking(party, () => this.posts.ask(url, { headers, body }));
      return isSame(answer['challenge'], challenge) ? null : 'challenge_failed';
    } catch (error) {
      if (error instanceof DocumentUnread) return faultIn(error);
      throw error;
    }
  }

  /** @throws DomainError `rate_limited` where an agent has us ask too many addresses at once */
  async looking<Answer>(party: Party, look: () => Promise<Answer>): Promise<Answer> {
    const agent = partyKey(party);
    const others = this.looks.get(agent) ?? 0;
    if (others >= MOST_LOOKS) throw new DomainError('rate_limited', { limit: MOST_LOOKS }, { retryAfter: 1 });
    this.looks.set(agent, others + 1);
    try {
      return await look();
    } finally {
      const left = (this.looks.get(agent) ?? 1) - 1;
      if (left === 0) this.looks.delete(agent);
      else this.looks.set(agent, left);
    }
  }
}

/** No more than that: who asks learns nothing of a network that it cannot see. */
const faultIn = ({ reason }: DocumentUnread): Unverified => {
  if (reason === 'too_slow') return 'timeout';
  return ['host_unknown', 'address_not_public', 'unreachable', 'busy'].includes(reason)
    ? 'connection_refused'
    : 'challenge_failed';
};

const isSame = (given: unknown, challenge: string): boolean => {
  const [one, other] = [Buffer.from(typeof given === 'string' ? given : ''), Buffer.from(challenge)];
  return one.length === other.length && timingSafeEqual(one, other);
};
