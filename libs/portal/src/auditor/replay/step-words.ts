import { mandateEvents } from '#events';
import { ERROR_CATALOGUE } from '#http';
import { CURRENCIES, type Currency, ERROR_CODES, type ErrorCode } from '#kernel';
import { refusalWords } from '#mandate';
import { moneyText } from '#site';
import type { Amount, MandateStatus, MandateStep } from '#verifier';

const isCurrency = (text: string): text is Currency => (CURRENCIES as readonly string[]).includes(text);
const isErrorCode = (text: string): text is ErrorCode => (ERROR_CODES as readonly string[]).includes(text);

/** An amount of an event, whatever its currency claims to be. */
export const amountText = ({ amount, currency }: Amount): string =>
  isCurrency(currency) ? moneyText({ amount, currency }) : `${amount} centavos de “${currency}”`;

/** Why something was refused, in a sentence; a reason that no catalogue has by its name alone. */
export const reasonText = (reason: string): string =>
  isErrorCode(reason) ? ERROR_CATALOGUE[reason].message : `Motivo “${reason}”.`;

/** A mandate's status, in a word. */
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

/** What happened, in a few words. */
export const eventText = ({ event: { type }, amount, limit }: MandateStep): string => {
  const sum = amount ? amountText(amount) : '';
  const ceiling = amountText(limit);
  switch (type) {
    case 'MandateRequested':
      return `Mandato pedido, com teto de ${ceiling}`;
    case 'MandateApproved':
      return 'Mandato permitido pelo viajante';
    case 'MandateCreated':
      return `Mandato criado, com teto de ${ceiling}`;
    case 'MandateReserved':
      return `${sum} reservados para um pedido`;
    case 'MandateConsumed':
      return `${sum} cobrados`;
    case 'MandateReleased':
      return amount?.amount ? `${sum} liberados sem cobrança` : 'Pedido encerrado sem nada reservado';
    case 'MandateChargeRefused':
      return `Cobrança de ${sum} recusada`;
    case 'MandateNarrowed':
      return `Mandato reduzido, com teto de ${ceiling}`;
    case 'MandatePaused':
      return 'Mandato em pausa';
    case 'MandateResumed':
      return 'Mandato retomado';
    case 'MandateRevoked':
      return 'Mandato revogado';
    case 'MandateExpired':
      return 'Mandato vencido';
    case 'MandateAbandoned':
      return 'Mandato desistido antes de existir';
    default:
      return type;
  }
};

/** What was decided, and why. `before`: what stood before it; null: nothing. */
export const decisionText = ({ event: { type, data }, refusal }: MandateStep, before: MandateStep | null): string => {
  const free = before ? amountText({ amount: before.remaining, currency: before.limit.currency }) : '';
  switch (type) {
    case 'MandateRequested':
      return 'O agente pediu; nada pode ser cobrado até o viajante responder.';
    case 'MandateApproved':
      return 'O viajante permitiu, com os termos que este evento diz.';
    case 'MandateCreated':
      return 'Concedido: daqui em diante o agente pode gastar até o teto.';
    case 'MandateReserved':
      return `Permitida: ${free} estavam disponíveis, e o valor foi separado antes da cobrança.`;
    case 'MandateConsumed':
      return 'O processador cobrou o que estava reservado; o valor passou de reservado a cobrado.';
    case 'MandateReleased':
      return 'Não houve cobrança: o que estava reservado voltou a ficar disponível.';
    case 'MandateChargeRefused':
      return `${refusedText(data) ?? `Recusada: ${reasonText(refusal ?? '')}`} Estavam disponíveis ${free}.`;
    case 'MandateNarrowed':
      return 'O viajante concede menos do que antes.';
    case 'MandatePaused':
      return 'O viajante suspendeu o mandato: nada é cobrado até ele retomar.';
    case 'MandateResumed':
      return 'O viajante retomou o mandato.';
    case 'MandateRevoked':
      return 'O mandato acabou: nada mais pode ser cobrado.';
    case 'MandateExpired':
      return 'O prazo acabou: nada mais pode ser cobrado.';
    case 'MandateAbandoned':
      return 'O mandato foi fechado sem ter sido criado, para que ninguém o crie depois.';
    default:
      return 'Este tipo de evento não é de um mandato.';
  }
};
