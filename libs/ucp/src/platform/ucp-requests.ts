import { Injectable } from '@nestjs/common';
import { AccessTokens } from '#http';
import type { Caller } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Asking } from '../asking.js';
import { CAPABILITIES } from '../capabilities.js';
import { errorAnswer } from '../envelope.js';
import { UcpError, UcpOutcome } from '../ucp-error.js';
import { agentOf } from '../platform-agent.js';
import { inCommon } from './negotiation.rule.js';
import { type FoundPlatform, Platforms } from './platforms.js';
import { profileAddress, profileInHeader } from './ucp-agent.js';

const OURS = new Map(CAPABILITIES.map((one) => [one.name, { versions: [one.version], extends: one.extends }]));

/** Finds out who asks by a request of the protocol, and what both sides can do. */
@Injectable()
export class UcpRequests {
  constructor(
    private readonly platforms: Platforms,
    private readonly tokens: AccessTokens,
  ) {}

  /**
   * Who asks for something of `capability`. @param profile the address in the `meta` of a tool's call, where there is one.
   * @throws UcpError; UcpOutcome `capabilities_incompatible`; DomainError `invalid_token`; Unavailable
   */
  async of(request: FastifyRequest, reply: FastifyReply, capability: string, profile?: unknown): Promise<Asking> {
    const address = this.addressOf(request, profile);
    const found = await this.platforms.at(address);
    const caller = await this.callerOf(request, reply, address);
    const { urls, cause } = request;
    const active = new Set(inCommon(OURS, found.platform.capabilities).keys());
    if (!active.has(capability)) throw incompatible({ active, urls });
    return { platform: found.platform, active, proof: this.proofOf(found, caller), caller, urls, cause };
  }

  private addressOf({ headers }: FastifyRequest, profile: unknown): string {
    const header = headers['ucp-agent'];
    if (profile === undefined) return profileInHeader(header, this.platforms.isLocal);
    const address = profileAddress(profile, this.platforms.isLocal);
    if (header === undefined || profileInHeader(header, this.platforms.isLocal) === address) return address;
    throw new UcpError(400, 'invalid_profile_url', 'UCP-Agent e meta["ucp-agent"] são de plataformas diferentes.');
  }

  /** The traveller and agent of its token, which has to be this platform's (UCP, Identity Binding); null: it has none. */
  private async callerOf(request: FastifyRequest, reply: FastifyReply, address: string): Promise<Caller | null> {
    if (request.headers.authorization === undefined) return null;
    const caller = await this.tokens.callerOf(request, reply);
    if (caller.clientId !== agentOf({ profile: address })) {
      throw new UcpError(403, 'forbidden', 'O token de acesso é de outro cliente que a plataforma de UCP-Agent.');
    }
    request.caller = caller;
    return caller;
  }

  private proofOf({ platform, isKnown }: FoundPlatform, caller: Caller | null): Asking['proof'] {
    if (caller) return 'token';
    return isKnown && platform.keys.length === 0 && this.platforms.isLocal ? 'known' : null;
  }
}

const incompatible = (asking: Pick<Asking, 'active' | 'urls'>): UcpOutcome => {
  const code = 'capabilities_incompatible';
  const content = 'A plataforma não sabe, em uma versão que se fala aqui, o que este pedido precisa.';
  return new UcpOutcome(code, errorAnswer(asking, [], [{ type: 'error', code, content, severity: 'unrecoverable' }]));
};
