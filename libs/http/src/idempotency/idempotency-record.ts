import { createHmac } from 'node:crypto';
import type { CollectionSpec } from '#documents';
import { canonicalJson, DomainError, ERROR_CODES } from '#kernel';
import { z } from 'zod';
import type { BaseUrls } from '../base-urls.js';
import { ERROR_CATALOGUE } from '../error-catalogue.js';
import { type Called, callerOf, operationOf, type Routed } from '../request.js';

/** What is known of requests that carried an `Idempotency-Key` (docs/consistency.md, rule 21). */
export const IDEMPOTENCY: CollectionSpec = { name: 'idempotency', indexes: [] };

/** A record. It names neither key nor caller, and keeps nothing of the body but its keyed fingerprint. */
export const idempotencyRecord = z
  .object({
    fingerprint: z.string(),
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

export type RecordedRequest = Called & Routed;

/** A value as one text. A body may hold numbers beyond all range (`1e309`), which no JSON can express again: their names stand for them. */
const textOf = (value: unknown): string => {
  try {
    return canonicalJson(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const named = JSON.stringify(value, (_, one: unknown) =>
      typeof one === 'number' && !Number.isFinite(one) ? String(one) : one,
    );
    return canonicalJson(JSON.parse(named));
  }
};

/** A request's record id and fingerprint, keyed with `secret`: a plain hash of a body would give away a card's number. */
export const fingerprintsOf = (
  request: RecordedRequest,
  key: string,
  body: unknown,
  secret: Uint8Array,
): { readonly id: string; readonly fingerprint: string } => {
  const { holder, clientId } = callerOf(request);
  const keyed = (value: unknown) => createHmac('sha256', secret).update(textOf(value)).digest('base64url');
  const id = keyed({ clientId, holder, operation: operationOf(request), key });
  // No body is another one than an empty object; with the id inside, equal bodies of two records do not show.
  return { id, fingerprint: keyed({ id, body }) };
};

/** What an answer leaves of its key: `answered` for a day, `open` for a retry, `free` as if unused (docs/decisions.md). */
type KeyOutcome = 'answered' | 'open' | 'free';

/** A request is refused because of what an earlier try under its own id began: a retry finds what came of that. */
export class BegunBefore extends DomainError {}

/** `outcome`: the view of what was done, or an error. */
export const keyOutcomeOf = (outcome: object): KeyOutcome => {
  if (!(outcome instanceof DomainError)) return 'answered';
  const { status } = ERROR_CATALOGUE[outcome.code];
  if (status === 402) return outcome.code === 'payment_challenge_required' ? 'free' : 'answered';
  return status >= 500 || outcome instanceof BegunBefore ? 'open' : 'free';
};

const members = z.looseObject({}).optional();
const kept = z.union([
  z.object({ created: z.looseObject({}) }),
  z.object({ refused: z.object({ code: z.enum(ERROR_CODES), details: members, members }) }),
]);

/** Addresses and the names that replace them, the longer first. */
const placeholders = ({ base, site }: BaseUrls) =>
  [
    ['{base_url}/', `${base}/`],
    ['{site_url}/', `${site}/`],
  ] as const;

type Beginnings = readonly (readonly [from: string, to: string])[];

/** A JSON value whose texts begin otherwise; those of `metadata` are the agent's own, and hold no address of ours. */
const begunOtherwise = (value: unknown, beginnings: Beginnings): unknown => {
  if (typeof value === 'string') {
    const [from, to] = beginnings.find(([from]) => value.startsWith(from)) ?? ['', ''];
    return to + value.slice(from.length);
  }
  if (Array.isArray(value)) return value.map((one) => begunOtherwise(one, beginnings));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => [
    name,
    name === 'metadata' ? member : begunOtherwise(member, beginnings),
  ]);
  return Object.fromEntries(members) as unknown;
};

/** An answer as it is stored: JSON, with the names of addresses for the addresses (docs/decisions.md, Stored form). */
export const keptAnswer = (outcome: object, urls: BaseUrls): string => {
  const answer = outcome instanceof DomainError ? { refused: membersOf(outcome) } : { created: outcome };
  const named = placeholders(urls).map(([name, address]) => [address, name] as const);
  return JSON.stringify(begunOtherwise(answer, named));
};

const membersOf = ({ code, details, members: others }: DomainError) => ({ code, details, members: others });

/** A stored answer with the addresses of this request: the view of what was created, or the refusal. */
export const answerKept = (answer: string, urls: BaseUrls): object => {
  const parsed = kept.parse(begunOtherwise(JSON.parse(answer), placeholders(urls)));
  if ('created' in parsed) return parsed.created;
  const { code, details, members: others } = parsed.refused;
  return new DomainError(code, details, others && { members: others });
};
