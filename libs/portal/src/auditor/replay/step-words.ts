import { mandateEvents } from '#events';
import { ERROR_CATALOGUE } from '#http';
import { CURRENCIES, type Currency, ERROR_CODES, type ErrorCode } from '#kernel';
import { refusalWords } from '#mandate';
import { moneyText } from '#site';
import type { Amount, MandateStatus, MandateStep } from '#verifier';
import { wordsFor } from '../../page-parts.js';

const isCurrency = (text: string): text is Currency => (CURRENCIES as readonly string[]).includes(text);
const isErrorCode = (text: string): text is ErrorCode => (ERROR_CODES as readonly string[]).includes(text);

/** An amount of an event, whatever its currency claims to be. */
export const amountText = ({ amount, currency }: Amount): string =>
  isCurrency(currency) ? moneyText({ amount, currency }) : `${amount} centavos de “${currency}”`;

/** Why something was refused, in a sentence; a reason that no catalogue has by its name alone. */
export const reasonText = (reason: string): string =>
  isErrorCode(reason) ? ERROR_CATALOGUE[reason].message : `Motivo “${reason}”.`;

export const STATUS_WORDS: Readonly<Record<MandateStatus, string>> = {
  requested: 'espera o viajante',
  valid: 'válido',
  paused: 'em pausa',
  exhausted: 'esgotado',
  revoked: 'revogado',
  expired: 'vencido',
  abandoned: 'desistido',
};

/** A refusal that says which flight it was of, in words; null: it does not, or is of no form that there is. */
const refusedText = (data: MandateStep['event']['data']): string | null => {
  const refused = mandateEvents.MandateChargeRefused.safeParse(data);
  return refused.success && refused.data.flightNumber !== undefined ? refusalWords(refused.data) : null;
};

export const eventText = ({ event: { type }, amount, limit }: MandateStep): string => {
  const sum = amount ? amountText(amount) : '';
  const ceiling = amountText(limit);
  return wordsFor(type, {
    MandateRequested: `Mandato pedido, com teto de ${ceiling}`,
    MandateApproved: 'Mandato permitido pelo viajante',
    MandateCreated: `Mandato criado, com teto de ${ceiling}`,
    MandateReserved: `${sum} reservados para um pedido`,
    MandateConsumed: `${sum} cobrados`,
    MandateRefunded: amount?.amount
      ? `${sum} devolvidos de um pedido cancelado`
      : 'Pedido cancelado, sem nada a devolver',
    MandateReleased: amount?.amount ? `${sum} liberados sem cobrança` : 'Pedido encerrado sem nada reservado',
    MandateChargeRefused: `Cobrança de ${sum} recusada`,
    MandateNarrowed: `Mandato reduzido, com teto de ${ceiling}`,
    MandatePaused: 'Mandato em pausa',
    MandateResumed: 'Mandato retomado',
    MandateRevoked: 'Mandato revogado',
    MandateExpired: 'Mandato vencido',
    MandateAbandoned: 'Mandato desistido antes de existir',
  });
};

/** What was decided, and why. `before`: what stood before it; null: nothing. */
export const decisionText = (
  { event: { type, data }, amount, refusal }: MandateStep,
  before: MandateStep | null,
): string => {
  const free = before ? amountText({ amount: before.remaining, currency: before.limit.currency }) : '';
  if (type === 'MandateChargeRefused')
    return `${refusedText(data) ?? `Recusada: ${reasonText(refusal ?? '')}`} Estavam disponíveis ${free}.`;
  if (type === 'MandateReserved')
    return `Permitida: ${free} estavam disponíveis, e o valor foi separado antes da cobrança.`;
  if (type === 'MandateRefunded' && amount?.amount === 0)
    return 'O pedido foi cancelado, e a tarifa fica toda com a companhia: nada volta, e o pedido deixa de contar.';
  return wordsFor(type, DECISIONS, 'Este tipo de evento não é de um mandato.');
};

const DECISIONS = {
  MandateRequested: 'O agente pediu; nada pode ser cobrado até o viajante responder.',
  MandateApproved: 'O viajante permitiu, com os termos que este evento diz.',
  MandateCreated: 'Concedido: daqui em diante o agente pode gastar até o teto.',
  MandateConsumed: 'O processador cobrou o que estava reservado; o valor passou de reservado a cobrado.',
  MandateRefunded:
    'O processador devolveu o valor ao cartão: ele deixa de contar como cobrado, e um mandato em vigor pode gastá-lo de novo.',
  MandateReleased: 'Não houve cobrança: o que estava reservado voltou a ficar disponível.',
  MandateNarrowed: 'O viajante concede menos do que antes.',
  MandatePaused: 'O viajante suspendeu o mandato: nada é cobrado até ele retomar.',
  MandateResumed: 'O viajante retomou o mandato.',
  MandateRevoked: 'O mandato acabou: nada mais pode ser cobrado.',
  MandateExpired: 'O prazo acabou: nada mais pode ser cobrado.',
  MandateAbandoned: 'O mandato foi fechado sem ter sido criado, para que ninguém o crie depois.',
};
