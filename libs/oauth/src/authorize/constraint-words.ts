import { cityNamed } from '#catalog';
import type { Constraints } from '#events';
import { moneyText } from '#site';

/** What a mandate demands of a purchase beside its ceiling, in a traveller's words; empty: nothing. */
export const constraintWords = ({ from, to, maxPricePerSeat, maxOrders }: Constraints): readonly string[] => [
  ...(from ? [`Só voos que saem de ${listed(from)}`] : []),
  ...(to ? [`Só voos para ${listed(to)}`] : []),
  ...(maxPricePerSeat ? [`Até ${moneyText(maxPricePerSeat)} por assento`] : []),
  ...(maxOrders === undefined ? [] : [maxOrders === 1 ? 'Um pedido só' : `No máximo ${maxOrders} pedidos`]),
];

const listed = (codes: readonly string[]): string =>
  new Intl.ListFormat('pt-BR', { type: 'disjunction' }).format(codes.map(airportText));

/** A city with the code of the airport, since the mandate allows this one alone; the code where nothing is known of it. */
const airportText = (code: string): string => {
  const city = cityNamed(code);
  return city === code ? code : `${city} (${code})`;
};
