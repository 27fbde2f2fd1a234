export { ApiErrors, ApiUnchanged, errorComponents, errorResponses, errorsBefore } from './api-errors.js';
export { ErrorFilter, type ErrorFormat, ErrorsAs, jsonErrors, reportError } from './error.filter.js';
export { answerOf, asDomainError, docUrl } from './error-answer.js';
export { ERROR_CATALOGUE } from './error-catalogue.js';
export { ERROR_GUIDE } from './error-guide.js';
export { errorExample, withAddresses } from './error-schemas.js';
export { ConcurrencyLimit } from './concurrency-limit.js';
export {
  ETagInterceptor,
  etagOf,
  isKnown,
  isPublicUnchanged,
  isUnchanged,
  type Prepared,
  PrivateRead,
  RepeatableAnswer,
  whenThere,
} from './etag.js';
export { createHttpAdapter, type RequestInstrumentation } from './http-server.js';
export {
  AcceptsIdempotencyKey,
  type IdempotentOperation,
  IdempotentRequests,
} from './idempotency/idempotent-requests.js';
export { BegunBefore, IDEMPOTENCY } from './idempotency/idempotency-record.js';
export * from './base-urls.js';
export { type JsonSchema, type ObjectSchema, schemaOf, viewWithout } from './json-schema.js';
export {
  asInstant,
  createdOf,
  DatedListQueryDto,
  IsInstant,
  listOf,
  ListQueryDto,
  ListView,
  pageOf,
} from './list.dto.js';
export { KeptAnswers } from './kept-answers.js';
export { type Listener, LiveStreams, sendStream } from './live-streams.js';
export { ConditionsView, MoneyView, PricePartsView } from './price.view.js';
export { blockOf, RateLimiter, type RateLimits } from './rate-limiter.js';
export { countInAll, LimitedBy } from './request-limits.js';
export * from './request.js';
export {
  AccessTokens,
  authenticateChallenge,
  authorize,
  GUARDS,
  type Presented,
  Public,
  requireAny,
  RequireAnyScope,
  RequireScopes,
  ScopesGuard,
} from './scopes.guard.js';
export { DROPPED_KEYS } from './body-parsers.js';
export { answers, Closed, eitherOf, type Form, formOf, ListOf, Optional, validated } from './validation.js';
export {
  hasUnknown,
  JsonBody,
  noteUnknown,
  QueryString,
  SentBody,
  unknownIn,
  WarningsGuard,
  warningsSchema,
  WarningView,
  WITHOUT_WARNINGS,
  WithoutWarnings,
  withWarnings,
} from './warnings.js';
export { AttachedMetadata, changed, type Metadata } from './metadata/attached-metadata.js';
export { HasMetadata, IsMetadata, MetadataDto } from './metadata/metadata.dto.js';
