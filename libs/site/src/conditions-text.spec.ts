import { type Conditions, DEFAULT_CONDITIONS, NO_CONDITIONS } from '#events';
import { money } from '#kernel';
import { conditionsText } from './conditions-text.js';

const WITHDRAWAL = 'Comprando 7 dias ou mais antes, desistir em até 24 horas devolve tudo.';
const rows = (...cancellation: Conditions['cancellation']): Conditions => ({ ...DEFAULT_CONDITIONS, cancellation });

describe('the conditions of a fare in words', () => {
  it.each<[Conditions, string]>([
    [NO_CONDITIONS, 'Se a viagem for cancelada, a tarifa não é devolvida. As taxas não são devolvidas.'],
    [DEFAULT_CONDITIONS, `Se a viagem for cancelada, a tarifa não é devolvida. As taxas são devolvidas. ${WITHDRAWAL}`],
    [
      rows({ until: 'PT24H', fee: { percent: 20 } }),
      `Cancelar custa 20% da tarifa até 24 horas antes da partida; depois, a tarifa não é devolvida. As taxas são devolvidas. ${WITHDRAWAL}`,
    ],
    [
      rows(
        { until: 'P7DT1H', fee: { percent: 0 } },
        { until: 'PT1H30M', fee: money(15_000, 'BRL') },
        { until: 'PT0M', fee: { percent: 90 } },
      ),
      `Cancelar não custa nada até 7 dias e 1 hora antes da partida, custa R$\u00a0150,00 por passageiro até 1 hora e 30 minutos antes da partida, custa 90% da tarifa até a partida; depois, a tarifa não é devolvida. As taxas são devolvidas. ${WITHDRAWAL}`,
    ],
  ])('%j', (conditions, text) => {
    expect(conditionsText(conditions)).toBe(text);
  });
});
