import { type Conditions, DEFAULT_CONDITIONS, NO_CONDITIONS } from '#events';
import { money } from '#kernel';
import { conditionsSummary, conditionsText } from './conditions-text.js';

const WITHDRAWAL = 'Comprando 7 dias ou mais antes, desistir em até 24 horas devolve tudo.';
const rows = (...cancellation: Conditions['cancellation']): Conditions => ({ ...DEFAULT_CONDITIONS, cancellation });

describe('the conditions of a fare in words', () => {
  it.each<[Conditions, string, string]>([
    [
      NO_CONDITIONS,
      'Se a viagem for cancelada, a tarifa não é devolvida. As taxas não são devolvidas.',
      'Não reembolsável',
    ],
    [
      DEFAULT_CONDITIONS,
      `Se a viagem for cancelada, a tarifa não é devolvida. As taxas são devolvidas. ${WITHDRAWAL}`,
      'Não reembolsável, só as taxas',
    ],
    [
      rows({ until: 'PT24H', fee: { percent: 20 } }),
      `Cancelar custa 20% da tarifa até 24 horas antes da partida; depois, a tarifa não é devolvida. As taxas são devolvidas. ${WITHDRAWAL}`,
      'Reembolso com taxa de 20% até 24 h antes',
    ],
    [
      rows(
        { until: 'P7DT1H', fee: { percent: 0 } },
        { until: 'PT1H30M', fee: money(15_000, 'BRL') },
        { until: 'PT0M', fee: { percent: 90 } },
      ),
      `Cancelar não custa nada até 7 dias e 1 hora antes da partida, custa R$\u00a0150,00 por passageiro até 1 hora e 30 minutos antes da partida, custa 90% da tarifa até a partida; depois, a tarifa não é devolvida. As taxas são devolvidas. ${WITHDRAWAL}`,
      'Reembolso integral até 7 dias 1 h antes, com taxa de R$\u00a0150,00 por passageiro até 1 h 30 min antes, com taxa de 90% até a partida',
    ],
    [
      { ...rows({ until: 'PT2H', fee: { percent: 0 } }), taxesRefundable: false, withdrawal: false },
      'Cancelar não custa nada até 2 horas antes da partida; depois, a tarifa não é devolvida. As taxas não são devolvidas.',
      'Reembolso integral até 2 h antes, menos as taxas',
    ],
  ])('%j', (conditions, text, summary) => {
    expect(conditionsText(conditions)).toBe(text);
    expect(conditionsSummary(conditions)).toBe(summary);
  });
});
