import type { Currency, Money } from '#kernel';

/** Keeps every mandate it saw, and works out from the whole history what counts against a cap (rule 19). */
export class Observer {
  cap: Money | null = null;
  private step = 0;
  private firstCapAt: number | null = null;
  private readonly mandates = new Map<string, { limit: Money; consumed: number; closedAt: number | null }>();

  setCap(cap: Money | null): void {
    this.step += 1;
    this.cap = cap;
    if (cap) this.firstCapAt ??= this.step;
  }

  open(mandateId: string, limit: Money): void {
    this.mandates.set(mandateId, { limit, consumed: 0, closedAt: null });
  }

  /** Closes the `which`-th mandate ever opened, after `share` (0 to 1) of it was consumed; null where it is not open. */
  close(which: number, share: number): { mandateId: string; consumed: Money } | null {
    this.step += 1;
    const [mandateId, mandate] = [...this.mandates][which] ?? [];
    if (mandateId === undefined || mandate?.closedAt !== null) return null;
    mandate.consumed = Math.floor(mandate.limit.amount * share);
    mandate.closedAt = this.step;
    return { mandateId, consumed: { ...mandate.limit, amount: mandate.consumed } };
  }

  used(currency: Currency): number {
    const counted = [...this.mandates.values()].map(({ limit, consumed, closedAt }) => {
      if (limit.currency !== currency) return 0;
      if (closedAt === null) return limit.amount;
      return this.firstCapAt !== null && closedAt > this.firstCapAt ? consumed : 0;
    });
    return counted.reduce((sum, amount) => sum + amount, 0);
  }

  fits({ amount, currency }: Money): boolean {
    return this.cap === null || (this.cap.currency === currency && this.used(currency) + amount <= this.cap.amount);
  }
}
