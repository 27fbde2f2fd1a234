import { HttpException } from '@nestjs/common';
import { DocumentsUnavailable } from '#documents';
import { AppendOutcomeUnknown, StoreUnavailable, StreamBusy } from '#event-store';
import { DomainError, ERROR_CODES } from '#kernel';
import { baseUrlsAt } from './base-urls.js';
import { answerOf, asDomainError } from './error-answer.js';
import { ERROR_CATALOGUE } from './error-catalogue.js';

/** The list of docs/decisions.md, Errors, and nothing beside it. */
const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'malformed_json unknown_tool invalid_arguments invalid_idempotency_key',
  401: 'token_missing invalid_token',
  402: `payment_declined payment_insufficient_funds payment_card_expired payment_card_invalid
    payment_challenge_required payment_challenge_failed payment_not_completed`,
  403: 'insufficient_scope mandate_forbidden origin_forbidden invalid_signature',
  404: 'flight_not_found booking_not_found mandate_not_found order_not_found ticket_not_found webhook_not_found route_not_found',
  405: 'method_not_allowed',
  409: 'mandate_revoked mandate_expired mandate_paused mandate_pending agents_paused booking_already_ordered order_in_progress offer_expired order_not_cancellable cancellation_expired idempotency_in_flight',
  408: 'request_timeout',
  410: 'cursor_too_old',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: `invalid_body invalid_flight invalid_fare invalid_passengers invalid_travellers invalid_change invalid_limit invalid_currency
    invalid_validity invalid_mandate_scope invalid_constraints invalid_booking invalid_mandate invalid_payment invalid_budget invalid_query
    invalid_cursor invalid_window invalid_webhook invalid_metadata booking_empty booking_locked seats_unavailable flight_departed flight_cancelled total_changed
    mandate_required mandate_ambiguous mandate_limit_exceeded mandate_scope_insufficient
    mandate_constraint_violated mandate_client_mismatch
    currency_mismatch mandate_cap_exceeded mandate_redeemed idempotency_conflict unknown_member`,
  429: 'rate_limited',
  500: 'internal_error',
  503: 'service_unavailable',
};

describe('the catalogue of errors', () => {
  it('has every code under its status, and no other', () => {
    const listed = Object.entries(BY_STATUS).flatMap(([status, codes]) =>
      codes.split(/\s+/).map((code) => [code, Number(status)] as const),
    );
    const actual = ERROR_CODES.map((code) => [code, ERROR_CATALOGUE[code].status] as const);
    expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(listed));
  });

  it('says each in a Portuguese sentence of its own', () => {
    const messages = ERROR_CODES.map((code) => ERROR_CATALOGUE[code].message);
    expect(new Set(messages).size).toBe(messages.length);
    for (const message of messages) expect(message).toMatch(/^\p{Lu}.{9,}\.$/u);
  });
});

const AT = { id: 'r1', urls: baseUrlsAt('https://voos.example') };

describe('an error answer', () => {
  it('has code, message, request id and the page that explains it, and details where there are some', () => {
    const { message } = ERROR_CATALOGUE.mandate_limit_exceeded;
    const refusal = new DomainError('mandate_limit_exceeded', { remaining: 1 });
    expect(answerOf(refusal, AT)).toEqual({
      status: 422,
      body: {
        error: 'mandate_limit_exceeded',
        message,
        details: { remaining: 1 },
        doc_url: 'https://voos.example/docs/erros/mandate_limit_exceeded',
        requestId: 'r1',
      },
    });
    expect(answerOf(new DomainError('invalid_body'), AT).body).not.toHaveProperty('details');
  });

  it('of what nobody foresaw is an internal error, with the cause kept for the log', () => {
    for (const thrown of [new Error('secret'), 'secret', null, undefined, { code: 'toString' }]) {
      const refusal = asDomainError(thrown);
      expect([refusal.code, refusal.cause]).toEqual(['internal_error', thrown]);
      expect(JSON.stringify(answerOf(refusal, AT))).not.toContain('secret');
    }
  });

  it.each([
    ['an event store that cannot be reached', new StoreUnavailable('esdb://admin:secret@node')],
    ['an append whose outcome is unknown', new AppendOutcomeUnknown('secret')],
    ['a stream that others kept busy', new StreamBusy('secret')],
    ['documents that cannot be reached', new DocumentsUnavailable('mongodb://user:secret@host')],
  ])('of %s is service_unavailable, with the cause kept for the log', (_, thrown) => {
    const error = asDomainError(thrown);
    expect([error.code, error.cause]).toEqual(['service_unavailable', thrown]);
    expect(JSON.stringify(answerOf(error, AT))).not.toContain('secret');
  });

  it.each([
    [400, 'malformed_json'],
    [404, 'route_not_found'],
    [413, 'payload_too_large'],
    [415, 'unsupported_media_type'],
    [418, 'internal_error'],
  ])('of the framework with status %i is %s', (status, code) =>
    expect(asDomainError(new HttpException('inner', status)).code).toBe(code),
  );
});
