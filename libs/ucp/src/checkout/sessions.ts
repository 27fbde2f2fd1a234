import { Injectable } from '@nestjs/common';
import { type Booking, loadBooking } from '#booking';
import { Collection, Documents } from '#documents';
import { Aggregates } from '#event-store';
import { Clock, DomainError, type Instant, isId, plus } from '#kernel';
import { loadOrder } from '#order';
import { spelled } from '#remote';
import type { Asking } from '../asking.js';
import { errorAnswer, type ErrorMessage } from '../envelope.js';
import { UcpError, UcpOutcome } from '../ucp-error.js';
import { hasAp2 } from '../capabilities.js';
import { CHECKOUT } from '../versions.js';
import { passengerMessages } from '../flights/passengers.js';
import { buyerMessages } from './buyer.js';
import { pricedLine } from './priced-line.js';
import { type Purchase, statusOf } from './session.view.js';
import { isOfOther, type Session, SESSIONS, storedSession, type StoredSession } from './stored-session.js';

/** How long (ms) a session can be completed, and is read after that: where its traveller is known, and where not. */
const [LASTS, KEPT, KEPT_WAITING] = [30 * 60_000, 24 * 3_600_000, 10 * 60_000] as const;

/** How many wait for a traveller at once: of platforms of a host, and of all. Those of platforms that prove who they are count apart. */
const [MOST_OF_HOST, MOST] = [1_000, 5_000] as const;

const UNKNOWN: ErrorMessage = {
  type: 'error',
  code: 'not_found',
  content: 'Não há uma compra assim, ou não desta plataforma.',
  severity: 'unrecoverable',
};
const ONE_LINE: ErrorMessage = {
  type: 'error',
  code: 'too_many_line_items',
  content: 'Uma compra tem um único item, com um assento por passageiro: compre os outros em outra.',
  severity: 'recoverable',
  path: '$.line_items[1]',
};

/** What came of a session: the booking of its id, and the order that this is in. */
export interface Outcome {
  readonly booking: Booking;
  readonly purchase: Purchase | null;
}

/** What platforms put together, for as long as it may be bought, and a day more. */
@Injectable()
export class Sessions {
  readonly stored: Collection<StoredSession>;

