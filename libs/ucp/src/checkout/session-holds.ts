import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { bookings, loadBooking } from '#booking';
import { Aggregates } from '#event-store';
import { Clock, DomainError, Ids, newCause, plus, SYSTEM } from '#kernel';
import { inProgress, type Outcome, Sessions } from './sessions.js';
import type { Session, SessionLine, StoredSession } from './stored-session.js';

/** For how long (ms) a purchase keeps a session, and how many do at once. */
const [COMPLETING, MOST] = [60_000, 20] as const;

/** A booking of nothing, which no order begins of. */
const NOTHING = { changes: { flightId: null, fareCode: null }, offer: null, promise: 0 } as const;

/** What somebody says in a session of what is bought, and for whom. */
const saidIn = ({ body: { line, hasOthers, buyer, travellers, canceledAt } }: Session) =>
  [line, hasOthers, buyer, travellers, canceledAt] as const;

/** Keeps sessions as they are while they are bought: what is charged is what they show (docs/consistency.md, rule 43). */
@Injectable()
export class SessionHolds {
  constructor(
    private readonly sessions: Sessions,
    private readonly aggregates: Aggregates,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** Does the work of a purchase for a traveller. @throws UcpError where somebody was faster, or somebody else is buying it */
  async during<Result>(
    read: Session,
    holder: string,
    more: Pick<Partial<StoredSession>, 'approval'>,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    const known = await this.current(read);
    // Whoever let go of it may have changed it since: what is bought was judged as it was read.
    if (!isDeepStrictEqual(saidIn(known), saidIn(read))) throw inProgress();
    const { holder: earlier, purchases = [] } = known.body;
    // Somebody else's purchase of the same may have written nothing yet but this.
    if (purchases.length >= MOST || (purchases.length > 0 && earlier !== holder)) throw inProgress();
    const id = this.ids.next();
    const held = { holder, purchases: [...purchases, id], completingUntil: plus(this.clock.now(), COMPLETING) };
    const session = await this.sessions.change(known, { ...known.body, ...more, ...held });
    try {
      return await work(session);
    } finally {
      await this.letGo(session.id, id);
    }
  }

  /** To be asked between what a purchase writes into the booking and its order. @throws UcpError where it was let go of */
  async requireHeld({ id, body }: Session): Promise<void> {
    const now = await this.sessions.found(id);
    const own = body.purchases?.at(-1);
    if (own === undefined || !now?.body.purchases?.includes(own)) throw inProgress();
  }

  /** A session that somebody may change, and its booking. @throws UcpError where it is over, or is being completed */
  async requireOpen(read: Session): Promise<{ readonly session: Session } & Outcome> {
    const outcome = await this.sessions.requireOpen(read);
    const session = await this.current(read);
    return { session, ...(session === read ? outcome : await this.sessions.requireOpen(session)) };
  }

  /** A session as it stands: a purchase that outlived its time buys nothing any more, wherever it stands still. @throws Unavailable */
  async current(read: Session): Promise<Session> {
    const { purchases = [], completingUntil = '', isFenceDue } = read.body;
    const isHeld = purchases.length > 0 && this.clock.now() < completingUntil;
    if (isHeld || (purchases.length === 0 && !isFenceDue)) return read;
    // What has not written its booking by now begins no order (`requireHeld`), and what has finds that emptied.
    const letGo = { ...read.body, purchases: [], completingUntil: undefined, isFenceDue: true } as const;
    const due = purchases.length === 0 ? read : await this.replaced(read, letGo);
    if (!due) return this.again(read);
    // While an order has the booking it keeps the session itself; once it failed, the fence is still due.
    if (!(await this.isEmptied(due.id))) return due;
    return (await this.replaced(due, { ...due.body, isFenceDue: undefined })) ?? this.again(due);
  }

  /** Shows another price from now on. @throws UcpError where another purchase may be on its way at the one that it was shown */
  async reprice(held: Session, line: SessionLine): Promise<void> {
    if (held.body.purchases?.length !== 1) throw inProgress();
    await this.sessions.change(held, { ...held.body, line });
  }

  private async again({ id }: Session): Promise<Session> {
    const session = await this.sessions.found(id);
    if (!session) throw inProgress(); // it was erased in this moment
    return this.current(session);
  }

  private async replaced(read: Session, body: StoredSession): Promise<Session | null> {
    return (await this.sessions.stored.replace(read, body)) ? { ...read, version: read.version + 1, body } : null;
  }

  /** Empties the booking, so that no order begins that was judged by what it was; false: an order has it. */
  private async isEmptied(id: string): Promise<boolean> {
    const booking = await loadBooking(this.aggregates, id);
    if (booking.kind !== 'open') return booking.kind !== 'checkout';
    const { holder, clientId } = booking;
    const context = { actor: SYSTEM, ...newCause(this.ids) };
    const command = { type: 'ChangeBooking', holder, clientId, ...NOTHING } as const;
    return this.aggregates.handle(bookings, id, command, context).then(
      () => true,
      (error: unknown) => {
        if (error instanceof DomainError) return false;
        throw error;
      },
    );
  }

  private async letGo(id: string, own: string): Promise<void> {
    await this.sessions.stored.update(id, (body) => {
      const { purchases = [] } = body ?? {};
      if (!body || !purchases.includes(own)) return null;
      const left = purchases.filter((one) => one !== own);
      return { ...body, purchases: left, ...(left.length === 0 && { completingUntil: undefined }) };
    });
  }
}
