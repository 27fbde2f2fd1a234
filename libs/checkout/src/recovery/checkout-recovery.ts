import { Injectable } from '@nestjs/common';
import { bookings } from '#booking/pure';
import { type Condition, Documents, Leases, ReadModelStore } from '#documents';
import { type Cancel, type Cause, type Context, Ids, type Instant, newCause, plus, SYSTEM } from '#kernel';
import { type OpenMandateItem, openMandatesProjection } from '#mandate/pure';
import { isCancelling, isWaiting, orders } from '#order/pure';
import { listed, type Projection, ReadModels } from '#read-models';
import { Checkouts } from '../checkouts.js';
import { finishCheckout } from '../checkout-saga.js';
import { finishCancellation } from '../refund-saga.js';
import { goneOf } from '../process-lease.js';
import { type EndingMandate, endMandate } from './end-mandate.js';
import { grantApproved } from './grant-approved.js';
import { type OpenCheckout, openCheckoutsProjection } from './open-checkouts.projection.js';
import { BackOff, runnersIn } from './work-list.js';

/** Observes the recovery worker. `round` and `piece` return and throw what the work returns and throws. */
export abstract class RecoveryObserver {
  /** A round in which the lease was held. */
  abstract round(work: () => Promise<void>): Promise<void>;
  /** A piece of work from the list of this name; `work` returns whether there was anything to do. */
  abstract piece(list: string, cause: Cause, work: () => Promise<boolean>): Promise<boolean>;
  /** A piece of work that failed and will be tried again. */
  abstract onError(id: string, error: unknown): void;
}

export type RecoveryInstrumentation = Pick<RecoveryObserver, 'round' | 'piece'>;

export const UNINSTRUMENTED: RecoveryInstrumentation = {
  round: (work) => work(),
  piece: (_list, _cause, work) => work(),
};

const LEASE = 'recovery';
/** How often (ms) what has expired is deleted. */
const SWEEP = 60_000;

/** It is open in its delegation already: recovery asks for no place. */
const ANY_NUMBER = 0;

/** What of a list is to be done, by any of these conditions, and what stops the work on it. */
interface DueWork<Body extends object> {
  readonly projection: Projection<Body>;
  readonly backOff: BackOff;
  readonly conditions: readonly Condition[];
  readonly lost: AbortSignal | undefined;
  /** Whether what there is nothing to do for is left alone for a while: its id stands for no other work. */
  readonly isOfOne: boolean;
}

const before = (instant: Instant): Condition => ({ field: 'dueAt', below: instant });

/** Finishes what nobody else will (docs/consistency.md, rule 8). Its lists are hints, and the lease only saves work. */
@Injectable()
export class CheckoutRecovery {
  private readonly backOffs: Readonly<Record<'checkouts' | 'mandates', BackOff>>;
  private cancel: Cancel | undefined;
  private running: Promise<void> = Promise.resolve();
  private sweptAt: Instant | null = null;
  private hasStopped = false;

  constructor(
    private readonly checkouts: Checkouts,
    private readonly documents: Documents,
    private readonly readModelStore: ReadModelStore,
    private readonly readModels: ReadModels,
    private readonly leases: Leases,
    private readonly ids: Ids,
    private readonly observer: RecoveryObserver,
  ) {
    this.backOffs = { checkouts: new BackOff(checkouts.clock), mandates: new BackOff(checkouts.clock) };
  }

  /** Looks for work again and again, with a pause after each round. */
  start(): void {
    this.running = this.round()
      .catch((error: unknown) => this.observer.onError(LEASE, error))
      .then(() => {
        if (this.hasStopped) return;
        const { clock, settings } = this.checkouts;
        this.cancel = clock.after(settings.recoveryPause, () => this.start());
      });
  }

  /** Finishes the round under way and gives the lease back. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    this.cancel?.();
    await this.running;
    await this.leases.release(LEASE);
  }

  /** One round, if the lease can be had; lost, it ends after the piece under way. Without it the runners are watched too. */
  async round(): Promise<void> {
    const { clock, settings } = this.checkouts;
    const gone = await this.goneRunners();
    const round = async (lost: AbortSignal) => {
      await this.observer.round(() => this.work(clock.now(), gone, lost));
      if (!lost.aborted) await this.sweep(clock.now());
    };
    await this.leases.during(LEASE, settings.recoveryLease, round, (error) => this.observer.onError(LEASE, error));
  }

  /** Finishes every checkout that does not wait for its holder: for the start of an embedded process, when nobody else lives. */
  async finishAll(): Promise<number> {
    return this.finishCheckouts([before('9999')], undefined);
  }

  /** The processes that have open checkouts and no lease any more. */
  private async goneRunners(): Promise<readonly string[]> {
    const { readModels, readModelStore } = this;
    if (!readModels.isBuilt(openCheckoutsProjection)) return [];
    const runners = await runnersIn(readModelStore, readModels.collectionOf(openCheckoutsProjection));
    return goneOf(this.leases, runners);
  }

