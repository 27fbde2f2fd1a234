import { createHmac } from 'node:crypto';
import type { CollectionSpec } from '#documents';
import { canonicalJson } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { operationOf } from '../request-log.js';
import { callerOf } from '../request.js';

/** What is known of requests that carried an `Idempotency-Key` (docs/consistency.md, rule 21). */
export const IDEMPOTENCY: CollectionSpec = { name: 'idempotency', indexes: [] };

/** A record. It names neither key nor caller, and keeps nothing of the body but its keyed fingerprint. */
export const idempotencyRecord = z
  .object({
    fingerprint: z.string(),
    /** Id of the resource that the request creates. */
    resourceId: z.string(),
    /** Id of an earlier resource that the request completes instead; null where there is none. */
    completes: z.string().nullable().default(null),
    /** Until when the request may be running; from then on a retry takes over. */
    leasedUntil: z.string(),
    /** The first answer (`keptAnswer`); null until there is one. */
    answer: z.string().nullable(),
  })
  .readonly();

export type IdempotencyRecord = z.infer<typeof idempotencyRecord>;

/**
 * Id of a request's record, by client, holder, operation and key, and the fingerprint of what it asks for. Both are
 * keyed with `secret`: a body may hold a card, whose number a plain hash would give away.
 */
export const fingerprintsOf = (
  request: FastifyRequest,
  key: string,
  body: unknown,
  secret: Uint8Array,
): { readonly id: string; readonly fingerprint: string } => {
  const { holder, clientId } = callerOf(request);
  const keyed = (value: unknown) => createHmac('sha256', secret).update(canonicalJson(value)).digest('base64url');
  const id = keyed({ clientId, holder, operation: operationOf(request), key });
  // No body is another one than an empty object; with the id inside, equal bodies of two records do not show.
  return { id, fingerprint: keyed({ id, body }) };
};
