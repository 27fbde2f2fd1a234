import { Injectable } from '@nestjs/common';
import { type Cancel, Ids, newCause, SYSTEM } from '#kernel';
import { Checkouts } from '../checkouts.js';
import { openCheckoutsProjection } from './open-checkouts.projection.js';
import { BackOff, finishOpen, RecoveryObserver } from './checkout-recovery.js';

/** How often (ms) tries are looked for; after the last one, a minute later, the checkout is due for everybody. */
const [LOOK, TRIES] = [1_000, 6];

/** Finishes what requests of this process had to leave open: while it lives, nobody else does before a minute is over (rule 8). */
@Injectable()
export class LeftOpen {
  private readonly open = new Map<string, { readonly orderId: string; tries: number }>();
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
    this.open.set(bookingId, { orderId, tries: 0 });
    this.backOff.fail(bookingId);
    this.cancel ??= this.checkouts.clock.every(LOOK, () => void this.look());
  }

  private async look(): Promise<void> {
    if (this.isTrying) return;
    this.isTrying = true;
    for (const bookingId of this.open.keys()) if (this.backOff.isDue(bookingId)) await this.finish(bookingId);
    this.isTrying = false;
    if (this.open.size > 0) return;
    this.cancel?.();
    this.cancel = null;
  }

  private async finish(bookingId: string): Promise<void> {
    const left = this.open.get(bookingId);
    if (!left) return;
    left.tries += 1;
    const cause = newCause(this.ids);
    const work = () => finishOpen(this.checkouts, bookingId, left.orderId, { actor: SYSTEM, ...cause });
    try {
      await this.observer.piece(openCheckoutsProjection.name, cause, work);
      left.tries = TRIES;
    } catch (error) {
      this.backOff.fail(bookingId);
      this.observer.onError(bookingId, error);
    }
    if (left.tries < TRIES) return;
    this.open.delete(bookingId);
    this.backOff.forget(bookingId);
  }
}
