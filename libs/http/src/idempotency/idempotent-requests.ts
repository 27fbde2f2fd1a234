import { Collection, type Document, type Documents, DuplicateDocument } from '#documents';
import { type Clock, DomainError, type Ids, plus } from '#kernel';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { asDomainError } from '../error-answer.js';
import { ERROR_CATALOGUE } from '../error-catalogue.js';
import type { BaseUrls } from '../base-urls.js';
import {
  answerKept,
  BegunBefore,
  fingerprintsOf,
  IDEMPOTENCY,
  type IdempotencyRecord,
  idempotencyRecord,
  keptAnswer,
  keyOutcomeOf,
  type RecordedRequest,
} from './idempotency-record.js';
import { applyDecorators, type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { configOf, configureRoute } from '../request.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    takesIdempotencyKey?: boolean;
  }
}

/** Visible ASCII (RFC 5234, VCHAR). A header sent twice arrives joined by a comma and a space, and is none. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The `Idempotency-Key` of a request; null where it has none. @throws DomainError `invalid_idempotency_key` */
const idempotencyKeyOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | null => {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !KEY.test(key)) throw new DomainError('invalid_idempotency_key');
  return key;
};

/** Judges the form of the key, where an operation takes one. */
@Injectable()
export class IdempotencyKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (configOf(request).takesIdempotencyKey) idempotencyKeyOf(request);
    return true;
  }
}

/** An operation that takes an `Idempotency-Key`, and hands its work to `IdempotentRequests`. */
export const AcceptsIdempotencyKey = () =>
  applyDecorators(
    configureRoute({ takesIdempotencyKey: true }),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Até 255 caracteres ASCII visíveis. Por 24 horas, a mesma chave com o mesmo corpo devolve a primeira resposta ' +
        '(com o cabeçalho Idempotent-Replayed: true), sem criar nem cobrar de novo.',
      schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
      example: '7f3a1f0e-5f0f-4f57-9a39-0d3c7f0a5a1b',
    }),
  );

/** A creation or a change that takes effect once. `id` is that of the request: a creation gives it to what it creates. */
export interface IdempotentOperation<View extends object> {
  /** Begun again under an id while nothing came of it, it takes no second effect. @throws BegunBefore */
  readonly begin: (id: string) => Promise<View>;
  /** What came of it for good: its effect, or a refusal that charged nothing. null, or a 404: nothing yet, so it may begin. */
  readonly outcomeOf: (id: string) => Promise<View | DomainError | null>;
  /** Id of an earlier request that this one would complete, beginning none; null or left out: there is none. */
  readonly completes?: () => Promise<string | null>;
}

/** What of a request, and of the reply to it, is looked at here. */
export interface RepeatableReply {
  readonly request: RecordedRequest &
    Pick<FastifyRequest, 'headers' | 'body' | 'urls'> & { log: Pick<FastifyBaseLogger, 'error'> };
  header(name: string, value: string): unknown;
}

type Found = Document<IdempotencyRecord>;

const DAY = 86_400_000;

/** A request sent again with its `Idempotency-Key` creates once, and gets the first answer (docs/consistency.md, rule 21). */
export class IdempotentRequests {
  /** `secret` keys the fingerprints; `lease`: how long a request may run before a retry takes over, in ms. */
  constructor(
    private readonly documents: Documents,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly secret: Uint8Array,
    private readonly lease: number,
  ) {}

  /** Creates once per key; without one, always. @throws DomainError `idempotency_conflict`, `idempotency_in_flight`, its own */
  async run<View extends object>(
    reply: RepeatableReply,
    operation: IdempotentOperation<View>,
    body: unknown = reply.request.body,
  ): Promise<View> {
    const { request } = reply;
    const key = idempotencyKeyOf(request);
    if (key === null) return operation.begin(this.ids.next());

    const { id, fingerprint } = fingerprintsOf(request, key, body, this.secret);
    const record = await this.claim(id, fingerprint, operation, request.urls);
    if (record.body.answer !== null) {
      void reply.header('idempotent-replayed', 'true');
      // A record belongs to one operation, and so its answer to one kind of view.
      return orThrow(answerKept(record.body.answer, request.urls) as View | DomainError);
    }
    const { resourceId } = record.body;
    const started = await operation.begin(resourceId).catch(asDomainError);
    // What an earlier try under this id left behind may have come to its end between the look at it and the start.
    const end = started instanceof BegunBefore ? await this.endOf(resourceId, operation) : null;
    const outcome = end ?? started;
    await this.conclude(record, outcome, request.urls).catch((error: unknown) => {
      // What was done is done, and answered. The record's lease ends, and a retry finds what came of it.
      request.log.error({ err: error }, 'idempotency record not concluded');
    });
    return orThrow(outcome);
  }