  constructor(
    private readonly documents: Documents,
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {
    this.stored = new Collection(documents, SESSIONS, storedSession);
  }

  /** Begins a session, once an id. @throws DomainError `rate_limited` where too many wait for a traveller */
  async begin(
    id: string,
    asking: Asking,
    parts: Pick<StoredSession, 'line' | 'hasOthers' | 'buyer' | 'travellers'>,
  ): Promise<void> {
    const now = this.clock.now();
    const expiresAt = plus(now, LASTS);
    const { platform, proof, caller } = asking;
    const whose = {
      ...{ platform: platform.profile, isProven: proof !== null, holder: null },
      ...(caller && { traveller: caller.holder }),
      ...(hasAp2(asking) && { isLocked: true as const }),
    };
    const [session, expiry] = asKept({ ...parts, ...whose, createdAt: now, expiresAt });
    if (session.waiting !== undefined) await this.requireRoom(session.waiting);
    await this.stored.insertIfAbsent(id, session, expiry);
  }

  /** Several at once may all see the last place. */
  private async requireRoom(waiting: string): Promise<void> {
    const [kind = ''] = waiting.split(' ');
    const bounds = [
      [{ field: 'waiting', equals: waiting }, MOST_OF_HOST],
      [{ field: 'waiting', atLeast: `${kind} `, below: `${kind}!` }, MOST],
    ] as const;
    for (const [condition, most] of bounds)
      if ((await this.documents.count(SESSIONS.name, { where: [condition] }, most)) >= most)
        throw new DomainError('rate_limited', { limit: 'checkout-sessions' });
  }

  /** The session of this id, whoever asks; null: there is none. */
  async found(id: string): Promise<Session | null> {
    return isId(id) ? this.stored.get(id) : null;
  }

  /** @throws UcpOutcome `not_found` for one that there is not, another platform's, and by a token another traveller's */
  async own(asking: Asking, id: string): Promise<Session> {
    const session = await this.found(id);
    if (!session || !isOwn(asking, session)) throw unknownSession(asking);
    return session;
  }

  /** The same for who goes on with it: from then on it is only theirs who prove it, and of the traveller of their token. */
  async taken(asking: Asking, id: string): Promise<Session> {
    const session = await this.own(asking, id);
    const { traveller = asking.caller?.holder, isProven: wasProven } = session.body;
    const isProven = wasProven || asking.proof !== null;
    if (isProven === wasProven && traveller === session.body.traveller) return session;
    const [, expiry] = asKept({ ...session.body, traveller });
    const proven = (body: StoredSession) => asKept({ ...body, isProven, traveller: body.traveller ?? traveller })[0];
    await this.stored.update(id, (body) => body && proven(body), expiry);
    return this.own(asking, id);
  }

  async outcomeOf({ id, body }: Session): Promise<Outcome> {
    if (body.holder === null) return { booking: { kind: 'none' }, purchase: null };
    const booking = await loadBooking(this.aggregates, id);
    const orderId =
      booking.kind === 'ticketed' ? booking.orderId : booking.kind === 'checkout' ? booking.checkout.orderId : null;
    if (booking.kind === 'none' || orderId === null) return { booking, purchase: null };
    const order = await loadOrder(this.aggregates, orderId, booking.holder);
    return { booking, purchase: { orderId, order, isTicketed: booking.kind === 'ticketed' } };
  }

  /** What keeps a session from being bought as it is, as far as it says so itself. */
  async problemsOf({ body: { line, hasOthers, buyer, travellers } }: Session): Promise<readonly ErrorMessage[]> {
    const now = this.clock.now();
    const priced = await pricedLine(this.aggregates, line, line.quantity, now);
    const departs = 'flight' in priced ? priced.flight.departureDate : null;
    const wrong = 'line' in priced ? priced.problem : priced;
    return [
      ...(wrong ? [wrong] : []),
      ...(hasOthers ? [ONE_LINE] : []),
      ...buyerMessages(buyer),
      ...passengerMessages(travellers, line.quantity, { now, departs }),
    ];
  }

  /** What came of a session that may be changed. @throws UcpError where it is over, or is being completed */
  async requireOpen(session: Session): Promise<Outcome> {
    const outcome = await this.outcomeOf(session);
    const { purchase } = outcome;
    const now = this.clock.now();
    const status = statusOf(session, { purchase, problems: [], messages: [], now });
    const { completingUntil = '' } = session.body;
    if (status === 'completed') throw new UcpError(409, 'checkout_completed', 'Esta compra já foi concluída.');
    if (status === 'canceled') throw canceled();
    if (purchase || now < completingUntil) throw inProgress();
    return outcome;
  }

  /** @throws UcpError where it is too late to begin a purchase, or to go on with one that another request began */
  requireInTime({ body }: Session, purchase: Purchase | null): void {
    const { canceledAt, expiresAt, purchases = [] } = body;
    if (canceledAt === undefined && (purchase || this.clock.now() < expiresAt)) return;
    throw purchases.length > 0 ? inProgress() : canceled();
  }

  /** @throws UcpError where somebody has changed it since it was read */
  async change(session: Session, body: StoredSession): Promise<Session> {
    const [kept, expiry] = asKept(body);
    if (!(await this.stored.replace(session, kept, expiry))) throw inProgress();
    return { ...session, version: session.version + 1, body: kept };
  }
}

/** A session as it is kept, and until when: while nobody knows its traveller it counts, and not for long. */
const asKept = ({ waiting: _, ...body }: StoredSession): readonly [StoredSession, { readonly expiresAt: Instant }] => {
  const { platform, isProven, holder, traveller, expiresAt } = body;
  if (holder !== null || traveller !== undefined) return [body, { expiresAt: plus(expiresAt, KEPT) }];
  const waiting = `${isProven ? 'proven' : 'said'} ${new URL(platform).host}`;
  return [{ ...body, waiting }, { expiresAt: plus(expiresAt, KEPT_WAITING) }];
};

const isOwn = ({ platform, proof, caller }: Asking, { body }: Session): boolean =>
  spelled(body.platform) === spelled(platform.profile) &&
  (proof !== null || !body.isProven) &&
  (caller === null || !isOfOther(body, caller.holder));

const unknownSession = (asking: Asking): UcpOutcome =>
  new UcpOutcome('not_found', errorAnswer(asking, [CHECKOUT], [UNKNOWN]));

export const canceled = (): UcpError =>
  new UcpError(409, 'checkout_canceled', 'Esta compra foi cancelada ou passou do prazo: comece outra.');

export const inProgress = (): UcpError =>
  new UcpError(409, 'checkout_in_progress', 'Esta compra está sendo concluída.', { severity: 'recoverable' });
