import type { AccessTokens } from '#http';
import { type Caller, covers, DomainError, type Scope, SCOPES } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tool } from '../tool.js';
import { TOOLS } from '../tools/tools.js';

/** All that the tools together need, in the order of the interface: what a traveller is asked for, once. */
const ALL_NEEDED = SCOPES.filter((scope) => TOOLS.some(({ scopes }) => scopes.some((one) => one === scope)));

/**
 * Who sends a message, by a token for this resource; null without one. A bad token is refused whatever is asked, so that
 * its client renews it at once (docs/decisions.md, Errors).
 *
 * @throws DomainError `invalid_token`
 */
export const callerOfMessage = async (
  tokens: AccessTokens,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | null> => {
  request.requiredScopes = ALL_NEEDED;
  try {
    request.caller = await tokens.callerOf(request, reply);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'token_missing') throw error;
  }
  return request.caller;
};

/**
 * Judges whether a tool may be called, over HTTP and before the protocol: a client finds the authorization server by the
 * answer. What a 403 names keeps what the token had, or a client would trade one scope for another.
 *
 * @throws DomainError `token_missing`, `insufficient_scope`
 */
export const authorizeCall = ({ scopes }: Tool, request: FastifyRequest): void => {
  if (scopes.length === 0) return;
  if (!request.caller) throw new DomainError('token_missing');
  const granted = request.caller.scopes;
  if (covers(granted, scopes)) return;
  const wanted: readonly Scope[] = [...granted, ...scopes];
  request.requiredScopes = SCOPES.filter((scope) => wanted.includes(scope));
  throw new DomainError('insufficient_scope');
};
