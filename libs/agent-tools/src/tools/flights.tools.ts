import { FareQuoteView, FlightListView, flightListView, FlightView, flightView, quoteFares } from '#catalog';
import { pageOf, schemaOf } from '#http';
import { fromQuery, publicTool, READS } from '../tool.js';
import { FEW_FLIGHTS, FlightArguments, QuoteFaresArguments, SearchFlightsArguments } from './arguments.dto.js';

/** What anybody may ask (docs/interface.md, endpoints 2 to 4). */
export const FLIGHT_TOOLS = [
  publicTool({
    name: 'search_flights',
    title: 'Buscar voos',
    description:
      'Lista ou busca voos. q: cidade de destino, aeroporto (código ou nome) ou número de voo; from e to: cidade ou ' +
      'aeroporto. Por hora de partida, ou na ordem de sort. Cada voo traz suas tarifas em prices, com o preço por passageiro ' +
      'em centavos. Vêm dez por vez, ou quantos limit disser; count é o total, e nextCursor leva aos seguintes. Onde nada é ' +
      'encontrado, suggestions traz buscas que encontram.',
    annotations: READS,
    input: fromQuery(SearchFlightsArguments),
    outputSchema: schemaOf(FlightListView),
    run: async (search, { flights, urls: { site } }) => {
      const page = { ...pageOf(search), limit: Number(search.limit ?? FEW_FLIGHTS) };
      return flightListView(await flights.find(search, page), site);
    },
  }),
  publicTool({
    name: 'get_flight',
    title: 'Consultar um voo',
    description: 'Lê um voo pelo número, com suas tarifas e os assentos ainda à venda.',
    annotations: READS,
    input: fromQuery(FlightArguments),
    outputSchema: schemaOf(FlightView),
    run: async ({ flightNumber }, { flights, urls: { site } }) => flightView(await flights.get(flightNumber), site),
  }),
  publicTool({
    name: 'quote_fares',
    title: 'Comparar tarifas',
    description:
      'Compara as tarifas de um voo sob um orçamento em centavos para todos os passageiros: total, bagagem, chegada no ' +
      'mesmo dia e se cabe no orçamento. bestByConstraints é a mais barata que chega no mesmo dia com bagagem despachada.',
    annotations: READS,
    input: fromQuery(QuoteFaresArguments),
    outputSchema: schemaOf(FareQuoteView),
    run: async ({ flightNumber, budget, passengers = '1' }, { flights }) =>
      quoteFares(await flights.get(flightNumber), Number(budget), Number(passengers)),
  }),
] as const;
