import { z } from 'zod';
import type { Money } from '#kernel';
import { money } from './schema.js';

/** What of a fare comes back when an order is cancelled. The first row that applies counts; none: the fare is lost. */
export const conditionsSchema = z
  .object({
    cancellation: z
      .array(
        z.object({
          /** ISO 8601 duration before departure, in days, hours and minutes. */
          until: z.string(),
          /** A percentage of the order's base, or Money a passenger. */
          fee: z.union([z.object({ percent: z.int() }).readonly(), money]),
        }),
      )
      .readonly(),
    taxesRefundable: z.boolean(),
    /** Whether everything comes back within 24 hours of buying, 7 days or more before departure (ANAC Res. 400, art. 11). */
    withdrawal: z.boolean(),
  })
  .readonly();

export type Conditions = z.infer<typeof conditionsSchema>;

export const DEFAULT_CONDITIONS: Conditions = { cancellation: [], taxesRefundable: true, withdrawal: true };

/** Those of what was bought before there were any: nothing comes back. */
export const NO_CONDITIONS: Conditions = { cancellation: [], taxesRefundable: false, withdrawal: false };

/** `P1DT2H30M` and its like; each part may be absent, and one is there. */
export const DURATION = /^P(?=\d|T\d)(?:(\d{1,3})D)?(?:T(?=\d)(?:(\d{1,4})H)?(?:(\d{1,5})M)?)?$/;

/** Minutes of a duration; days have 24 hours. Of another text: none. */
export const minutesIn = (duration: string): number => {
  const [, days = 0, hours = 0, minutes = 0] = DURATION.exec(duration) ?? [];
  return (Number(days) * 24 + Number(hours)) * 60 + Number(minutes);
};

/** What an order is made of, as far as a cancellation asks: its base and taxes in cents, and how many fly. */
export interface Priced {
  readonly base: number;
  readonly taxes: number;
  readonly passengers: number;
}

/** Cents of an order that stay with the airline where it is cancelled so many minutes before departure. */
export const keptOf = (
  { cancellation, taxesRefundable }: Conditions,
  { base, taxes, passengers }: Priced,
  minutesBefore: number,
): number => {
  const row = cancellation.find(({ until }) => minutesBefore >= minutesIn(until));
  return (row ? feeOf(row.fee, base, passengers) : base) + (taxesRefundable ? 0 : taxes);
};

/** A percentage is rounded down once an order; an amount a passenger is never above the base. */
const feeOf = (fee: Money | { readonly percent: number }, base: number, passengers: number): number =>
  'percent' in fee ? Number((BigInt(base) * BigInt(fee.percent)) / 100n) : Math.min(base, fee.amount * passengers);

/** Whether conditions ever keep more of an order than others do. */
export const areWorse = (conditions: Conditions, others: Conditions, order: Priced): boolean => {
  if (others.withdrawal && !conditions.withdrawal) return true;
  const steps = [...conditions.cancellation, ...others.cancellation].map(({ until }) => minutesIn(until));
  return [0, ...steps].some((minutes) => keptOf(conditions, order, minutes) > keptOf(others, order, minutes));
};
