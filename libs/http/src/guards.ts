import { APP_GUARD } from '@nestjs/core';
import { IdempotencyKeyGuard } from './idempotency/idempotent-requests.js';
import { ScopesGuard } from './scopes.guard.js';
import { WarningsGuard } from './warnings.js';

/** What judges every request once its body is read and before its handler: in the order of docs/decisions.md, Errors. */
export const GUARDS = [ScopesGuard, IdempotencyKeyGuard, WarningsGuard].map((guard) => ({
  provide: APP_GUARD,
  useClass: guard,
}));
