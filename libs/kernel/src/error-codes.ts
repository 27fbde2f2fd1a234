/** Every stable error code (docs/decisions.md, Errors); `libs/http` has status and text, as the compiler checks. */
export const ERROR_CODES = [
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
  'webhook_not_found',
  'route_not_found',
  'method_not_allowed',
  'request_timeout',
  'mandate_revoked',
  'mandate_expired',
  'mandate_paused',
  'mandate_pending',
  'agents_paused',
  'booking_already_ordered',
  'order_in_progress',
  'offer_expired',
  'order_not_cancellable',
  'cancellation_expired',
  'idempotency_in_flight',
  'cursor_too_old',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'invalid_body',
  'unknown_member',
  'invalid_flight',
  'invalid_fare',
  'invalid_passengers',
  'invalid_travellers',
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
  'invalid_webhook',
  'booking_empty',
  'booking_locked',
  'seats_unavailable',
  'flight_departed',
  'flight_cancelled',
  'total_changed',
  'mandate_required',
  'mandate_ambiguous',
  'mandate_limit_exceeded',
  'mandate_scope_insufficient',
  'mandate_constraint_violated',
  'mandate_client_mismatch',
  'currency_mismatch',
  'mandate_cap_exceeded',
  'mandate_redeemed',
  'idempotency_conflict',
  'internal_error',
  'service_unavailable',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface DomainErrorOptions extends ErrorOptions {
  /** Members of the answer beside `error` and `message`, such as the `order` that is in the way. */
  readonly members?: object;
  /** Seconds after which another try makes sense (`Retry-After`). */
  readonly retryAfter?: number;
}

/** A definite "no" with a stable code. `details` and `members` are public; `cause` stays in the log. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly members: object | undefined;
  readonly retryAfter: number | undefined;

  constructor(
    readonly code: ErrorCode,
    readonly details?: object,
    { members, retryAfter, ...options }: DomainErrorOptions = {},
  ) {
    super(code, options);
    this.members = members;
    this.retryAfter = retryAfter;
  }
}

/** A definite "no" to a step that comes too late to be undone (docs/consistency.md, rule 6). A new id may succeed. */
export class TooLate extends DomainError {
  constructor() {
    super('service_unavailable');
  }
}

/** "Not now": each kind says whether the work may have been done. Callers see `service_unavailable`. */
export abstract class Unavailable extends Error {
  /** Whether it is no failure, and nobody has to look into it. */
  readonly isForeseen: boolean = false;
  /** Seconds after which another try makes sense; undefined: nothing more is known than that it may. */
  readonly retryAfter: number | undefined;
}
