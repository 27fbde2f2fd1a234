import { type Conditions, DEFAULT_CONDITIONS, minutesIn } from '#events';
import type { ConditionsView } from '#http';
import { moneyText } from './texts.js';

type Row = Conditions['cancellation'][number];

/** Days, hours and minutes of a duration: in whole hours up to two days, as airlines say it. */
const partsIn = (duration: string): readonly [days: number, hours: number, minutes: number] => {
  const minutes = minutesIn(duration);
  return minutes > 2_880
    ? [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60), minutes % 60]
    : [0, Math.floor(minutes / 60), minutes % 60];
};

const counted = (count: number, one: string, several: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : several}`];

const durationText = (duration: string): string => {
  const [days, hours, minutes] = partsIn(duration);
  const parts = [
    ...counted(days, 'dia', 'dias'),
    ...counted(hours, 'hora', 'horas'),
    ...counted(minutes, 'minuto', 'minutos'),
  ];
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} e ${parts.at(-1)}` : (parts[0] ?? '0 minutos');
};

const feeText = (fee: Row['fee']): string => {
  if (!('percent' in fee)) return `custa ${moneyText(fee)} por passageiro`;
  return fee.percent === 0 ? 'não custa nada' : `custa ${fee.percent}% da tarifa`;
};

const untilText = ({ until }: Row): string =>
  minutesIn(until) === 0 ? 'até a partida' : `até ${durationText(until)} antes da partida`;

/** What comes back where a fare is cancelled, as whole sentences: quote, consent, order page and tools say the same. */
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

/** The same in a few words, for a list of fares to choose from. */
export const conditionsSummary = ({ cancellation, taxesRefundable }: Conditions): string => {
  if (cancellation.length === 0) return taxesRefundable ? 'Não reembolsável, só as taxas' : 'Não reembolsável';
  const rows = cancellation.map((row) => `${shortFeeText(row.fee)} ${shortUntilText(row)}`);
  return `Reembolso ${rows.join(', ')}${taxesRefundable ? '' : ', menos as taxas'}`;
};

const shortFeeText = (fee: Row['fee']): string => {
  if (!('percent' in fee)) return `com taxa de ${moneyText(fee)} por passageiro`;
  return fee.percent === 0 ? 'integral' : `com taxa de ${fee.percent}%`;
};

const shortUntilText = ({ until }: Row): string => {
  const [days, hours, minutes] = partsIn(until);
  const parts = [
    ...counted(days, 'dia', 'dias'),
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(minutes > 0 ? [`${minutes} min`] : []),
  ];
  return parts.length === 0 ? 'até a partida' : `até ${parts.join(' ')} antes`;
};

const views = new WeakMap<Conditions, ConditionsView>();

/** Conditions as the interface shows them, with the words for them. Absent: those of a fare that says none. */
export const conditionsView = (conditions: Conditions = DEFAULT_CONDITIONS): ConditionsView => {
  const view = views.get(conditions) ?? { ...conditions, description: conditionsText(conditions) };
  views.set(conditions, view);
  return view;
};
