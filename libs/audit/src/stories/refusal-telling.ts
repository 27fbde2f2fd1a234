import type { Amount, Json } from '#verifier';

/** Why a mandate refused a charge, and where the event says so, of which flight and what it allows. */
export const refusalTold = (data: Json): string => {
  const { reason, flightNumber, from, to, unitPrice, allowed } = data;
  const flight = flightNumber === undefined ? [] : [`${text(from)} → ${text(to)} (${text(flightNumber)})`];
  const allows = allowedTold(allowed, unitPrice);
  return [text(reason), ...flight, ...(allows === null ? [] : [`the mandate allows ${allows}`])].join('; ');
};

const allowedTold = (allowed: unknown, unitPrice: unknown): string | null => {
  if (typeof allowed !== 'object' || allowed === null) return null;
  const { from, to, maxPricePerSeat, maxOrders }: Partial<Record<string, unknown>> = { ...allowed };
  if (from !== undefined) return `flights from ${listed(from)} alone`;
  if (to !== undefined) return `flights to ${listed(to)} alone`;
  if (maxPricePerSeat !== undefined) return `${cents(maxPricePerSeat)} a seat, and it costs ${cents(unitPrice)}`;
  return maxOrders === undefined ? null : `${text(maxOrders)} orders`;
};

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : 'something unknown';
const listed = (value: unknown): string => (Array.isArray(value) ? value.map(text).join(' or ') : text(value));

/** `329.90 BRL` */
const cents = (value: unknown): string => {
  const { amount, currency } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Amount>;
  return typeof amount === 'number' ? `${(amount / 100).toFixed(2)} ${text(currency)}` : text(undefined);
};
