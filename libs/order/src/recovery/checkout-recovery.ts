import { Injectable } from '@nestjs/common';
import { loadBooking } from '#booking';
import { Documents, Leases, ReadModelStore } from '#documents';
import { type Cancel, type Context, Ids, type Instant, newCause, plus, SYSTEM } from '#kernel';
import { type OpenMandateItem, openMandatesProjection } from '#mandate';
import { type Projection, ReadModels } from '#read-models';
import { CheckoutDependencies } from '../checkout/checkout-dependencies.js';
import { finishCheckout } from '../checkout/checkout-saga.js';
import { isChallenged, orders } from '../order.decider.js';
import { endMandate } from './end-mandate.js';
import { type OpenCheckout, openCheckoutsProjection } from './open-checkouts.projection.js';
import { RecoveryObserver } from './recovery-observer.js';
import { BackOff, due } from './work-list.js';

const LEASE = 'recovery';
/** How often (ms) what has expired is deleted. */
const SWEEP = 60_000;

/**
 * Finishes what nobody else will (docs/consistency.md, rule 8): open checkouts whose time is over, mandates at their end. Its
 * lists are read models and only hints: the streams decide. It runs where the lease is held and is correct without it.
 */
@Injectable()
export class CheckoutRecovery {
  private readonly backOff: BackOff;
  private cancel: Cancel | undefined;
  private running: Promise<void> = Promise.resolve();
  private sweptAt: Instant | null = null;
  private hasStopped = false;

  constructor(
    private readonly checkouts: CheckoutDependencies,
    private readonly documents: Documents,
    private readonly readModelStore: ReadModelStore,
    private readonly readModels: ReadModels,
    private readonly leases: Leases,
    private readonly ids: Ids,
    private readonly observer: RecoveryObserver,
  ) {
    this.backOff = new BackOff(checkouts.clock);
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

  /** One round, if the lease can be had. */
  async round(): Promise<void> {
    if (!(await this.leases.hold(LEASE, this.checkouts.settings.recoveryLease))) return;
    await this.observer.round(() => this.work(this.checkouts.clock.now()));
    await this.sweep(this.checkouts.clock.now());
  }

  /**
   * Finishes every checkout that does not wait for its holder, whatever its time: for the start of an embedded process,
   * when nobody else lives. Answers how many.
   */
  async finishAll(): Promise<number> {
    return this.each(openCheckoutsProjection, '9999', (bookingId, context) => this.finish(bookingId, context));
  }

  private async work(now: Instant): Promise<void> {
    await this.each<OpenCheckout>(openCheckoutsProjection, now, (bookingId, context) =>
      this.finish(bookingId, context),
    );
    await this.each<OpenMandateItem>(openMandatesProjection, now, async (mandateId, context, { holder, clientId }) => {
      await endMandate(this.checkouts, { mandateId, holder, clientId }, context);
      return true;
    });
  }

  /** Deletes what has expired, once a minute. */
  private async sweep(now: Instant): Promise<void> {
    if (this.sweptAt !== null && now < plus(this.sweptAt, SWEEP)) return;
    this.sweptAt = now;
    await this.documents.deleteExpired();
    await this.readModelStore.deleteExpired();
  }

  /**
   * Does `work` for every document due before `until`, each in a trace of its own; a stuck one is tried again later and
   * holds up no other. Answers for how many there was anything to do.
   */
  private async each<Body extends object>(
    projection: Projection<Body>,
    until: Instant,
    work: (id: string, context: Context, body: Body) => Promise<boolean>,
  ): Promise<number> {
    const { readModelStore, readModels, observer } = this;
    let done = 0;
    for await (const { id, body } of due<Body>(readModelStore, readModels.collectionOf(projection), until)) {
      if (!this.backOff.isDue(id)) continue;
      const cause = newCause(this.ids);
      try {
        if (await observer.piece(projection.name, cause, () => work(id, { actor: SYSTEM, ...cause }, body))) done += 1;
        this.backOff.forget(id);
      } catch (error) {
        this.backOff.fail(id);
        observer.onError(id, error);
      }
    }
    return done;
  }

  /** Answers false where there was nothing to do: the checkout is over, or waits for its holder. */
  private async finish(bookingId: string, context: Context): Promise<boolean> {
    const { aggregates, clock } = this.checkouts;
    const booking = await loadBooking(aggregates, bookingId);
    if (booking.kind !== 'checkout') return false;
    const { checkout } = booking;
    const { state: order } = await aggregates.load(orders, checkout.orderId);
    if (isChallenged(order) && clock.now() < order.challenge.expiresAt) return false;
    const wasChallenged = order.kind !== 'none' && order.challenge !== null;
    const failure = wasChallenged ? 'payment_challenge_failed' : 'service_unavailable';
    await finishCheckout(this.checkouts, { checkout, order, failure }, context);
    return true;
  }
}
