import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Bookings } from '#booking';
import { type AccessTokens, validated } from '#http';
import { type Caller, covers, DomainError, type Scope, SCOPES } from '#kernel';
import { CreateMandateDto, termsOf } from '#mandate';
import { PlaceOrderDto } from '#order';
import { TOOLS } from '../tools/tools.js';
import type { About } from './message.js';
import type { Tool } from '../tool.js';

/** What the MCP endpoint needs to know. A value; the class is its own token. */
export abstract class McpSettings {
  /** Origins beside our own whose pages may call it. */
  abstract readonly allowedOrigins: readonly string[];
  /** Whether a client that nobody registered may ask a traveller for access. */
  abstract readonly admitsAnyClient: boolean;
  /** Whether agents of others buy here by the Universal Commerce Protocol. */
  abstract readonly speaksUcp: boolean;
}

/** All that the tools together need, in the order of the interface: what a traveller is asked for, once. */
const ALL_NEEDED = SCOPES.filter((scope) => TOOLS.some(({ scopes }) => scopes.some((one) => one === scope)));

/** Who sends a message, or null; a bad token is always refused (docs/decisions.md, Errors). @throws DomainError `invalid_token` */
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

/** Checks scopes first; a 403 names held ones too. @throws DomainError `token_missing`, `insufficient_scope` */
export const authorizeMessage = async (
  { scopes, tool, given }: About,
  request: FastifyRequest,
  bookings: Bookings,
): Promise<void> => {
  const { caller } = request;
  if (scopes.length === 0 || (caller && covers(caller.scopes, scopes))) return;
  const members = await consentMissing(tool, given, caller, bookings);
  const wanted: readonly Scope[] = [...(caller?.scopes ?? ALL_NEEDED), ...scopes];
  request.requiredScopes = SCOPES.filter((scope) => wanted.includes(scope));
  if (!caller) throw new DomainError('token_missing', undefined, { members });
  throw new DomainError('insufficient_scope', undefined, { members });
};

const EXPOSED = 'DPoP-Nonce, Retry-After, WWW-Authenticate, X-Request-Id, Idempotent-Replayed, Preference-Applied';

/** Refuses pages of foreign origins, against DNS rebinding (MCP, Transports). @throws DomainError `origin_forbidden` */
export const checkOrigin = (
  { headers, urls }: FastifyRequest,
  reply: FastifyReply,
  allowed: readonly string[],
): void => {
  void reply.header('vary', 'Origin');
  const { origin } = headers;
  if (origin === undefined) return;
  if (origin !== new URL(urls.site).origin && !allowed.includes(origin)) throw new DomainError('origin_forbidden');
  void reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED);
};

/** What a page may send, once its origin is let in (Fetch Standard §3.2.2). */
export const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'Authorization, Content-Type, DPoP, Idempotency-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Prefer, X-Request-Id',
  'access-control-max-age': '600',
} as const;

/** Members of a refusal for want of a consent: what to send as `authorization_details` (RFC 9396) beside the scopes. */
interface ConsentMissing {
  readonly authorization_details?: readonly [object];
}

/** The mandate that a spending call lacks beside its scopes. A total is named only to who may read the booking. */
export const consentMissing = async (
  tool: Tool | undefined,
  given: unknown,
  caller: Caller | null,
  bookings: Bookings,
): Promise<ConsentMissing> => {
  if (typeof given !== 'object' || given === null) return {};
  try {
    if (tool?.name === 'create_mandate') return mandateOf(validated(CreateMandateDto, given));
    if (tool?.name !== 'place_order' || !caller || !covers(caller.scopes, ['booking:write'])) return {};
    const { bookingId, mandateId } = validated(PlaceOrderDto, given);
    if (mandateId !== undefined) return {};
    const { total } = await bookings.get(bookingId, caller.holder);
    return total.amount === 0 ? {} : mandateOf({ limit: total, constraints: { maxOrders: 1 } });
  } catch (error) {
    // Arguments that are no good are refused once there is a token for them.
    if (error instanceof DomainError) return {};
    throw error;
  }
};

const mandateOf = (asked: CreateMandateDto): ConsentMissing => {
  const { limit, minutes: durationMinutes, scope, constraints } = termsOf(asked);
  return {
    authorization_details: [
      { type: 'payment_mandate', limit, durationMinutes, scope, ...(constraints && { constraints }) },
    ],
  };
};
