import { areWorse, type Conditions, NO_CONDITIONS } from '#events';
import { DomainError, type Instant, type Money, sameMoney } from '#kernel';

export interface NamedPrice {
  /** What the agent thinks the order costs; undefined: it did not say. */
  readonly expectedTotal: Money | undefined;
  /** The most that it accepts; undefined: what the booking was promised for. */
  readonly acceptUpTo: Money | undefined;
}

interface Price {
  readonly total: Money;
  /** Undefined: it was stored before they were kept apart. */
  readonly taxes?: Money | undefined;
  /** Undefined: of before there were any. */
  readonly conditions?: Conditions | undefined;
}

/** What an order pays. `accepted`: what it named, where that is more than was promised. */
export interface ChargedPrice extends Price {
  readonly accepted?: Money;
}

const covers = (most: Money, total: Money): boolean => most.currency === total.currency && most.amount >= total.amount;

/** Whether a request for a booking of the `promised` price lets this total be charged (docs/consistency.md, rule 34). */
export const isNamed = (total: Money, promised: Money, { expectedTotal, acceptUpTo }: NamedPrice): boolean => {
  if (acceptUpTo && !covers(acceptUpTo, total)) return false;
  if (expectedTotal && sameMoney(expectedTotal, total)) return true;
  if (expectedTotal && !sameMoney(expectedTotal, promised)) return false;
  return acceptUpTo !== undefined || covers(promised, total);
};

/** The promised price with its conditions while it holds, today's afterwards. @throws DomainError `offer_expired`, `total_changed` */
export const chargedPrice = (
  promised: Price & { readonly passengers: number; readonly expiresAt?: Instant | undefined },
  today: Price | null,
  named: NamedPrice,
): ChargedPrice => {
  const { total, taxes, conditions } = today ?? promised;
  const isDearer = !covers(promised.total, total);
  if (!isNamed(total, promised.total, named)) {
    const { expectedTotal } = named;
    if (!isDearer || (expectedTotal && !sameMoney(expectedTotal, promised.total)))
      throw new DomainError('total_changed');
    const { expiresAt } = promised;
    throw new DomainError('offer_expired', { previous: promised.total, current: total, expiresAt });
  }
  if (today && isHarder(today, promised)) {
    const { expiresAt, conditions: before = NO_CONDITIONS } = promised;
    const changed = { previous: before, current: today.conditions ?? NO_CONDITIONS };
    throw new DomainError('offer_expired', {
      previous: promised.total,
      current: total,
      expiresAt,
      conditions: changed,
    });
  }
  const accepted = isDearer ? (named.acceptUpTo ?? named.expectedTotal) : undefined;
  return { total, taxes, conditions, ...(accepted && { accepted }) };
};

/** Whether today's conditions keep more of the promised price than those that were promised with it: no total stands for them. */
const isHarder = (
  { conditions = NO_CONDITIONS }: Price,
  { total, taxes, conditions: before = NO_CONDITIONS, passengers }: Parameters<typeof chargedPrice>[0],
): boolean => {
  const taxed = taxes?.amount ?? 0;
  return areWorse(conditions, before, { base: total.amount - taxed, taxes: taxed, passengers });
};
