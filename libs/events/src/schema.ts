import { z } from 'zod';

/*
 * The closed lists of what may be stored. They are not the live lists of the API, which lose a value when the API does:
 * what is stored stays readable. They may grow, and no value is ever taken away.
 */

/** RFC 3339 UTC with milliseconds, as `Instant`. */
export const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
/** ISO 4217 codes. */
export const currency = z.enum(['BRL', 'USD', 'EUR']);
/** Amount in integer cents with its currency. */
export const money = z.object({ amount: z.int(), currency }).readonly();
export const scopes = z
  .array(z.enum(['catalog:read', 'booking:write', 'order:write', 'mandate:create', 'payment:execute', 'receipt:read']))
  .readonly();
export const errorCode = z.enum([
  'malformed_json',
  'unknown_tool',
  'invalid_arguments',
  'invalid_idempotency_key',
  'token_missing',
  'invalid_token',
  'payment_declined',
  'payment_insufficient_funds',
  'payment_card_expired',
  'payment_card_invalid',
  'payment_challenge_required',
  'payment_challenge_failed',
  'payment_not_completed',
  'insufficient_scope',
  'mandate_forbidden',
  'origin_forbidden',
  'invalid_signature',
  'flight_not_found',
  'booking_not_found',
  'mandate_not_found',
  'order_not_found',
  'ticket_not_found',
  'route_not_found',
  'method_not_allowed',
  'request_timeout',
  'mandate_revoked',
  'mandate_expired',
  'mandate_paused',
  'mandate_pending',
  'booking_already_ordered',
  'order_in_progress',
  'idempotency_in_flight',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'invalid_body',
  'unknown_member',
  'invalid_flight',
  'invalid_fare',
  'invalid_passengers',
  'invalid_change',
  'invalid_limit',
  'invalid_currency',
  'invalid_validity',
  'invalid_mandate_scope',
  'invalid_constraints',
  'invalid_metadata',
  'invalid_booking',
  'invalid_mandate',
  'invalid_payment',
  'invalid_budget',
  'invalid_query',
  'invalid_cursor',
  'invalid_window',
  'booking_empty',
  'booking_locked',
  'seats_unavailable',
  'flight_departed',
  'total_changed',
  'mandate_required',
  'mandate_ambiguous',
  'mandate_limit_exceeded',
  'mandate_scope_insufficient',
  'mandate_constraint_violated',
  'mandate_client_mismatch',
  'currency_mismatch',
  'mandate_cap_exceeded',
  'idempotency_conflict',
  'internal_error',
  'service_unavailable',
]);
/** Who acted: the traveller and the agent. */
export const party = { holder: z.string(), clientId: z.string() };

/** Schemas of the event types of one category, by type. */
export type EventSchemas = Readonly<Record<string, z.ZodType>>;

/** The union of events that a category's schemas describe. */
export type EventOf<Schemas extends EventSchemas> = {
  [Type in keyof Schemas & string]: { readonly type: Type; readonly data: Readonly<z.infer<Schemas[Type]>> };
}[keyof Schemas & string];
