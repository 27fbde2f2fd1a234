import { Injectable } from '@nestjs/common';
import { addressOf } from '#http';
import { hashOf } from '#identity';
import { Clock, millisecondsOf } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OAuthError } from '../oauth-error.js';
import { type Proof, ProofReader } from './proof.js';
import { ProofMemory } from './proof-memory.js';

/** How far (s) a proof's time may be ahead or behind. Its nonce makes it fresh; our clock may be ahead (rule 16). */
const AHEAD = 60;
const BEHIND = 600;

interface BoundToken {
  readonly token: string;
  readonly jkt: string;
}

/** Checks the proofs that requests carry in the header `DPoP` (RFC 9449 §4.3). */
@Injectable()
export class DpopProofs {
  private readonly reader = new ProofReader();

  constructor(
    private readonly memory: ProofMemory,
    private readonly clock: Clock,
  ) {}

  /** The key thumbprint of the request's proof, used up last; null: none. @throws OAuthError; Unavailable */
  async keyOf(request: FastifyRequest, reply: FastifyReply): Promise<string | null> {
    const { dpop } = request.headers;
    return dpop === undefined ? null : (await this.check(String(dpop), request, reply, null)).jkt;
  }

  /** Checks that whoever sends a bound token has its key (§7.1). @throws as `keyOf` */
  async requireKeyOf(bound: BoundToken, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { dpop } = request.headers;
    if (dpop === undefined) throw new OAuthError('dpop_proof_missing');
    await this.check(String(dpop), request, reply, bound);
  }

  private async check(
    text: string,
    request: FastifyRequest,
    reply: FastifyReply,
    bound: BoundToken | null,
  ): Promise<Proof> {
    const proof = await this.reader.read(text);
    const { htm, htu, iat, ath, jti, nonce, jkt } = proof;
    if (htm !== request.method || !isAddress(htu, addressOf(request))) {
      throw new OAuthError('dpop_proof_of_another_request');
    }
    const age = Math.floor(millisecondsOf(this.clock.now()) / 1000) - iat;
    if (age < -AHEAD || age > BEHIND) throw new OAuthError('dpop_proof_untimely');
    if (bound && ath !== hashOf(bound.token)) throw new OAuthError('dpop_proof_of_another_token');
    if (bound && jkt !== bound.jkt) throw new OAuthError('token_key_wrong');
    const current = this.memory.nonce();
    if (nonce !== current) void reply.header('dpop-nonce', current);
    const use = nonce === undefined ? 'stale' : await this.memory.use(nonce, hashOf(`${jkt}.${jti}`));
    if (use === 'stale') throw new OAuthError('dpop_nonce_required');
    if (use === 'replayed') throw new OAuthError('dpop_proof_replayed');
    return proof;
  }
}

/** Whether `htu` is an address, both normalized (RFC 3986 §6.2), without its query and fragment (RFC 9449 §4.3, 9). */
const isAddress = (htu: string, address: string): boolean => {
  if (!URL.canParse(htu)) return false;
  const url = new URL(htu);
  url.search = '';
  url.hash = '';
  return url.href === new URL(address).href;
};
