import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import { AccessTokens } from '#http';
import { type Caller, Clock, millisecondsOf } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clients } from '#oauth';
import { dictionaryIn, isAskable, spelled } from '#remote';
import type { Asking } from '../asking.js';
import { offeredBy } from '../capabilities.js';
import { errorAnswer } from '../envelope.js';
import { keyNamed, type RequestSignature, requireRight, signatureIn } from '../signing/request-signature.js';
import { UcpError, UcpOutcome } from '../ucp-error.js';
import { CHECKOUT, ORDER } from '../versions.js';
import { UcpSettings } from '../ucp-settings.js';
import { agentOf } from '../ids.js';
import { inCommon, type Offered } from './negotiation.rule.js';
import { type FoundPlatform, Platforms } from './platforms.js';

/** How many characters the address of a profile may have. */
const LONGEST = 2_000;
/** How old (ms) a profile may be by whose keys a signature is verified, and one that lacks the key of one. */
const [KEYS_AGE, ASK_AGAIN] = [600_000, 60_000];

/** By REST; a tool's call has its key in what it sends. */
const isWrite = ({ method }: FastifyRequest, capability: string): boolean =>
  method !== 'GET' && method !== 'HEAD' && (capability === CHECKOUT || capability === ORDER);

/** Finds out who asks by a request of the protocol, and what both sides can do. */
@Injectable()
export class UcpRequests {
  private readonly ours: ReadonlyMap<string, Offered>;

  constructor(
    private readonly platforms: Platforms,
    private readonly tokens: AccessTokens,
    private readonly clients: Clients,
    private readonly clock: Clock,
    settings: UcpSettings,
  ) {
    this.ours = offeredBy(settings);
  }

  /**
   * Who asks for something of `capability`. @param profile the address in the `meta` of a tool's call, where there is one.
   * @throws UcpError; UcpOutcome `capabilities_incompatible`; DomainError `invalid_token`; Unavailable
   */
  async of(request: FastifyRequest, reply: FastifyReply, capability: string, profile?: unknown): Promise<Asking> {
    const address = await this.nameOf(this.addressOf(request, profile));
    const seconds = Math.floor(millisecondsOf(this.clock.now()) / 1_000);
    const signature = signatureIn(request, seconds, profile === undefined && isWrite(request, capability));
    const found = signature ? await this.signer(address, signature) : await this.platforms.at(address);
    const caller = await this.callerOf(request, reply, address);
    const { urls, cause } = request;
    const active = new Set(inCommon(this.ours, found.platform.capabilities).keys());
    if (!active.has(capability)) throw incompatible({ active, urls });
    return {
      platform: found.platform,
      active,
      proof: signature ? 'signature' : this.proofOf(found, caller),
      caller,
      urls,
      cause,
    };
  }

  /** The platform that signed. What is done for it is by the document that its key is in. @throws UcpError */
  private async signer(address: string, signature: RequestSignature): Promise<FoundPlatform> {
    const kept = await this.platforms.at(address, KEYS_AGE);
    // A key that is not there may be new.
    const isNew = !kept.isKnown && !keyNamed(signature.keyid, kept.platform.keys);
    const found = isNew ? await this.platforms.at(address, ASK_AGAIN) : kept;
    requireRight(signature, found.platform.keys);
    return found;
  }

  private addressOf({ headers }: FastifyRequest, profile: unknown): string {
    const header = headers['ucp-agent'];
    if (profile === undefined) return profileInHeader(header, this.platforms.isLocal);
    const address = profileAddress(profile, this.platforms.isLocal);
    if (header === undefined || spelled(profileInHeader(header, this.platforms.isLocal)) === spelled(address))
      return address;
    throw new UcpError(400, 'invalid_profile_url', 'UCP-Agent e meta["ucp-agent"] são de plataformas diferentes.');
  }

  /** By what a platform is known: its address in one spelling, or as it is where travellers let it in by that before there was one. */
  private async nameOf(address: string): Promise<string> {
    const name = spelled(address) ?? address;
    return name === address || (await this.clients.find(agentOf({ profile: address }))) === null ? name : address;
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

const flawed = (content: string) => new UcpError(400, 'invalid_profile_url', content);

/** The address of the profile that `UCP-Agent` names (RFC 8941 §3.2). @throws UcpError `invalid_profile_url` */
const profileInHeader = (header: string | string[] | undefined, allowsHttp: boolean): string => {
  const text = Array.isArray(header) ? header.join(', ') : header;
  if (text === undefined) throw flawed('Falta o cabeçalho UCP-Agent, com o endereço do perfil da plataforma.');
  const [address] = dictionaryIn(text)?.get('profile') ?? [];
  return profileAddress(address, allowsHttp);
};

/** The address of a profile, as it was given. @param allowsHttp on loopback names. @throws UcpError `invalid_profile_url` */
const profileAddress = (address: unknown, allowsHttp: boolean): string => {
  const isAddress = typeof address === 'string' && address.length <= LONGEST && URL.canParse(address);
  if (!isAddress || address.includes('#') || !isAskable(new URL(address), allowsHttp) || spelled(address) === null)
    throw flawed('O endereço do perfil da plataforma deve ser um texto com um endereço https.');
  return address;
};

type Asked = Parameters<UcpRequests['of']>;

@Injectable()
class AskingPipe implements PipeTransform<Asked, Promise<Asking>> {
  constructor(private readonly requests: UcpRequests) {}

  transform(asked: Asked): Promise<Asking> {
    return this.requests.of(...asked);
  }
}

/** Parameter of a controller: who asks for something of `capability`. Throws what `UcpRequests.of` throws. */
export const AskingFor = (capability: string): ParameterDecorator =>
  createParamDecorator((_: unknown, context: ExecutionContext): Asked => {
    const http = context.switchToHttp();
    return [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), capability];
  })(AskingPipe);
