import { type Conditions, minutesIn } from '#events';
import { moneyText } from './texts.js';

const counted = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`;

/** A duration in words, in whole hours where it has any and up to two days; then in days. */
const durationText = (duration: string): string => {
  const minutes = minutesIn(duration);
  const [days, hours, rest] =
    minutes > 2_880
      ? [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60), minutes % 60]
      : [0, Math.floor(minutes / 60), minutes % 60];
  const parts = [
    days > 0 ? [counted(days, 'dia', 'dias')] : [],
    hours > 0 ? [counted(hours, 'hora', 'horas')] : [],
    rest > 0 ? [counted(rest, 'minuto', 'minutos')] : [],
  ].flat();
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} e ${parts.at(-1)}` : (parts[0] ?? '0 minutos');
};

const feeText = (fee: Conditions['cancellation'][number]['fee']): string => {
  if (!('percent' in fee)) return `custa ${moneyText(fee)} por passageiro`;
  return fee.percent === 0 ? 'não custa nada' : `custa ${fee.percent}% da tarifa`;
};

const untilText = ({ until }: Conditions['cancellation'][number]): string =>
  minutesIn(until) === 0 ? 'até a partida' : `até ${durationText(until)} antes da partida`;

/** What comes back where a fare is cancelled, as whole sentences: search, quote, consent, order page and tools say the same. */
export const conditionsText = ({ cancellation, taxesRefundable, withdrawal }: Conditions): string => {
  const rows = cancellation.map((row) => `${feeText(row.fee)} ${untilText(row)}`);
  return [
    rows.length === 0
      ? 'Se a viagem for cancelada, a tarifa não é devolvida.'
      : `Cancelar ${rows.join(', ')}; depois, a tarifa não é devolvida.`,
    taxesRefundable ? 'As taxas são devolvidas.' : 'As taxas não são devolvidas.',
    ...(withdrawal ? ['Comprando 7 dias ou mais antes, desistir em até 24 horas devolve tudo.'] : []),
  ].join(' ');
};
