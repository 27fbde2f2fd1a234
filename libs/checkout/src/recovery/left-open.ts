import { Injectable } from '@nestjs/common';
import { type Cancel, Ids, newCause, SYSTEM } from '#kernel';
import { Checkouts } from '../checkouts.js';
import { openCheckoutsProjection } from './open-checkouts.projection.js';
import { finishOpen, RecoveryObserver } from './checkout-recovery.js';
import { BackOff } from './work-list.js';

/** How often (ms) tries are looked for; after the last one, a minute later, the checkout is due for everybody. */
const [LOOK, TRIES] = [1_000, 6];

/** Finishes what requests of this process had to leave open: while it lives, nobody else does before a minute is over (rule 8). */
@Injectable()
export class LeftOpen {
  /** By order, since a booking may have the next one while the one before is being finished. */
  private readonly open = new Map<string, { readonly bookingId: string; tries: number }>();
  private readonly backOff: BackOff;
  private cancel: Cancel | null = null;
  private isTrying = false;

  constructor(
    private readonly checkouts: Checkouts,
    private readonly ids: Ids,
    private readonly observer: RecoveryObserver,
  ) {
    this.backOff = new BackOff(checkouts.clock);
  }

  /** Tries soon, and again with growing pauses. */
  add(bookingId: string, orderId: string): void {
    this.open.set(orderId, { bookingId, tries: 0 });
    this.backOff.fail(orderId);
    this.cancel ??= this.checkouts.clock.every(LOOK, () => void this.look());
  }

  private async look(): Promise<void> {
    if (this.isTrying) return;
    this.isTrying = true;
    for (const [orderId, left] of this.open) {
      if (!this.backOff.isDue(orderId)) continue;
      left.tries += 1;
      if ((await this.isFinished(orderId, left.bookingId)) || left.tries === TRIES) this.forget(orderId);
      else this.backOff.fail(orderId);
    }
    this.isTrying = false;
    if (this.open.size > 0) return;
    this.cancel?.();
    this.cancel = null;
  }

  private async isFinished(orderId: string, bookingId: string): Promise<boolean> {
    const cause = newCause(this.ids);
    const work = () => finishOpen(this.checkouts, bookingId, orderId, { actor: SYSTEM, ...cause });
    try {
      await this.observer.piece(openCheckoutsProjection.name, cause, work);
      return true;
    } catch (error) {
      this.observer.onError(bookingId, error);
      return false;
    }
  }

  private forget(orderId: string): void {
    this.open.delete(orderId);
    this.backOff.forget(orderId);
  }
}