  private async work(now: Instant, gone: readonly string[], lost: AbortSignal): Promise<void> {
    const ofGone = gone.map((runner) => ({ field: 'runner', equals: runner }));
    await this.finishCheckouts([before(now), ...ofGone], lost);
    const conditions = [before(now)];
    const backOff = this.backOffs.mandates;
    const list = { projection: openMandatesProjection, backOff, conditions, lost, isOfOne: true };
    await this.each<OpenMandateItem>(list, (mandateId, context, { holder, clientId }) =>
      this.end({ mandateId, holder, clientId }, context),
    );
  }

  private finishCheckouts(conditions: readonly Condition[], lost: AbortSignal | undefined): Promise<number> {
    // A booking has one order after the other.
    const backOff = this.backOffs.checkouts;
    const list = { projection: openCheckoutsProjection, backOff, conditions, lost, isOfOne: false };
    return this.each<OpenCheckout>(list, (bookingId, context, { orderId }) =>
      finishOpen(this.checkouts, bookingId, orderId, context),
    );
  }

  /** Deletes what has expired, and the leases of who is gone, once a minute. */
  private async sweep(now: Instant): Promise<void> {
    if (this.sweptAt !== null && now < plus(this.sweptAt, SWEEP)) return;
    this.sweptAt = now;
    // With servers both are one store.
    for (const store of new Set<Documents | ReadModelStore>([this.documents, this.readModelStore]))
      await store.deleteExpired();
    await this.leases.sweep();
  }

  /** Does `work` for every document that is due, each in its own trace; a stuck one holds up no other. Returns how many had work. */
  private async each<Body extends object>(
    { projection, backOff, conditions, lost, isOfOne }: DueWork<Body>,
    work: (id: string, context: Context, body: Body) => Promise<boolean>,
  ): Promise<number> {
    const { readModelStore, readModels, observer } = this;
    if (!readModels.isBuilt(projection)) return 0; // a later round has all of it
    const collection = readModels.collectionOf(projection);
    const seen = new Set<string>();
    let done = 0;
    for await (const { id, body } of listed<Body>(readModelStore, collection, ...conditions)) {
      if (lost?.aborted) return done;
      seen.add(id);
      if (!backOff.isDue(id)) continue;
      const cause = newCause(this.ids);
      try {
        const isDone = await observer.piece(projection.name, cause, () => work(id, { actor: SYSTEM, ...cause }, body));
        if (isDone) done += 1;
        if (isDone || !isOfOne) backOff.forget(id);
        else backOff.fail(id);
      } catch (error) {
        backOff.fail(id);
        observer.onError(id, error);
      }
    }
    backOff.keepOnly(seen);
    return done;
  }

  /** Brings a mandate further: creates what its traveller approved, or ends what is over. Answers false where it was neither. */
  private async end(due: EndingMandate, context: Context): Promise<boolean> {
    const { mandate, closedAt } = await endMandate(this.checkouts, due, context);
    if (closedAt !== null) return true;
    if (mandate.kind !== 'granted' || !mandate.pending?.approved) return false;
    await grantApproved(this.checkouts.aggregates, mandate, ANY_NUMBER, context);
    return true;
  }
}

/** Finishes an order's checkout, never charging. Answers false where there is nothing to do: it is over, or waits for its holder. */
export const finishOpen = async (
  checkouts: Checkouts,
  bookingId: string,
  orderId: string,
  context: Context,
): Promise<boolean> => {
  const { aggregates, clock } = checkouts;
  const { state: booking } = await aggregates.load(bookings, bookingId);
  if (booking.kind === 'ticketed' && booking.orderId === orderId) return finishWayBack(checkouts, orderId, context);
  // A list may be behind: the booking's next order is another one, which somebody may be running.
  if (booking.kind !== 'checkout' || booking.checkout.orderId !== orderId) return false;
  const { checkout } = booking;
  const { state: order } = await aggregates.load(orders, orderId);
  if (isWaiting(order) && clock.now() < order.challenge.expiresAt) return false;
  const wasChallenged = order.kind !== 'none' && order.challenge !== null;
  const failure = wasChallenged ? 'payment_challenge_failed' : 'service_unavailable';
  await finishCheckout(checkouts, { checkout, order, failure }, context);
  return true;
};

/** Carries out a cancellation that was begun (rule 35). Answers false where none is under way. */
const finishWayBack = async (checkouts: Checkouts, orderId: string, context: Context): Promise<boolean> => {
  const { state: order } = await checkouts.aggregates.load(orders, orderId);
  if (!isCancelling(order)) return false;
  await finishCancellation(checkouts, order, context);
  return true;
};