  /** Forgets the requests that created or completed any of these; returns how many there were. Their keys are as new. */
  async forget(resourceIds: ReadonlySet<string>): Promise<number> {
    const records = new Collection(this.documents, IDEMPOTENCY, idempotencyRecord);
    let deleted = 0;
    for await (const { id, body } of records.every()) {
      const isMeant = resourceIds.has(body.resourceId) || (body.completes !== null && resourceIds.has(body.completes));
      if (isMeant && (await records.delete(id))) deleted += 1;
    }
    return deleted;
  }

  /** The key's record, with this request's lease on it or an answer in it. It is there before any step is taken. */
  private async claim<View extends object>(
    id: string,
    fingerprint: string,
    operation: IdempotentOperation<View>,
    urls: BaseUrls,
  ): Promise<Found> {
    const body = { fingerprint, ...(await this.leased(this.ids.next(), operation)), answer: null };
    try {
      await this.documents.insert(IDEMPOTENCY.name, id, body, this.expiry());
      return { id, version: 1, body };
    } catch (error) {
      if (!(error instanceof DuplicateDocument)) throw error;
    }
    const known = await this.documents.get<unknown>(IDEMPOTENCY.name, id);
    // Its request was refused meanwhile, and the key is free again.
    if (!known) return this.claim(id, fingerprint, operation, urls);
    const earlier = { ...known, body: idempotencyRecord.parse(known.body) };
    if (earlier.body.fingerprint !== fingerprint) throw new DomainError('idempotency_conflict');
    if (earlier.body.answer !== null) return earlier;
    if (this.clock.now() < earlier.body.leasedUntil) throw new DomainError('idempotency_in_flight');
    return this.takeOver(earlier, operation, urls);
  }

  /** A record after its lease: finished with what its request left behind, or leased again to one of several retries. */
  private async takeOver<View extends object>(
    earlier: Found,
    operation: IdempotentOperation<View>,
    urls: BaseUrls,
  ): Promise<Found> {
    const { resourceId, completes } = earlier.body;
    const own = await this.endOf(resourceId, operation);
    const ended = own ?? (completes === null ? null : await this.endOf(completes, operation));
    if (ended && keyOutcomeOf(ended) === 'answered') {
      const body = { ...earlier.body, answer: keptAnswer(ended, urls) };
      await this.replace(earlier, body);
      return { ...earlier, body };
    }
    // An id under which something ended is spent: its order is closed in the ledger for ever.
    const id = ended ? this.ids.next() : resourceId;
    const body = { ...earlier.body, ...(await this.leased(id, operation)) };
    if (!(await this.replace(earlier, body))) throw new DomainError('idempotency_in_flight');
    return { ...earlier, version: earlier.version + 1, body };
  }

  /** Records the outcome while the lease is held. After a 5xx the lease ends at once, and a retry looks at what was left behind. */
  private async conclude(record: Found, outcome: object, urls: BaseUrls): Promise<void> {
    const { id, version, body } = record;
    switch (keyOutcomeOf(outcome)) {
      case 'answered':
        await this.replace(record, { ...body, answer: keptAnswer(outcome, urls) });
        return;
      case 'open':
        await this.replace(record, { ...body, leasedUntil: this.clock.now() });
        return;
      case 'free':
        await this.documents.delete(IDEMPOTENCY.name, id, version);
    }
  }

  /** What an id names for good; null: nothing yet. */
  private endOf<View extends object>(
    id: string,
    operation: IdempotentOperation<View>,
  ): Promise<View | DomainError | null> {
    return operation.outcomeOf(id).catch(nullIfNotFound);
  }

  private replace({ id, version }: Found, body: IdempotencyRecord): Promise<boolean> {
    return this.documents.replace(IDEMPOTENCY.name, id, version, body, this.expiry());
  }

  /** What a record says of a request that starts now, with this id for what it creates. */
  private async leased<View extends object>(resourceId: string, { completes }: IdempotentOperation<View>) {
    const earlier = (await completes?.()) ?? null;
    return { resourceId, completes: earlier, leasedUntil: plus(this.clock.now(), this.lease) };
  }

  private expiry() {
    return { expiresAt: plus(this.clock.now(), DAY) };
  }
}

const orThrow = <View extends object>(outcome: View | DomainError): View => {
  if (outcome instanceof DomainError) throw outcome;
  return outcome;
};

const nullIfNotFound = (error: unknown): null => {
  if (error instanceof DomainError && ERROR_CATALOGUE[error.code].status === 404) return null;
  throw error;
};
