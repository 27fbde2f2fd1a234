import type { Json } from '../audited-event.js';
import { integer, object, text, WrongForm } from './members.js';

/** What an order is made of, in cents, and how many fly. */
export interface Priced {
  readonly base: number;
  readonly taxes: number;
  readonly passengers: number;
}

const DURATION = /^P(?=\d|T\d)(?:(\d{1,3})D)?(?:T(?=\d)(?:(\d{1,4})H)?(?:(\d{1,5})M)?)?$/;

/** Minutes of a duration of days, hours and minutes; null: it is none. */
export const minutesIn = (duration: string): number | null => {
  const parts = DURATION.exec(duration);
  if (!parts) return null;
  const [, days = 0, hours = 0, minutes = 0] = parts;
  return (Number(days) * 24 + Number(hours)) * 60 + Number(minutes);
};

interface Row {
  readonly minutes: number;
  readonly fee: Json;
}

const rowsOf = (conditions: Json): readonly Row[] => {
  const { cancellation } = conditions;
  if (!Array.isArray(cancellation)) throw new WrongForm('cancellation is no list');
  return cancellation.map((row: Json) => ({ minutes: minutesIn(text(row, 'until')) ?? 0, fee: object(row, 'fee') }));
};

/** Cents that are kept of an order cancelled so many minutes before departure; without conditions: all of it. */
export const keptOf = (conditions: Json | null, { base, taxes, passengers }: Priced, minutesBefore: number): number => {
  const row = conditions ? rowsOf(conditions).find(({ minutes }) => minutesBefore >= minutes) : undefined;
  const kept = conditions?.['taxesRefundable'] === true ? 0 : taxes;
  return kept + (row ? feeOf(row.fee, base, passengers) : base);
};

const feeOf = (fee: Json, base: number, passengers: number): number =>
  fee['percent'] === undefined
    ? Math.min(base, integer(fee, 'amount') * passengers)
    : Number((BigInt(base) * BigInt(integer(fee, 'percent'))) / 100n);

/** Whether conditions keep more at some moment than others do, or take away what those give within a day. */
export const areWorse = (conditions: Json | null, others: Json | null, order: Priced): boolean => {
  if (others?.['withdrawal'] === true && conditions?.['withdrawal'] !== true) return true;
  const steps = [conditions, others].flatMap((one) => (one ? rowsOf(one).map(({ minutes }) => minutes) : []));
  return [0, ...steps].some((minutes) => keptOf(conditions, order, minutes) > keptOf(others, order, minutes));
};
