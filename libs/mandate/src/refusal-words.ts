import { cityNamed } from '#catalog';
import type { MandateEvent } from '#events';
import { ERROR_CATALOGUE } from '#http';
import type { ErrorCode } from '#kernel';
import { moneyText } from '#site';

export type Refused = Extract<MandateEvent, { type: 'MandateChargeRefused' }>['data'];

/** A refusal in Portuguese: what was to be bought, why not, and what the constraint allows, as far as the event says. */
export const refusalWords = (refused: Refused): string => `${whatOf(refused)} ${refusalReason(refused)}`;

const whatOf = ({ amount, flightNumber, from, to }: Refused): string => {
  if (flightNumber === undefined || from === undefined || to === undefined)
    return `Cobrança de ${moneyText(amount)} recusada.`;
  return `${moneyText(amount)} recusados: ${cityNamed(from)} → ${cityNamed(to)} (${flightNumber}).`;
};

/** Why a charge was refused, in a sentence. */
export const refusalReason = ({ reason, allowed = {}, unitPrice }: Refused): string => {
  const { from, to, maxPricePerSeat, maxOrders, orderTotal } = allowed;
  if (from) return `O mandato só permite voos que saem de ${cities(from)}.`;
  if (to) return `O mandato só permite voos para ${cities(to)}.`;
  if (maxPricePerSeat) {
    const price = unitPrice ? `; este custa ${moneyText(unitPrice)}` : '';
    return `O mandato só permite até ${moneyText(maxPricePerSeat)} por assento${price}.`;
  }
  if (maxOrders !== undefined)
    return `O mandato só permite ${maxOrders === 1 ? 'uma compra' : `${maxOrders} compras`}.`;
  if (orderTotal) {
    const { min, max } = orderTotal;
    return `O mandato só permite compras de ${min ? `${moneyText(min)} a` : 'até'} ${moneyText(max)}.`;
  }
  return reasonWords(reason);
};

/** What happened, to people; the catalogue says it to programs. */
export const reasonWords = (code: ErrorCode): string => WORDS[code] ?? ERROR_CATALOGUE[code].message;

const WORDS: Readonly<Partial<Record<ErrorCode, string>>> = {
  mandate_revoked: 'O mandato já estava encerrado; nada foi cobrado.',
  mandate_expired: 'O mandato já estava encerrado por prazo; nada foi cobrado.',
};

const cities = (codes: readonly string[]): string =>
  new Intl.ListFormat('pt-BR', { type: 'disjunction' }).format(new Set(codes.map(cityNamed)));
